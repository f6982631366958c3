"""The one cause of a submission: which it is, what it decides, and where every view of a report says so."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from grader.core.model.layout import BuildResult
from grader.core.model.report import CaseResult, CauseKind, Message, Report, TestResult, Verdict
from grader.core.report.document import describe_cause
from grader.core.report.json import to_report
from grader.core.report.junit import to_junit
from grader.core.report.plain import in_short, report_text
from grader.core.report.plain import test_text as text_of_test
from grader.core.report.view import describe_groups, word_for_test
from grader.review.reviewed import first_sentence
from tests.support.report_samples import case_result, on_screen, report_of, scored_test, to_feedback, to_page
from tests.support.rows import each_row

CRASH = "Your program ended with an uncaught exception: `IndexError: {}` in line {} of `a.py`, `x[9]`."


def crash(name: str, *, line: int = 7, text: str = "x", kind: CauseKind = "crashed") -> CaseResult:
    trace = b"Traceback:\n\tat line  \nIndexError\n"
    message = Message(CRASH.format(text, line), ("exception", f"a.py:{line}", "IndexError"))
    return replace(case_result(name, Verdict.CRASHED, stderr=trace), message=message, cause=kind)


def segfault(name: str, *place: str) -> CaseResult:
    return replace(crash(name), message=Message(f"It crashed: {[*place, 'SIGSEGV'][0]}.", ("signal", "11", *place)))


def right(name: str) -> CaseResult:
    return replace(
        case_result(name, Verdict.PASSED, ""), credit=scored_test("a", (), Verdict.PASSED, 1).test.points / 10
    )


def of(name: str, *cases: CaseResult, points: int = 10) -> TestResult:
    verdicts = {case.verdict for case in cases}
    return scored_test(name, cases, verdicts.pop() if len(verdicts) == 1 else Verdict.FAILED, points=points)


def hidden(result: TestResult) -> TestResult:
    return replace(result, test=replace(result.test, visibility="hidden"))


WRONG = case_result("w")


@pytest.mark.parametrize(
    ("tests", "kind", "decided"),
    [
        ([of("a", crash("a[1]"), crash("a[2]", text="y"))], "crashed", ["a"]),
        ([of("a", crash("a")), of("b", WRONG)], "crashed", ["a"]),
        ([of("a", crash("a")), of("b", WRONG, points=11)], None, []),
        ([of("a", crash("a", line=1)), of("b", crash("b", line=2), points=11)], "crashed", ["b"]),
        ([of("a", crash("a", kind="cannot-start"), points=1), of("b", WRONG)], "cannot-start", ["a"]),
        ([of("a", crash("a", kind="unreadable"), points=1), of("b", crash("b", line=8))], "unreadable", ["a"]),
        ([hidden(of("a", crash("a", line=1), points=11)), of("b", crash("b", line=2))], None, []),
        ([hidden(of("a", crash("a", line=1))), of("b", crash("b", line=2))], "crashed", ["b"]),
        ([of("a", WRONG)], None, []),
        ([of("a", segfault("a", "a.c:7")), of("b", segfault("b"), WRONG, points=30)], "crashed", ["a"]),
        ([of("a", segfault("a", "a.c:7")), of("b", segfault("b", "a.c:9")), of("c", WRONG)], None, []),
    ],
)
def test_which_cause_it_is(tests: list[TestResult], kind: CauseKind | None, decided: list[str]) -> None:
    report = to_report(report_of(*tests))
    assert (report.cause.kind if report.cause else None) == kind
    assert (list(report.cause.tests) if report.cause else []) == decided
    found = [test.name for test in report.tests if any(case.cause for case in test.cases)]
    assert found == decided


def test_with_full_marks_there_is_no_cause() -> None:
    bonus = of("b", crash("b"))
    report = report_of(replace(bonus, test=replace(bonus.test, bonus=True)), verdict=Verdict.PASSED)
    assert not to_report(report).cause


def every_view(report: Report) -> Iterable[tuple[str, str]]:
    yield "terminal", on_screen(report)
    yield "feedback", to_feedback(report)
    yield "page", to_page(report).decode()
    yield "junit", to_junit(report).decode()
    yield "short", "\n".join(in_short(report))
    yield "text", report_text(report)


def test_every_view_says_it_before_the_tests() -> None:
    report = to_report(report_of(of("usage", crash("usage")), of("count", crash("count"), right("count[2]"))))
    for name, text in every_view(report):
        start = text.find("Your program crashed")
        assert start >= 0, name
        after = text[start:]
        assert name in {"junit", "text"} or 0 <= after.find("IndexError") < after.find("of 10"), name


def test_it_is_said_once_with_the_tests_that_it_decides() -> None:
    report = to_report(report_of(of("usage", crash("usage")), of("count", crash("count[1]"), WRONG)))
    text = on_screen(report)
    assert text.count("uncaught exception") == 1
    assert "No test can pass because of it." in text
    assert "count[1]: crashed; the cause is at the top." in text
    assert text_of_test(report.tests[0]) == "usage: crashed; the cause is at the top."
    assert [case.id for group in describe_groups(report.tests[1]) for case in group] == ["w"]


def test_a_stack_trace_has_no_signs() -> None:
    text = on_screen(report_of(of("usage", crash("usage"))))
    assert "│     at line\n" in text
    assert not set("·→⏎") & set(text)


def test_signs_have_a_legend() -> None:
    case = case_result("a", stdout=b"a\tb \n", expected=b"a b\n")
    text = on_screen(report_of(of("a", case), of("b", replace(case_result("b", stdout=b"c\n", expected=b""), id="b"))))
    assert "standard output (- expected, + yours, · a space, → a tab, ⏎ the end of a line):" in " ".join(
        text.replace("│", "").split()
    )
    assert "standard output (+ yours):" in text


def test_of_a_hidden_test_nothing_is_said() -> None:
    report = to_report(report_of(hidden(of("secret", crash("secret"))), of("count", WRONG, points=5)))
    assert report.cause
    assert describe_cause(report) is None
    assert all(
        "IndexError" not in text and "program crashed" not in text
        for name, text in every_view(report)
        if name != "junit"
    )
    both = to_report(report_of(hidden(of("secret", crash("s"))), of("count", crash("c", text="mine"))))
    cause = describe_cause(both)
    assert cause
    assert "mine" in cause.sentence
    assert cause.tests == "Because of it, points are lost in `count`."


@each_row
def test_the_title_is_not_said_again_below_it(message: str, below: str) -> None:
    case = replace(crash("usage"), message=Message(message))
    report = to_report(report_of(of("usage", case), of("count", right("w"))))
    cause = describe_cause(report)
    assert cause
    assert (cause.title, cause.sentence.startswith(below)) == ("Your program crashed", True)
    assert first_sentence(report) == f"Your program crashed: {cause.sentence}"


def test_the_word_of_a_test_is_that_of_the_cause() -> None:
    kinds: dict[CauseKind, str] = {
        "unreadable": "cannot be read",
        "cannot-start": "cannot be started",
        "crashed": "crashed",
    }
    for kind, word in kinds.items():
        report = to_report(report_of(of("a", crash("a", kind=kind))))
        assert word_for_test(report.tests[0]) == word


def test_a_failed_build_is_the_cause() -> None:
    case = case_result("a", Verdict.BUILD_FAILED, "a.c:3: error: no")
    build = BuildResult(ok=False, command="make", log=b"a.c:3: error: no\n", message="a.c:3: error: no")
    report = to_report(replace(report_of(of("a", case)), build=build))
    assert report.cause
    assert (report.cause.kind, report.cause.tests) == ("not-built", ("a",))
    text = on_screen(report)
    assert text.index("Your program does not compile") < text.index("not built")


def test_a_report_without_a_cause_is_read_as_before() -> None:
    report = to_report(report_of(of("a", crash("a"))))
    tests = tuple(replace(test, cases=tuple(replace(case, cause=None) for case in test.cases)) for test in report.tests)
    old = replace(report, cause=None, tests=tests)
    assert "uncaught exception" in on_screen(old)
