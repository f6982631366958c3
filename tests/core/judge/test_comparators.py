"""Each comparator but `text`, which has tables of its own."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from grader.core.errors import HostError
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult
from grader.core.model.spec import Expectation, Leaf
from tests.support.comparators import leaf_of
from tests.support.rows import each_row
from tests.support.work_counts import count_lines

Judged = Callable[..., CaseResult]


def kinds(judged: Judged, output: bytes, **how: Any) -> list[str]:
    result = judged(Execution(stdout=output, status=0), Expectation(stdout=leaf_of(**how)))
    return [deviation.kind for deviation in result.deviations]


def message(judged: Judged, output: bytes, **how: Any) -> str:
    return judged(Execution(stdout=output, status=0), Expectation(stdout=leaf_of(**how))).message.text


@each_row
def test_contains(judged: Judged, want: tuple[str, ...], output: bytes, expected: list[str]) -> None:
    assert kinds(judged, output, how="contains", want=want) == expected


def test_contains_names_what_is_absent(judged: Judged) -> None:
    assert message(judged, b"b\n", how="contains", want=("a", "b", "c")) == "`a`, `c` do not occur in standard output."


@each_row
def test_regex(judged: Judged, pattern: str, output: bytes, expected: list[str]) -> None:
    assert kinds(judged, output, how="regex", want=(pattern,)) == expected


def test_a_bad_pattern_is_no_fault_of_the_student(judged: Judged) -> None:
    with pytest.raises(HostError, match="no regular expression"):
        kinds(judged, b"", how="regex", want=("(",))


def test_a_search_without_end_is_no_fault_of_the_student(judged: Judged, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.core.bounded_regex.MAX_SEARCH_SECONDS", 0.5)
    with pytest.raises(HostError, match=r"took over 0\.5 s"):
        kinds(judged, b"a" * 60, how="regex", want=("(a+)+$b",))


@each_row
def test_lines(judged: Judged, ordered: bool, output: bytes, expected: list[str]) -> None:  # noqa: FBT001 - a column
    assert kinds(judged, output, how="lines", want=("a", "b", "c"), ordered=ordered) == expected


def test_lines_in_any_order_say_what_is_there_and_what_is_not(judged: Judged) -> None:
    assert message(judged, b"c\nx\na\n", how="lines", want=("a", "b", "c"), ordered=False) == (
        "Standard output lacks 1 line (`b`); unexpected: 1 line (`x`)."
    )


@each_row
def test_tokens(judged: Judged, output: bytes, expected: list[str], said: str) -> None:
    assert kinds(judged, output, how="tokens", want=("a", "b", "c")) == expected
    assert said in message(judged, output, how="tokens", want=("a", "b", "c"))


@each_row
def test_numbers(judged: Judged, want: tuple[str, ...], tolerance: float, output: bytes, right: bool) -> None:  # noqa: FBT001 - a column
    expected = [] if right else ["wrong"]
    assert kinds(judged, output, how="numbers", want=want, tolerance=tolerance) == expected


def test_the_reference_is_asked_for_the_stream_it_stands_for(judged: Judged) -> None:
    expect = Expectation(stdout=Leaf(how="text"), stderr=Leaf(how="lines"))
    reference = Execution(stdout=b"out\n", stderr=b"err\n", status=0)
    result = judged(Execution(stdout=b"out\n", stderr=b"err", status=0), expect, reference=reference)
    assert result.deviations == ()
    assert (result.expected_stdout, result.expected_stderr) == ("out\n", "err\n")


@each_row
def test_what_is_shown_beside_the_output(
    judged: Judged, how: str, want: tuple[str, ...] | None, shown: str | None
) -> None:
    result = judged(Execution(stdout=b"a", status=0), Expectation(stdout=Leaf(how=how, want=want)))
    assert (result.expected_stdout, result.expected_stderr) == (shown, None)


@pytest.mark.parametrize("output", [b"", b" \n\n"])
@each_row
def test_nothing_printed_is_told_as_that(
    judged: Judged, output: bytes, how: str, want: tuple[str, ...], expected: str
) -> None:
    assert (
        message(judged, output, how=how, want=want)
        == f"Your program wrote nothing to standard output; expected: {expected}."
    )


def test_no_number_among_words(judged: Judged) -> None:
    told = message(judged, b"no solution\n", how="numbers", want=("7",))
    assert told == "There is no number in standard output; `7` is expected."


def contained(judged: Judged, right: bytes, output: bytes) -> list[str]:
    expect = Expectation(stdout=Leaf(how="contains"))
    result = judged(Execution(stdout=output, status=0), expect, reference=Execution(stdout=right, status=0))
    return [deviation.kind for deviation in result.deviations]


@each_row
def test_contains_the_reference_as_whole_words(
    judged: Judged, right: bytes, output: bytes, expected: list[str]
) -> None:
    assert contained(judged, right, output) == expected


@pytest.mark.parametrize(("right", "place"), [(b"5", b"15 "), (b"a", b"aa "), (b"-5", b"1-5 "), (b"ab" * 501, b"ab")])
def test_a_text_that_is_in_many_longer_words_is_not_looked_for_one_by_one(
    judged: Judged, right: bytes, place: bytes
) -> None:
    few, many = (count_lines(partial(contained, judged, right, place * n)) for n in (2_000, 20_000))
    assert many - few < 18_000


def test_contains_a_reference_that_writes_nothing_is_no_fault_of_the_student(judged: Judged) -> None:
    with pytest.raises(HostError, match=r"the reference writes nothing, which every text contains"):
        contained(judged, b" \n", b"x\n")
