"""What `make mutants` changes, and that its list of equivalent ones is of mutants that there are."""

import ast
import gc
import sys
from pathlib import Path
from typing import Any

import yaml

from tests.support.rows import each_row

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "bench"))

import mutants  # noqa: E402
from mutant_groups import GROUPS  # noqa: E402
from mutations import mutants_of  # noqa: E402


@each_row
def test_what_is_changed_in_a_line(line: str, changes: list[str], tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(f'def f(a: int = b) -> int:\n    """Say 1."""\n    {line}\n')
    tree = ast.parse(path.read_text())
    before = ast.dump(tree)
    found = mutants_of(path, tree)
    assert [one.change for one in found] == changes
    assert {(one.line, one.text) for one in found} <= {(3, line)}
    own = compile(tree, str(path), "exec")
    assert all(one.compiled(tree) != own for one in found)
    assert ast.dump(tree) == before


def test_only_the_functions_that_are_named_are_changed(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("x = 1\n\ndef f():\n    return 1\n\nclass A:\n    def g(self):\n        return 1\n")
    assert [one.line for one in mutants_of(path, ast.parse(path.read_text()), frozenset({"g"}))] == [8, 8, 8]


def test_functions_are_found_also_where_they_are_frozen() -> None:
    """Without them no mutant changes anything, and all of them survive."""
    gc.freeze()
    found = mutants._functions_of({mutants.__file__})
    assert "_functions_of" in {name for _, name, _ in found}


def test_what_a_module_makes_once_is_imported_anew(tmp_path: Path) -> None:
    """The code of a comprehension outside of functions is gone when it has made its table."""
    path = tmp_path / "module.py"
    path.write_text("def f():\n    return {one: 1 for one in g()}\n\nTABLE = {one: 2 for one in f()}\n")
    tree = ast.parse(path.read_text())
    there: Any = {(str(path), "f", 1): [test_what_a_module_makes_once_is_imported_anew]}
    changed = {one.change: mutants._replacements(one, tree, there) for one in mutants_of(path, tree)}
    assert changed["2 -> 3"] is None
    assert changed["1 -> 2"]


def test_modules_functions_and_tests_of_the_groups_are_there() -> None:
    for group in GROUPS:
        for name, functions in group.modules.items():
            there = {getattr(node, "name", "") for node in ast.walk(ast.parse((ROOT / name).read_text()))}
            assert set(functions) <= there, name
        named = [test.partition("::")[0] for test in (*group.tests, *group.ignored)]
        assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_equivalent_mutant_is_of_a_module_that_is_changed_and_has_a_reason() -> None:
    changed = {name for group in GROUPS for name in group.modules}
    listed = yaml.safe_load(mutants.EQUIVALENT.read_text())
    assert {one["file"] for one in listed} <= changed
    assert all(len(one["why"]) > 10 for one in listed)
