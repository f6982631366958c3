import re
from fractions import Fraction
from io import StringIO

import pytest
from msgspec.structs import replace
from rich.console import Console

from grader.core.model.report import Judgement, TestResult, Verdict
from grader.core.report.json import to_report, to_reported_test
from grader.core.report.plain import line_of_test, to_renderable_changes
from tests.support.report_samples import (
    HOSTILE,
    broken_report,
    case_result,
    full_report,
    hostile_report,
    report_of,
    scored_test,
)

P, F = Verdict.PASSED, Verdict.FAILED


def printed(report: Judgement, before: Judgement | None, *, after_due: bool = False) -> str:
    console = Console(file=StringIO(), width=80)
    written = None if before is None else to_report(before)
    console.print(*to_renderable_changes(to_report(report), written, after_due=after_due))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def of(*verdicts: Verdict, name: str = "count") -> TestResult:
    cases = tuple(case_result(f"{name}[{n}]", verdict) for n, verdict in enumerate(verdicts, 1))
    passed = all(verdict is Verdict.PASSED for verdict in verdicts)
    return scored_test(name, cases, P if passed else F, 10 if passed else 0)


def hidden(result: TestResult) -> TestResult:
    return replace(result, test=replace(result.test, visibility="hidden"))


def test_what_passes_and_fails_since_then_is_told() -> None:
    text = printed(report_of(of(P, P, F)), report_of(of(P, F, P)))
    assert "Now with full marks: count[2]\nNow losing points: count[3]\n" in text
    assert "count[3]: no points" in text


def test_what_is_as_before_is_told() -> None:
    assert "as before" in printed(report_of(of(F)), report_of(of(F)))
    assert "as before" not in printed(report_of(of(F)), None)


def test_long_lists_of_names_are_cut() -> None:
    text = printed(report_of(of(*[P] * 10)), report_of(of(*[F] * 10)))
    assert "count[6] and 4 more" in " ".join(text.split())


def test_a_hidden_test_has_its_name_and_its_points() -> None:
    text = printed(report_of(hidden(of(F, name="secret"))), report_of(hidden(of(P, name="secret"))))
    assert re.search(r"secret +hidden +0 of 10\n", text)
    assert "secret[" not in text
    assert "The output differs" not in text


def test_a_failed_build_is_told_once() -> None:
    text = printed(broken_report(), full_report())
    assert text.count("Your program does not compile\n") == 1


@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_bytes_reach_no_terminal_and_no_ci_system(data: bytes) -> None:
    for before in (None, full_report()):
        text = printed(hostile_report(data), before)
        assert text.replace("\n", "").isprintable()
        assert not re.search(r"(?m)^\s*::|##\w*\[", text)


def test_a_line_for_a_test() -> None:
    result = replace(of(F), score=Fraction(5, 2))
    assert line_of_test(to_reported_test(result), after_due=False).text == "count: part of the points, 2.5 of 10"
    assert line_of_test(to_reported_test(hidden(result)), after_due=False).text == "count: hidden, 2.5 of 10"
