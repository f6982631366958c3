"""What `functions` says becomes cases; each wrong spec has every message that it must get, as in test_mistakes.py."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.errors import SpecError
from grader.core.model.spec import Case, GeneratedInput, Leaf
from grader.core.model.values import Argument
from grader.core.reader.spec import load
from grader.kinds.functions.model import (
    ExpectedOutcome,
    ExpectedValue,
    FunctionCall,
    FunctionCase,
    Parameter,
    Signature,
)
from tests.support.functions import plain
from tests.support.payloads import functions_in
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
JAVA = DATA["JAVA"]
TOP = "spec: 1\nid: x\ntitle: T\nprogram: ./x\nreference: ./y\nlanguage: {language}\ntests:\n- name: t\n"
PLACE = Signature(
    text="static void placeQueen(int[][] B, int i, int j)",
    name="placeQueen",
    parameters=(Parameter(type="int[][]", name="B"), Parameter(type="int", name="i"), Parameter(type="int", name="j")),
    returns="void",
    static=True,
)
BOARD = ((0, 0), (0, 0))
WRONG = Path(__file__).with_name("wrong.txt")
"""a test behind `TOP`, and the messages that it must get behind `!`; an empty line between two"""


def _path(folder: Path, written: str, language: str) -> Path:
    (folder / "reference").mkdir(exist_ok=True)
    (folder / "reference" / "generators.py").write_text("def placements(random): ...\n")
    (folder / "specs").mkdir(exist_ok=True)
    path = folder / "specs" / "x.yaml"
    path.write_text(TOP.format(language=language) + written)
    return path


def cases(folder: Path, written: str, language: str = "java") -> tuple[Case, ...]:
    return load(_path(folder, written, language)).tests[0].cases


def case(folder: Path, written: str, language: str = "java") -> FunctionCase:
    (only,) = cases(folder, written, language)
    return functions_in(only)


def test_each_call_is_a_case(tmp_path: Path) -> None:
    found = cases(tmp_path, JAVA + DATA["TWO_CALLS"])
    call = FunctionCall(signature=PLACE, args=(BOARD, 0, 1))
    assert [each.id for each in found] == ["t[1]", "t[2]"]
    assert functions_in(found[0]) == FunctionCase(
        within=("Queens",), calls=(call,), args={0: ExpectedValue(want=((0, 1), (0, 0)))}
    )
    assert functions_in(found[1]) == FunctionCase(
        within=("Queens",),
        calls=(replace(call, expect=ExpectedOutcome(raises="any")),),
        args={0: ExpectedValue(reference=True), 2: ExpectedValue(want=1)},
    )
    assert [each.expect.stdout for each in found] == [Leaf(how="text", want=("",)), None]
    assert [each.asks_reference for each in found] == [False, True]
    assert [each.limits for each in found] == [{"time": 1.0}] * 2


def test_calls_before_and_afterwards(tmp_path: Path) -> None:
    found = cases(tmp_path, JAVA + DATA["CALLS_AROUND"])
    first, second = (functions_in(each) for each in found)
    assert first
    assert second
    assert [call.signature.name for call in first.calls] == ["init", "placeQueen", "removeQueen"]
    assert first.calls[2].args == (Argument(position=0), 0, 1)
    assert first.args == {0: ExpectedValue(want=BOARD)}
    assert first.match == "any-case"
    assert second.calls == (second.call,)


def test_arguments_that_are_drawn_are_cases_too(tmp_path: Path) -> None:
    written = (
        JAVA + "    calls: [{generate: reference/generators.py:placements, count: 3, expect: {args: {0: reference}}}]\n"
    )
    found = cases(tmp_path, written)
    assert [each.id for each in found] == ["t[1]", "t[2]", "t[3]"]
    draws = [functions_in(each).generated_input for each in found]
    seed = "x static void placeQueen(int[][] B, int i, int j) reference/generators.py:placements"
    assert draws == [
        GeneratedInput(function="reference/generators.py:placements", seed=seed, index=index) for index in range(3)
    ]


def test_the_file_of_a_generator_counts_in_the_digest(tmp_path: Path) -> None:
    path = _path(
        tmp_path,
        JAVA + "    calls: [{generate: reference/generators.py:placements, expect: {args: {0: reference}}}]\n",
        "java",
    )
    before = load(path).digest
    (tmp_path / "reference" / "generators.py").write_text("def placements(random): yield\n")
    assert load(path).digest != before


@each_row
def test_values(written: str, value: object, tmp_path: Path) -> None:
    value = plain(value)
    functions = "in: four, declare: 'def f(a)', calls: [{args: [WRITTEN], expect: {returns: WRITTEN}}]"
    found = case(
        tmp_path,
        f"  each: {{n: [2], mode: [verbose]}}\n  functions: {{{functions.replace('WRITTEN', written)}}}\n",
        "python",
    )
    assert found.call.args == (value,)
    assert found.call.expect.returns == ExpectedValue(want=value)
    assert type(found.call.args[0]) is type(value)


def test_functions_in_a_case_are_instead_of_those_of_the_test(tmp_path: Path) -> None:
    functions = "functions: {{in: {0}, declare: void f(), calls: [{{expect: {{stdout: ''}}}}]}}"
    found = cases(tmp_path, f"  {functions.format('A')}\n  cases: [{{}}, {{{functions.format('B')}}}]\n")
    assert [(each.id, functions_in(each).within) for each in found] == [
        ("t[1][1]", ("A",)),
        ("t[2][1]", ("B",)),
    ]


@pytest.mark.parametrize("block", WRONG.read_text(encoding="utf-8").rstrip("\n").split("\n\n"))
def test_every_mistake_is_told_once(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = block.split("\n")
    written = "".join(f"{line}\n" for line in lines if not line.startswith("! "))
    path = _path(tmp_path, written, "java")
    monkeypatch.chdir(path.parent)
    with pytest.raises(SpecError) as raised:
        load(Path("x.yaml"))
    messages = [line.replace("! ", "x.yaml:") for line in lines if line.startswith("! ")]
    assert sorted(str(raised.value).splitlines()) == sorted(messages)


@each_row
def test_names_and_types_of_headings(language: str, within: str, message: str, tmp_path: Path) -> None:
    written = f"  functions: {{in: a.c, {within}, calls: [{{args: [1], expect: {{returns: 1}}}}]}}\n"
    with pytest.raises(SpecError) as raised:
        load(_path(tmp_path, written, language))
    found = [f"{one.path.removeprefix('tests[0].functions.')}: {one.message}" for one in raised.value.problems]
    assert message in found


def test_in_other_languages_there_are_no_functions(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="functions can be called in java, python, c, cpp and javascript only"):
        cases(tmp_path, "  functions: {in: a}\n", "prolog")


def test_values_of_the_reference_need_one(tmp_path: Path) -> None:
    path = _path(
        tmp_path, JAVA + "    calls: [{args: [[], 1, 1], expect: {raises: reference, args: {0: reference}}}]\n", "java"
    )
    path.write_text(path.read_text().replace("reference: ./y\n", ""))
    with pytest.raises(SpecError) as raised:
        load(path)
    assert [problem.path.rpartition("expect.")[2] for problem in raised.value.problems] == ["raises", "args.0"]
