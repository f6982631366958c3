"""`only` and `skip`: the lines that are compared, beside every comparator."""

from fractions import Fraction
from pathlib import Path

import pytest

from grader.author.to_yaml import expectation_node, with_answer
from grader.core.bounded_regex import choose_lines
from grader.core.comparators import in_words
from grader.core.errors import HostError
from grader.core.judge.case import judge, reachable
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, Verdict
from grader.core.model.spec import Case, Toolchain
from grader.core.report.document import code
from grader.core.yaml.nodes import in_line
from tests.support.courses import load_text
from tests.support.rows import each_row, from_data, read_data

DATA = read_data(__file__)

HEAD = "spec: 1\nid: x\ntitle: T\nprogram: ./x\nreference: ./y\n"
RIGHT = b"Go:\n(1, 2)\n(3, 4)\n2 pairs\n"


def case_of(folder: Path, written: str, tolerate: str = "order: 50%, letter-case: 90%, wrong-stream: 50%") -> Case:
    text = f"{HEAD}tests:\n- name: t\n  tolerate: {{{tolerate}}}\n  expect: {{stdout: {written}}}\n"
    return load_text(folder, text).tests[0].cases[0]


def judged(case: Case, stdout: bytes, stderr: bytes = b"") -> CaseResult:
    answer = Execution(status=0, stdout=RIGHT) if case.asks_reference else None
    ran = Execution(status=0, stdout=stdout, stderr=stderr)
    return judge(case, ran, answer, toolchain=Toolchain(name="any"), command="x")


TUPLES = r"only: '^\('"
ROWS = from_data(DATA["ROWS"], list[tuple[str, bytes, Fraction, list[str]]])


@each_row
def test_a_part_of_each_line_is_compared_and_nothing_else(
    written: str, stdout: bytes, share: Fraction, kinds: list[str], tmp_path: Path
) -> None:
    case = case_of(tmp_path, written)
    result = judged(case, stdout)
    assert (result.credit, sorted({one.kind for one in result.deviations})) == (share, kinds)
    assert result.expected_stdout is None
    assert case_of(tmp_path, in_line(expectation_node(case.expect)).removeprefix("{stdout: ")[:-1]) == case
    assert case.expect.stdout is not None
    assert ", of what " in in_words(case.expect.stdout, code)


@each_row
def test_the_sentence_about_a_part(written: str, stdout: bytes, told: str, tmp_path: Path) -> None:
    assert judged(case_of(tmp_path, written), stdout).message.text == told


@each_row
def test_what_the_reference_writes_is_chosen_once(written: str, frozen: str, tmp_path: Path) -> None:
    case = with_answer(case_of(tmp_path, written), Execution(status=0, stdout=RIGHT))
    assert case.expect == case_of(tmp_path, frozen).expect


@each_row
def test_what_is_tolerated_hides_no_line(
    only: str, stdout: bytes, share: Fraction, kinds: list[str], tmp_path: Path
) -> None:
    tolerate = "letter-case: 90%, leading-space: 80%, prompt: 70%"
    result = judged(case_of(tmp_path, rf'{{only: "{only}", text: "Sum: 5\n"}}', tolerate), stdout)
    assert (result.credit, sorted(deviation.kind for deviation in result.deviations)) == (share, kinds)
    if share != 1:
        untolerated = judged(case_of(tmp_path, rf'{{only: "{only}", text: "Sum: 5\n"}}', "order: 50%"), stdout)
        assert untolerated.credit == 0


@pytest.mark.parametrize(("written", "stdout", "share", "kinds"), ROWS)
def test_chosen_lines_are_compared_and_no_others(
    written: str, stdout: bytes, share: Fraction, kinds: list[str], tmp_path: Path
) -> None:
    case = case_of(tmp_path, written)
    result = judged(case, stdout)
    assert (result.credit, sorted({one.kind for one in result.deviations})) == (share, kinds)
    assert set(kinds) <= reachable(case)
    assert result.expected_stdout is None


def test_they_may_be_on_the_other_stream_and_are_never_split(tmp_path: Path) -> None:
    case = case_of(tmp_path, f"{{{TUPLES}, lines: reference}}")
    assert [one.kind for one in judged(case, b"", RIGHT).deviations] == ["wrong-stream"]
    assert judged(case, b"(1, 2)\n", b"(3, 4)\n").verdict == Verdict.FAILED
    assert "split-streams" not in reachable(case)


def test_the_sentence_says_that_not_all_of_it_counts(tmp_path: Path) -> None:
    case = case_of(tmp_path, f"{{{TUPLES}, lines: reference}}")
    told = "Line 2 of the checked part of standard output is `(3, 5)`, expected `(3, 4)`."
    assert judged(case, b"x\n(1, 2)\nx\n(3, 5)\n").message.text == told
    assert (
        judged(case, b"x\n").message.text
        == "The checked part of standard output is empty; expected: 2 lines, `(1, 2)` and 1 more."
    )


@pytest.mark.parametrize("written", sorted({row[0] for row in ROWS}))
def test_it_is_written_and_told_as_it_is_read(written: str, tmp_path: Path) -> None:
    case = case_of(tmp_path, written)
    assert case_of(tmp_path, in_line(expectation_node(case.expect)).removeprefix("{stdout: ")[:-1]) == case
    assert case.expect.stdout is not None
    assert " lines with " in in_words(case.expect.stdout, code)


def test_a_pattern_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.core.bounded_regex.MAX_SEARCH_SECONDS", 0.5)
    with pytest.raises(HostError, match=r"took over 0\.5 s on the lines of an output"):
        choose_lines("(a+)+b", b"a" * 60 + b"\n", "matching")
