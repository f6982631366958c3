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
from grader.core.reader.spec import load
from grader.core.yaml.nodes import in_line

HEAD = "spec: 1\nid: x\ntitle: T\nprogram: ./x\nreference: ./y\ntests:\n- name: t\n  expect: "
STDOUT: tuple[WantedPlace, str] = ("stdout", "standard output")
SLOW = "{regex: '^(a+)+$'}"


def case_of(folder: Path, expect: str) -> Case:
    (folder / "x.yaml").write_text(f"{HEAD}{expect}\n")
    return load(folder / "x.yaml").tests[0].cases[0]


def expected_of(folder: Path, written: str) -> Expected:
    stdout = case_of(folder, f"{{stdout: {written}}}").expect.stdout
    assert stdout is not None
    return stdout


BOTH = "{all: [{contains: [Total]}, {regex: '[0-9]+', about: a number}, {not: {contains: Error}}]}"
NEITHER = "{not: {any: [{contains: Error}, {regex: '^debug', about: a debug line}, {text: nothing}]}}"
SUM = "{tokens: 'Sum: 3.14, x2 of 10 (1e3)', "
ROWS: tuple[tuple[str, str, list[str]], ...] = (
    (BOTH, "Total 7\n", []),
    (BOTH, "Total\n", ["Standard output lacks what the assignment asks for: a number."]),
    (BOTH, "sum\n", ["`Total` does not occur in standard output.", "Standard output lacks what the assignment asks for: a number."]),
    (BOTH, "", ["Your program wrote nothing to standard output; expected: `Total`."]),
    (BOTH, "Total 7\nError\n", ["Standard output contains what the assignment forbids: somewhere in it, `Error`."]),
    (NEITHER, "fine\n", []),
    (NEITHER, "", []),
    (NEITHER, "a\nError\n", ["Standard output contains what the assignment forbids: somewhere in it, `Error`."]),
    (NEITHER, "debug 7\n", ["Standard output contains what the assignment forbids: a debug line."]),
    (NEITHER, "nothing", ["Standard output contains what the assignment forbids: exactly `nothing`."]),
    # What only deviates from it is not it.
    (NEITHER, "nothing\n", []),
    (NEITHER, "error\n", []),
    # `only` and `skip` are said once for all parts.
    ("{all: [{lines: [b]}, {not: {contains: a}}], skip: ^#}", "# a\nb\n", []),
    ('{all: [{any: ["a\\n", "b\\n"]}, {contains: b}]}', "b\n", []),
    ("{all: [{any: [{contains: a}, {contains: b}]}, {contains: c}]}", "d c\n", ["`a` does not occur in standard output. 2 answers are right; this is about the closest."]),
    ("{any: [{all: [{contains: a}, {contains: b}]}, {contains: c}]}", "b a\n", []),
    (SUM + "tolerance: 0.01}", "Sum:\n3.145, x2 of 10.0 (1000)", []),
    (SUM + "tolerance: 0.01}", "Sum: 3.16, x2 of 10 (1e3)", ["Word 2 of standard output is `3.16,`, expected `3.14,`."]),
    # A digit behind a letter belongs to a name.
    (SUM + "relative: 0.6}", "Sum: 3, x3 of 10 (1e3)", ["Word 3 of standard output is `x3`, expected `x2`."]),
    (SUM + "relative: 0.1}", "Sum: 3.14; x2 of 10 (1e3)", ["Word 2 of standard output is `3.14;`, expected `3.14,`."]),
    (SUM + "relative: 0.1}", "Sum: nan, x2 of 10 (1e3)", ["Word 2 of standard output is `nan,`, expected `3.14,`."]),
    ("{tokens: '1', relative: 0.5}", "1e9999999999999999999999", ["Word 1 of standard output is `1e9999999999999999999999`, expected `1`."]),
    ("{numbers: [1000, 0.001], relative: 0.01}", "1009 0.00101", []),
    ("{numbers: [1000, 0.001], relative: 0.01}", "1011 0.001", ["Number 1 of standard output is `1011`, expected `1000`."]),
    ("{numbers: [1000, 0.001], relative: 0.01, tolerance: 1}", "1000.5 0.9", []),
    ("{numbers: [-4], relative: 0.25}", "-5", []),
    ("{numbers: [-4], relative: 0.25}", "4", ["Number 1 of standard output is `4`, expected `-4`."]),
    ("{numbers: [0], relative: 0.5}", "1e-300", ["Number 1 of standard output is `1e-300`, expected `0`."]),
)  # fmt: skip
"""what is expected, what was written, and the sentences"""


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
    told = [*describe_expectation(case_of(tmp_path, f"{{stdout: {BOTH}, stderr: {NEITHER}}}").expect)]
    assert told == [
        "- Standard output: all of these: somewhere in it, `Total`; a number; (anything but this: somewhere in it, `Error`).",
        "- Standard error: none of these: somewhere in it, `Error`; a debug line; exactly `nothing`.",
    ]
    (line,) = describe_expectation(case_of(tmp_path, f"{{stdout: {SUM}relative: 1e-3, tolerance: 0.01}}}}").expect)
    assert "numbers to within 0.01 or 0.1 % of each" in line
