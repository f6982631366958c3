"""Rows in YAML say what a test gets, and each is read by one."""

import ast
import re
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import pytest
import yaml

from grader.core.model.report import Verdict
from grader.core.model.spec import Case, Expected, Leaf
from tests.support.rows import Loader, each_row, from_data, tables

FILES = [path for path in Path(__file__).parent.rglob("test_*.py") if "\n@each_row\n" in path.read_text()]


@pytest.mark.parametrize(
    ("value", "hint", "read"),
    [
        ("\uefff", bytes, b"\xff"),
        (["a", ["b", 3]], bytes, b"abbb"),
        ("1/3", Fraction, Fraction(1, 3)),
        ("passed", Verdict, Verdict.PASSED),
        ({"id": "a", "weight": 2}, Case, Case(id="a", weight=Fraction(2))),
        ((Leaf, {"how": "text", "want": ["a"]}), Expected | None, Leaf(how="text", want=("a",))),
        (["a", 1], tuple[str, int], ("a", 1)),
    ],
)
def test_what_a_row_says(value: Any, hint: Any, read: Any) -> None:
    assert from_data(value, hint) == read


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (None, str),
        (1, str),
        ("wrong", list[str]),
        (["a"], tuple[str, int]),
        ({"id": "a", "wait": 2}, Case),
        (0.1, Fraction),
        (True, int),
        ("x", Literal["y"]),
        ("x", Path),
    ],
)
def test_what_no_row_may_say(value: Any, hint: Any) -> None:
    with pytest.raises((TypeError, KeyError, ValueError)):
        from_data(value, hint)


@pytest.mark.parametrize("text", ["a: 1\na: 2\n", "- {b: [{a: x, a: x}]}\n"])
def test_no_key_is_there_twice(text: str) -> None:
    with pytest.raises(ValueError, match=r"line .: a is there twice"):
        yaml.load(text, Loader)  # noqa: S506  (it is safe)


def test_a_row_of_another_type_is_named(tmp_path: Path) -> None:
    (tmp_path / "numbers.yaml").write_text("test_numbers:\n- {a: 1}\n- {a: x}\n")
    code = compile("def test_numbers(a: int) -> None: ...", str(tmp_path / "test_numbers.py"), "exec")
    there: dict[str, Any] = {"__name__": "test_numbers"}
    exec(code, there)  # noqa: S102
    with pytest.raises(TypeError) as raised:
        each_row(there["test_numbers"])
    assert raised.value.__notes__ == ["test_numbers, line 3: a"]


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_each_table_has_its_test_and_nothing_stays_behind_when_rows_become_data(file: Path) -> None:
    text, data = file.read_text(), file.with_name(f"{file.stem.removeprefix('test_')}.yaml").read_text()
    tree = ast.parse(text)
    read = {
        one.name
        for one in tree.body
        if isinstance(one, ast.FunctionDef) and "each_row" in map(ast.unparse, one.decorator_list)
    }
    assert read == {*tables(file)}
    names = [one for one in ast.walk(tree) if isinstance(one, ast.Name) and one.id.isupper()]
    loaded = {one.id for one in names if isinstance(one.ctx, ast.Load)}.union(re.findall(r"!(\w+)", data))
    assert {one.id for one in names} <= loaded, "names that nothing reads"
    keys = re.findall(r"(?m)^(?!test_)(\w+):", data)
    assert [key for key in keys if len(re.findall(rf"\b{key}\b", text + data)) == 1] == [], "data that nothing reads"
