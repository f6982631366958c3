"""Results are not written through links that are in their way, whoever made them and wherever they lead."""

import os
from pathlib import Path

import pytest

from tests.support.classes import grader
from tests.support.courses import course, submission
from tests.support.packages import lay

STRANGER = 4711
KEPT = "theirs\n"
is_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make what belongs to another user")


@pytest.fixture
def laid_out(tmp_path: Path) -> Path:
    """Return a course with one submission, and beside it a folder and a file that nobody may change."""
    course(tmp_path / "work")
    submission(tmp_path / "work", "alice")
    lay(tmp_path / "victim", {"file": KEPT})
    return tmp_path / "work"


def link(place: Path, target: Path, owner: int | None = None) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)
    if owner:
        os.lchown(place, owner, owner)


def is_untouched(victim: Path) -> bool:
    return [path.name for path in victim.iterdir()] == ["file"] and (victim / "file").read_text() == KEPT


def call(work: Path, command: str) -> tuple[int, str]:
    done = grader(work, command, "echo/alice" if command == "run" else "echo", "--spec", "specs/echo.yaml")
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


@pytest.mark.parametrize("target", ["", "missing", "file"])
@pytest.mark.parametrize("command", ["run", "class"])
def test_a_link_in_place_of_a_student_s_folder_is_refused(command: str, target: str, laid_out: Path) -> None:
    link(laid_out / "reports/echo/alice", laid_out.parent / "victim" / target)
    code, told = call(laid_out, command)
    assert code == 3
    assert "reports/echo/alice is a link: remove it, reports are not written through links" in told
    assert is_untouched(laid_out.parent / "victim")


def test_nothing_is_tidied_behind_a_link(laid_out: Path) -> None:
    link(laid_out / "reports/echo/alice", laid_out.parent / "victim")
    left = laid_out.parent / "victim" / f".report.json.{'0' * 16}"
    left.touch()
    assert call(laid_out, "class")[0] == 3
    assert left.exists()


FILES = {
    "run": ["report.json", "feedback.md", "feedback.html", "junit.xml"],
    "class": ["report.json", "feedback.html", "../index.html", "../grades.csv", "../summary.md", "../junit.xml"],
}


@pytest.mark.parametrize("target", ["file", "missing", ""])
@pytest.mark.parametrize("command", FILES)
def test_a_link_in_place_of_a_file_is_replaced(command: str, target: str, laid_out: Path) -> None:
    places = [Path(os.path.normpath(laid_out / "reports/echo/alice" / name)) for name in FILES[command]]
    for place in places:
        link(place, laid_out.parent / "victim" / target)
    assert call(laid_out, command) == (0, "")
    assert is_untouched(laid_out.parent / "victim")
    assert [place.name for place in places if place.is_symlink() or not place.is_file()] == []


@pytest.mark.parametrize("target", ["file", "missing", ""])
@pytest.mark.parametrize("name", ["grades.db", "grades.lock", "grades.db-wal", "grades.db-shm", "grades.db-journal"])
def test_a_link_in_place_of_the_store_is_not_written_through(name: str, target: str, laid_out: Path) -> None:
    link(laid_out / "reports/echo" / name, laid_out.parent / "victim" / target)
    code, _ = call(laid_out, "class")
    assert code in {0, 2, 3}
    assert is_untouched(laid_out.parent / "victim")


@pytest.mark.parametrize("target", ["missing", "file"])
@pytest.mark.parametrize("place", ["reports", "reports/echo"])
@pytest.mark.parametrize("command", ["run", "class"])
def test_a_link_that_leads_to_no_folder_is_refused(command: str, place: str, target: str, laid_out: Path) -> None:
    link(laid_out / place, laid_out.parent / "victim" / target)
    code, told = call(laid_out, command)
    assert code == 3
    assert told
    assert is_untouched(laid_out.parent / "victim")


@is_root
@pytest.mark.parametrize("target", ["", "missing"])
@pytest.mark.parametrize("place", ["reports", "reports/echo"])
@pytest.mark.parametrize("owner", [0, STRANGER])
@pytest.mark.parametrize("command", ["run", "class"])
def test_a_stranger_s_link_is_refused_in_a_folder_of_theirs_too(
    command: str, owner: int, place: str, target: str, laid_out: Path
) -> None:
    link(laid_out / place, laid_out.parent / "victim" / target, STRANGER)
    os.chown((laid_out / place).parent, owner, owner)
    code, told = call(laid_out, command)
    assert code == 2
    assert "is a link that another user made; choose another folder" in told
    assert is_untouched(laid_out.parent / "victim")


@pytest.mark.parametrize("place", ["reports", "reports/echo"])
def test_a_link_in_the_work_that_is_graded_is_refused(place: str, laid_out: Path) -> None:
    alice = laid_out / "echo" / "alice"
    link(alice / place, laid_out.parent / "victim")
    done = grader(alice, "run", alice, "--spec", laid_out / "specs/echo.yaml")
    assert done.returncode == 2
    assert "reports may not lie in what was handed in" in done.stderr
    assert is_untouched(laid_out.parent / "victim")


@pytest.mark.parametrize("place", ["reports", "reports/echo"])
def test_an_own_link_to_a_folder_is_followed(place: str, laid_out: Path) -> None:
    (laid_out.parent / "disk").mkdir()
    link(laid_out / place, laid_out.parent / "disk")
    assert call(laid_out, "run") == (0, "")
    assert len([*(laid_out.parent / "disk").rglob("report.json")]) == 1
