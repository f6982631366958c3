"""Fields that are set before a call, and returned texts that need not be equal to one."""

from pathlib import Path

import pytest

from grader.core.errors import SpecError
from grader.core.reader.spec import load
from grader.kinds.functions.headings import java_field, python_field
from grader.kinds.functions.model import ExpectedValue, FunctionCall, FunctionCase, Parameter, Signature
from tests.support.functions import plain
from tests.support.payloads import functions_in
from tests.support.rows import each_row

TOP = "spec: 1\nid: x\ntitle: T\nprogram: ./x\nreference: ./y\nlanguage: {language}\ntests:\n- name: t\n"
QUEENS = TOP.format(language="java") + "  functions:\n    in: Queens\n    declare: String nc(int a)\n"
POSITIONS = Signature(
    text="int[] queenPos", name="queenPos", parameters=(Parameter(type="int[]", name="queenPos"),), returns="void"
)


def _load(folder: Path, written: str) -> FunctionCase:
    (folder / "checks.py").write_text("def shown(output): ...\n")
    path = folder / "x.yaml"
    path.write_text(written)
    ((only,),) = [test.cases for test in load(path).tests]
    return functions_in(only)


def _mistakes(folder: Path, written: str) -> list[str]:
    with pytest.raises(SpecError) as raised:
        _load(folder, written)
    return [
        f"{problem.path.removeprefix('tests[0].functions.')}: {problem.message}" for problem in raised.value.problems
    ]


@each_row
def test_a_field_of_java(text: str, type_: str, name: str, static: bool) -> None:  # noqa: FBT001 - a column
    read = java_field(text)
    assert read
    assert (read.name, read.parameters, read.static) == (name, (Parameter(type=type_, name=name),), static)


@pytest.mark.parametrize("text", ["", "queenPos", "int[] a, b", "int[] f()", "int[] a = {}", "int 8"])
def test_no_field_of_java(text: str) -> None:
    assert java_field(text) is None


def test_a_variable_of_python() -> None:
    assert python_field(" queenPos ") == Signature(
        text="queenPos", name="queenPos", parameters=(Parameter(type="", name="queenPos"),)
    )
    assert python_field("queen Pos") is None


def test_fields_are_set_among_the_calls(tmp_path: Path) -> None:
    case = _load(
        tmp_path,
        QUEENS
        + """\
    before: [{field: "int[] queenPos", value: [0, 4, 2]}]
    calls:
      - {args: [1], then: [{field: "int[] queenPos", value: {zeros: [2]}}], expect: {returns: a}}
""",
    )
    assert case.calls[:1] == (FunctionCall(signature=POSITIONS, args=((0, 4, 2),), sets=True),)
    assert case.calls[2:] == (FunctionCall(signature=POSITIONS, args=((0, 0),), sets=True),)


@each_row
def test_fields_that_cannot_be_set(before: str, mistake: str, tmp_path: Path) -> None:
    calls = "    calls: [{args: [1], expect: {returns: a}}]\n"
    assert _mistakes(tmp_path, f"{QUEENS}    before: [{before}]\n{calls}") == [mistake]


@each_row
def test_a_returned_text_can_be_compared(returns: str, expected: ExpectedValue, tmp_path: Path) -> None:
    expected = plain(expected)
    case = _load(tmp_path, f"{QUEENS}    calls: [{{args: [1], expect: {{returns: {returns}}}}}]\n")
    assert case.call.expect.returns == expected


def test_a_comparator_with_a_mistake(tmp_path: Path) -> None:
    calls = "    calls: [{args: [1], expect: {returns: {numbers: [x]}}}]\n"
    (mistake,) = _mistakes(tmp_path, QUEENS + calls)
    assert mistake == 'calls[0].expect.returns.numbers[0]: wanted a number, found "x"'
