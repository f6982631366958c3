"""`grader pytest`: a spec as tests, with no file of a submission among what pytest reads."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.courses import SPEC, course, submission
from tests.support.pytest_code import CONFIGURATIONS, EVIL, MODULES, hand_in_code, leave_this_pytest
from tests.support.rows import each_row


@pytest.fixture(autouse=True)
def at_the_course(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    leave_this_pytest(monkeypatch)
    course(tmp_path)
    monkeypatch.chdir(tmp_path)


def call(*words: str, at: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("grader")), "pytest", *words]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=100, cwd=at)


def call_pytest(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)


@pytest.mark.parametrize("between", [" ", "="])
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_nothing_of_a_submission_is_read_with_or_without_a_blank(name: str, between: str, tmp_path: Path) -> None:
    canary = hand_in_code(tmp_path, name)
    done = call("specs/echo.yaml", *f"--submission{between}echo/mallory".split(), "-k", "nothing")
    assert (done.returncode, "1 passed, 2 deselected" in done.stdout) == (0, True), done.stdout + done.stderr
    assert not canary.exists()


def test_everything_at_once_with_workers(tmp_path: Path) -> None:
    canary = hand_in_code(tmp_path, *CONFIGURATIONS)
    done = call("echo", "--submission", "echo/mallory", "-n", "2", "--junitxml", "out.xml", "--after-due")
    assert (done.returncode, "3 passed" in done.stdout, canary.exists()) == (0, True, False), done.stdout + done.stderr
    assert (tmp_path / "out.xml").exists()


def test_the_control_a_bare_pytest_with_a_blank_reads_it(tmp_path: Path) -> None:
    """What cannot be prevented: this is why there is a command."""
    canary = hand_in_code(tmp_path, "pytest.ini")
    done = call_pytest("specs/echo.yaml", "--submission", "echo/mallory")
    assert (done.returncode != 0, canary.exists()) == (True, True)


def test_a_bare_pytest_refuses_the_blank_where_it_would_do_no_harm(tmp_path: Path) -> None:
    submission(tmp_path)
    done = call_pytest("specs/echo.yaml", "--submission", "echo/alice")
    assert (done.returncode, "grader pytest SPEC --submission DIR" in done.stderr) == (4, True), done.stderr


@each_row
def test_nothing_is_run_from_inside_a_submission(words: list[str], said: str, tmp_path: Path) -> None:
    canary = hand_in_code(tmp_path, *CONFIGURATIONS)
    where = tmp_path / "echo" / "mallory"
    (where / "own.yaml").write_text(SPEC)
    done = call(*words, at=where)
    assert (done.returncode != 0, said in done.stderr, canary.exists()) == (True, True, False), done.stderr


def test_beside_the_submission_a_file_of_a_student_is_no_module(tmp_path: Path) -> None:
    canary = hand_in_code(tmp_path, *CONFIGURATIONS)
    for name in MODULES:
        (tmp_path / "echo" / name).write_text(EVIL.format(canary=str(canary)))
    done = call("../specs/echo.yaml", "--submission", "mallory", "-n", "1", at=tmp_path / "echo")
    assert (done.returncode, canary.exists()) == (0, False), done.stdout + done.stderr


def test_a_case_is_named_as_pytest_shows_it(tmp_path: Path) -> None:
    submission(tmp_path)
    done = call("specs/echo.yaml::words[1]", "--submission", "echo/alice", "-v")
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout + done.stderr
    assert "specs/echo.yaml::words[1] PASSED" in done.stdout


@each_row
def test_wrong_usage_is_told(words: list[str], said: str, tmp_path: Path) -> None:
    submission(tmp_path)
    done = call(*words)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
