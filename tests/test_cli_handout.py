"""A handed-out folder works by itself: who may read it, how its spec is found, and what is never taken from it."""

import os
import shutil
from pathlib import Path

import pytest

from tests.support.classes import grader
from tests.support.courses import ECHO, course
from tests.support.rows import read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]


@pytest.fixture
def given(tmp_path: Path) -> Path:
    """Return a handed-out folder outside of its course, with a student's work in it."""
    course(tmp_path / "course", spec=SPEC)
    before = os.umask(0o022)
    try:
        done = grader(tmp_path / "course", "handout", "echo", "--public", "--out", "page/handout.md")
        assert (done.returncode, done.stderr) == (0, "")
    finally:
        os.umask(before)
    for path in (tmp_path / "course" / "handout", tmp_path / "course" / "page"):
        for part in (path, *path.rglob("*")):
            assert part.stat().st_mode & 0o777 == (0o755 if part.is_dir() else 0o644), part
    shutil.copytree(tmp_path / "course" / "handout" / "echo", tmp_path / "given")
    (tmp_path / "given" / "mine").mkdir()
    (tmp_path / "given" / "mine" / "echo.py").write_text(ECHO)
    return tmp_path / "given"


def test_a_student_grades_their_work_in_the_folder_that_they_were_given(given: Path) -> None:
    done = grader(given, "run", "mine", "--spec", "specs/echo.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    assert "full marks" in done.stdout
    page = (given.parent / "course" / "page" / "handout.md").read_text()
    assert "`names.txt`:\n\n```\nada\nbo\n```" in page
    assert "`names.txt` (version 2):\n\n```\ncy\n```" in page
    assert "`none.txt` is empty." in page
    assert "right answer" not in page
    assert "pipx install fairgrader" in page
    # Inside of the course, or of another one, it is neither this spec nor the one above.
    inside = given.parent / "course" / "given"
    given.rename(inside)
    done = grader(inside, "run", "mine", "--spec", "specs/echo.yaml")
    assert done.returncode == 2
    assert "lies inside the course" in done.stderr


def test_a_copy_beside_what_was_handed_in_has_to_be_named(given: Path) -> None:
    assert "where a spec may be a student's" in grader(given, "run", "mine").stderr
