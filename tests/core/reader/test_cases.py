from pathlib import Path

import pytest

from grader.core.errors import SpecError
from grader.core.model.spec import Case, Expectation, Leaf, Repeat, Test
from tests.support.courses import load_text
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
DEFAULTS = DATA["DEFAULTS"]
TOP = "spec: 1\nid: x\ntitle: T\nprogram: ./x\nreference: ./y\n"


def _tests(written: str, folder: Path, top: str = TOP) -> tuple[Test, ...]:
    return load_text(folder, f"{top}tests:\n{written}").tests


def _cases(written: str, folder: Path, top: str = TOP) -> tuple[Case, ...]:
    (test,) = _tests(f"- name: t\n  expect: {{exit: 0}}\n{written}", folder, top)
    return test.cases


@each_row
def test_the_names_of_cases(written: str, ids: list[str], tmp_path: Path) -> None:
    assert [case.id for case in _cases(written, tmp_path)] == ids


def test_two_names_that_become_one_are_a_duplicate(tmp_path: Path) -> None:
    message = r"x\.yaml:10:15: tests\[0\]\.env\.\{n\}: this key is here twice, first in line 10: keep one"
    with pytest.raises(SpecError, match=message):
        _cases("  each: {n: [A]}\n  env: {A: x, '{n}': y}\n", tmp_path)


@each_row
def test_the_way_of_a_case_is_the_last_that_is_written(
    test: str,
    case: str,
    terminal: bool,  # noqa: FBT001 - a parameter of the table
    both: bool,  # noqa: FBT001 - a parameter of the table
    tmp_path: Path,
) -> None:
    (one,) = _cases(f"  {test}\n  cases:\n    - {{{case}}}\n", tmp_path)
    assert (one.terminal, one.both) == (terminal, both)


@each_row
def test_a_case_is_repeated_as_was_written_last(top: str, test: str, case: str, repeat: Repeat, tmp_path: Path) -> None:
    (one,) = _cases(f"  {test or 'args: []'}\n  cases:\n    - {{{case}}}\n", tmp_path, TOP + top)
    assert one.repeat == repeat


@each_row
def test_what_is_read_of_tests(top: str, written: str, tests: tuple[Test, ...], tmp_path: Path) -> None:
    assert _tests(written, tmp_path, TOP + top) == tests


@pytest.mark.slow
def test_ten_thousand_cases_are_allowed(tmp_path: Path) -> None:
    assert len(_cases("  each: {n: 1..100, m: 1..100}\n  args: ['{n}', '{m}']\n", tmp_path)) == 10_000


def test_a_mistake_in_one_value_of_a_variable_is_found(tmp_path: Path) -> None:
    with pytest.raises(SpecError) as raised:
        _cases("  each: {name: [a, b, /c, ../d]}\n  files: {'{name}': ''}\n", tmp_path)
    assert len(raised.value.problems) == 1
    assert raised.value.problems[0].path == "tests[0].files.{name}"


USUAL = Case(
    id="t",
    path="tests[0]",
    command=("./ask",),
    args=("a",),
    stdin=b"all",
    env={"LANG": "C", "TERM": "dumb"},
    files={"in.txt": b"1", "out.txt": b""},
    both=True,
    expect=Expectation(stderr=Leaf(how="text", want=("",)), exit="success"),
)
"""what the defaults of the course make of a case that says nothing"""


@each_row
def test_a_case_has_the_defaults_that_it_does_not_replace(written: str, case: Case, tmp_path: Path) -> None:
    ((found,),) = (one.cases for one in _tests(written, tmp_path, TOP + DEFAULTS))
    assert found == case


def test_calls_and_dialogues_have_the_defaults_that_they_can_use(tmp_path: Path) -> None:
    top = TOP + "language: python\n" + DEFAULTS.replace("  run: both\n", "")
    ((call, said),) = (test.cases for test in _tests(DATA["CALL_AND_DIALOGUE"], tmp_path, top))
    assert (call.command, call.args, call.stdin, call.env["LANG"]) == (None, (), b"all", "C")
    assert (said.command, said.args, said.stdin, said.expect.exit) == (("./ask",), ("a",), b"", "success")
