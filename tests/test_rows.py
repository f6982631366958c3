"""Rows in YAML say what a test gets, and each is read by one."""

import ast
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import pytest

from grader.core.model.report import Verdict
from grader.core.model.spec import Case, Expected, Leaf
from tests.support.rows import from_data, tables

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
    ],
)
def test_what_no_row_may_say(value: Any, hint: Any) -> None:
    with pytest.raises((TypeError, KeyError, ValueError)):
        from_data(value, hint)


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_each_table_has_its_test(file: Path) -> None:
    tests = ast.parse(file.read_text()).body
    read = {
        one.name
        for one in tests
        if isinstance(one, ast.FunctionDef) and "each_row" in map(ast.unparse, one.decorator_list)
    }
    assert read == {*tables(file)}
