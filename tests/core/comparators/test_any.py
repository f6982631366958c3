"""What is made of other comparators, `all` and `not`, a text in place of a pattern, and numbers that may be off."""
# ruff: noqa: E501 -- what is written and its sentence stand side by side

from pathlib import Path

import pytest

from grader.author.handout import describe_expectation
from grader.author.to_yaml import with_answer
from grader.core.comparators.base import WantedPlace
from grader.core.errors import HostError
from grader.core.judge.case import deviations_of, judge, no_checks, wanted_text
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Expected, Toolchain
from grader.core.reader.expectation import write_expected
from grader.core.yaml.nodes import in_line
from tests.support.courses import load_text
from tests.support.rows import read_data

ROWS = read_data(__file__)["ROWS"]
HEAD = "spec: 1\nid: x\ntitle: T\nprogram: ./x\nreference: ./y\ntests:\n- name: t\n  expect: "
STDOUT: tuple[WantedPlace, str] = ("stdout", "standard output")
SLOW = "{regex: '^(a+)+$'}"


def case_of(folder: Path, expect: str) -> Case:
    return load_text(folder, f"{HEAD}{expect}\n").tests[0].cases[0]


def expected_of(folder: Path, written: str) -> Expected:
    stdout = case_of(folder, f"{{stdout: {written}}}").expect.stdout
    assert stdout is not None
    return stdout


BOTH = "{all: [{contains: [Total]}, {regex: '[0-9]+', about: a number}, {not: {contains: Error}}]}"
NEITHER = "{not: {any: [{contains: Error}, {regex: '^debug', about: a debug line}, {text: nothing}]}}"
SUM = "{tokens: 'Sum: 3.14, x2 of 10 (1e3)', "


@pytest.mark.parametrize(("written", "output", "messages"), ROWS)
def test_it_holds_or_says_why_not(written: str, output: str, messages: list[str], tmp_path: Path) -> None:
    wanted = wanted_text(expected_of(tmp_path, written), b"", {}, STDOUT, no_checks)
    assert [deviation.message for deviation in deviations_of(output.encode(), wanted)] == messages


@pytest.mark.parametrize("written", sorted({row[0] for row in ROWS}))
def test_it_is_written_as_it_is_read(written: str, tmp_path: Path) -> None:
    expected = expected_of(tmp_path, written)
    assert expected_of(tmp_path, in_line(write_expected(expected))) == expected


@pytest.mark.parametrize("written", [f"{{not: {SLOW}}}", f"{{not: {{any: [{SLOW}, {{contains: b}}]}}}}"])
def test_what_cannot_be_decided_is_not_right_by_being_denied(
    written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.core.bounded_regex.MAX_SEARCH_SECONDS", 0.2)
    wanted = wanted_text(expected_of(tmp_path, written), b"", {}, STDOUT, no_checks)
    with pytest.raises(HostError, match="fewer repeats"):
        deviations_of(b"a" * 60 + b"!", wanted)


def test_each_part_may_ask_the_reference_and_gets_its_answer(tmp_path: Path) -> None:
    case = case_of(tmp_path, "{stdout: {all: [{lines: reference}, {not: {contains: Error}}]}}")
    assert case.asks_reference
    right = Execution(status=0, stdout=b"1\n2\n")
    frozen = with_answer(case, right)
    assert not frozen.asks_reference
    for one, answer in ((case, right), (frozen, None)):
        results = [
            judge(one, execution, answer, toolchain=Toolchain(name="any"), command="x", checks=no_checks).credit
            for execution in (right, Execution(status=0, stdout=b"1\n3\n"), Execution(status=0, stderr=b"1\n2\n"))
        ]
        assert results == [1, 0, 0]


def test_the_wrong_stream_is_named_through_the_parts(tmp_path: Path) -> None:
    case = case_of(tmp_path, f"{{stdout: {BOTH}}}")
    execution = Execution(status=0, stderr=b"Total 7\n")
    result = judge(case, execution, None, toolchain=Toolchain(name="any"), command="x", checks=no_checks)
    assert [deviation.kind for deviation in result.deviations] == ["wrong-stream"]


def test_students_read_it_in_words(tmp_path: Path) -> None:
    told = describe_expectation(case_of(tmp_path, f"{{stdout: {BOTH}, stderr: {NEITHER}}}").expect)
    assert told.splitlines() == [
        "- Standard output: all of these: somewhere in it, `Total`; a number; (anything but this: somewhere in it, `Error`).",
        "- Standard error: none of these: somewhere in it, `Error`; a debug line; exactly `nothing`.",
    ]
    told = describe_expectation(case_of(tmp_path, f"{{stdout: {SUM}relative: 1e-3, tolerance: 0.01}}}}").expect)
    assert "numbers to within 0.01 or 0.1 % of each" in told
