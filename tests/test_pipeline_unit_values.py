"""Lint of methods that share their points among values; `scenarios/unit-tests/values.yaml` has what these get."""

from pathlib import Path

import pytest

from grader.check.runner import asking, examine
from tests.support.courses import SPEC, course
from tests.support.rows import read_data

RIGHT = "def twice(value):\n    return value + value\n"
DATA = read_data(__file__)
TESTS = DATA["TESTS"]
PYTEST = DATA["PYTEST"]
UNITTEST = DATA["UNITTEST"]


@pytest.mark.slow
def test_lint_finds_nothing(tmp_path: Path) -> None:
    path = course(tmp_path, SPEC[: SPEC.index("tests:")] + TESTS, RIGHT)
    (tmp_path / "tests").mkdir()
    for name, text in {"test_twice": PYTEST, "twice": UNITTEST}.items():
        (tmp_path / f"tests/{name}.py").write_text(text)
    remarks = examine(path, asking("full", 1)).remarks
    assert {one.rule for one in remarks} <= {"unit-tests-alone", "untested-method"}
