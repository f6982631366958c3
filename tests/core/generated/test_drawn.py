from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.model.spec import Case, Spec
from grader.core.reader.spec import read
from tests.support.courses import SPEC
from tests.support.packages import lay
from tests.support.payloads import functions_in
from tests.support.rows import read_data

DATA = read_data(__file__)
EACH = DATA["EACH"]
TOP = SPEC[: SPEC.index("  - name: words")]


def spec(tests: str, root: Path, seed: str = "") -> Spec:
    return read((TOP + tests).encode(), "x.yaml", root, seed=seed)


def cases(tests: str, root: Path, seed: str = "") -> list[Case]:
    return [case for test in spec(tests, root, seed).tests for case in test.cases]


TWO = "  - {name: t, args: [-v, {random: 1..6, count: 8}, {random: 1..6}], expect: reference}\n"


def test_arguments_are_drawn_and_no_case_is_there_twice(tmp_path: Path) -> None:
    found = cases(TWO, tmp_path)
    assert [case.id for case in found] == [f"t[#{number}]" for number in range(1, 9)]
    assert len({case.args for case in found}) == 8
    assert all(case.args[0] == "-v" and all(word in "123456" for word in case.args[1:]) for case in found)
    assert all(tuple(str(one.value) for one in case.generated_numbers) == case.args[1:] for case in found)
    assert {(one.name, one.low, one.high) for one in found[0].generated_numbers} == {
        ("args[1]", 1, 6),
        ("args[2]", 1, 6),
    }


def test_variables_are_drawn_and_their_values_are_in_no_name(tmp_path: Path) -> None:
    found = cases(EACH, tmp_path)
    assert [case.id for case in found[:3]] == ["t[n=#1,mode=a]", "t[n=#1,mode=b]", "t[n=#2,mode=a]"]
    assert sorted({int(case.stdin) for case in found}) == [-3, -2, -1, 0, 1, 2, 3]
    assert all(str(case.generated_numbers[0].value).encode() == case.stdin for case in found)


@pytest.mark.parametrize("tests", [TWO, EACH])
def test_another_seed_draws_something_else_and_the_same_one_the_same(tests: str, tmp_path: Path) -> None:
    public, first, again, other = (cases(tests, tmp_path, seed) for seed in ("", "s", "s", "other"))
    assert first == again
    assert len({repr(found) for found in (public, first, other)}) == 3
    assert [case.id for case in first] == [case.id for case in other]


def test_another_place_in_the_file_draws_the_same(tmp_path: Path) -> None:
    before = "  - {name: before, args: [{random: 1..6, count: 2}], expect: reference}\n"
    moved = [replace(case, path="tests[0]") for case in cases(before + TWO, tmp_path, "s")[2:]]
    assert moved == cases(TWO, tmp_path, "s")


def test_a_variable_may_stand_wherever_one_can(tmp_path: Path) -> None:
    called, printed = cases(DATA["VARIABLES"], tmp_path)
    assert functions_in(called) is not None
    assert functions_in(called).call.args == (called.generated_numbers[0].value,)
    assert printed.expect.stdout is not None
    assert printed.expect.stdout.leaves[0].want == (str(printed.generated_numbers[0].value),)


def test_what_is_drawn_is_where_it_is_written(tmp_path: Path) -> None:
    found = spec(DATA["LIST"], tmp_path)
    assert {case.id: case.path for test in found.tests for case in test.cases} == {
        **{f"t[1][#{number}]": "tests[0].cases[0]" for number in (1, 2, 3)},
        "t[2]": "tests[0].cases[1]",
        "u[#1]": "tests[1]",
        "u[#2]": "tests[1]",
    }


def test_what_is_generated_is_left_until_it_is_run(tmp_path: Path) -> None:
    lay(tmp_path / "reference", {"make.py": "def text(random): ...\n", "words.txt": "beside it\n"})
    one, two = cases(DATA["GENERATED"], tmp_path)
    assert (one.stdin, one.files, two.id) == (b"", {"a.txt": b"", "b.txt": b"b"}, "t[#2]")
    assert one.generated_inputs.keys() == {"stdin", "files.a.txt"}
    program, function = one.generated_inputs["stdin"], one.generated_inputs["files.a.txt"]
    assert program.files.keys() == {"reference/make.py", "reference/words.txt"}
    assert (program.shrinks, function.shrinks, function.files) == (True, False, {})
    assert program.seed != function.seed
    assert (program.index, two.generated_inputs["stdin"].index) == (0, 1)
