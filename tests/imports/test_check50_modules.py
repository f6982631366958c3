"""Checks that take those of other problems, compile by a command, and read files in the end."""

from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.imports import Written, write_assignment
from grader.imports.check50 import import_check50
from tests.support.packages import lay
from tests.support.rows import read_data

DATA = read_data(__file__)
MORE = DATA["MORE"]


def imported(folder: Path, files: dict[str, str], problem: str = "more") -> Written:
    return write_assignment(import_check50(lay(folder / "problems", files) / problem), folder / "course")


def test_a_problem_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="put that folder there"):
        imported(tmp_path, {"more/.cs50.yml": "check50: true\n", "more/__init__.py": MORE})
    again = {"more/.cs50.yml": "check50: true\n", "more/__init__.py": MORE.replace("../less", "../more")}
    with pytest.raises(UsageError, match="cannot be followed"):
        imported(tmp_path / "again", again)
