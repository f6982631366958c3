"""Rows in YAML say what a test gets, and each is read by one."""

import ast
from pathlib import Path

import pytest
import yaml

from tests.support.rows import Loader, tables

FILES = [path for path in Path(__file__).parent.rglob("test_*.py") if "\n@each_row\n" in path.read_text()]


@pytest.mark.parametrize("text", ["a: 1\na: 2\n", "- {b: [{a: x, a: x}]}\n"])
def test_no_key_is_there_twice(text: str) -> None:
    with pytest.raises(ValueError, match=r"line .: a is there twice"):
        yaml.load(text, Loader)  # noqa: S506  (it is safe)


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_each_table_has_its_test(file: Path) -> None:
    tests = ast.parse(file.read_text()).body
    read = {
        one.name
        for one in tests
        if isinstance(one, ast.FunctionDef) and "each_row" in map(ast.unparse, one.decorator_list)
    }
    assert read == {*tables(file)}
