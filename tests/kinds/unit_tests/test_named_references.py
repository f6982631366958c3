"""Lint of unit tests that another reference answers; `scenarios/unit-tests/faults.yaml` has what these get."""

from pathlib import Path

from grader.check.runner import asking, examine
from tests.support.packages import lay
from tests.support.rows import read_data

FILES = read_data(__file__)["FILES"]


def test_each_program_is_held_against_its_own_reference(tmp_path: Path) -> None:
    lay(tmp_path, FILES)
    remarks = examine(tmp_path / "specs/words.yaml", asking("auto", 1)).remarks
    errors = [one for one in remarks if one.level == "error"]
    assert [(one.rule, one.path) for one in errors] == [("reference-differs", "tests[1].unit")]
