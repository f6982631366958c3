"""Lint of methods that share their points among values; `scenarios/unit-tests/values.yaml` has what these get."""

from pathlib import Path

import pytest

from grader.check.runner import asking, examine
from tests.support.courses import SPEC, course

RIGHT = "def twice(value):\n    return value + value\n"
TESTS = """tests:
  - {name: pt, unit: {pytest: tests/test_twice.py, values: share}}
  - {name: ut, unit: {unittest: tests/twice.py, values: share, together: true}}
"""
PYTEST = """
import pytest
from echo import twice

@pytest.mark.parametrize("n", [*range(5), pytest.param(5, marks=pytest.mark.skip)])
def test_twice(n):
    assert twice(n) == 2 * n
"""
UNITTEST = """
import unittest
from echo import twice

class Twice(unittest.TestCase):
    def test_flat(self):
        for n in range(5):
            with self.subTest(n=n):
                self.assertEqual(twice(n), 2 * n)

    def test_one(self):
        self.assertTrue(twice(1))
"""


@pytest.mark.slow
@pytest.mark.usefixtures("shared_cache")
def test_lint_finds_nothing(tmp_path: Path) -> None:
    path = course(tmp_path, SPEC[: SPEC.index("tests:")] + TESTS, RIGHT)
    (tmp_path / "tests").mkdir()
    for name, text in {"test_twice": PYTEST, "twice": UNITTEST}.items():
        (tmp_path / f"tests/{name}.py").write_text(text)
    remarks = examine(path, asking("full", 1)).remarks
    assert {one.rule for one in remarks} <= {"unit-tests-alone", "untested-method"}
