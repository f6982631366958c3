"""Which assertions pytest rewrites for a run: not those of other tests, which take as long as all else together."""

import ast
from typing import Any

from grader.kinds.harness.host import python_driver

SOURCE = """
import pytest
@pytest.fixture
def tested(): assert 1
def helper(): assert 2
def test_asked(tested): assert 3
def test_called(): assert 4
def test_other(): test_called()
class TestIt:
    def test_asked(self): assert 5
    async def test_late(self): assert 6
"""


def rewritten(path: str) -> list[int]:
    driver = dict[str, Any]()
    exec(python_driver("unit"), driver)  # noqa: S102 - it is ours
    seen = list[ast.Assert]()

    def rewrite_asserts(tree: ast.AST, *_more: object) -> None:
        seen.extend(node for node in ast.walk(tree) if isinstance(node, ast.Assert))

    tree = ast.parse(SOURCE)
    before = ast.dump(tree)
    driver["_rewriting_only"]({"test_asked"}, "test_it.py", rewrite_asserts)(tree, SOURCE.encode(), path, None)
    assert ast.dump(tree) == before
    return sorted(ast.literal_eval(node.test) for node in seen)


def test_other_tests_are_left_as_they_are_unless_something_calls_them() -> None:
    assert rewritten("test_it.py") == [1, 2, 3, 4, 5]


def test_files_beside_it_are_rewritten_whole() -> None:
    assert rewritten("conftest.py") == [1, 2, 3, 4, 5, 6]
