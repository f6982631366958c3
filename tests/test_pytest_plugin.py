"""The plugin, in processes of pytest of its own, as a course's CI runs them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import etree

from tests.support.command_rows import AtCourse, check_commands
from tests.support.courses import SPEC, course, submission
from tests.support.pytest_code import CONFIGURATIONS, hand_in_code, leave_this_pytest
from tests.support.rows import each_row

STDERR = "import sys\nprint(*sys.argv[1:], file=sys.stderr if len(sys.argv) > 2 else sys.stdout)\n"


@pytest.fixture(autouse=True)
def at_the_course(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    leave_this_pytest(monkeypatch)
    monkeypatch.setenv("PYTEST_DEBUG_TEMPROOT", str(tmp_path))  # or it removes folders of earlier runs, for a minute
    monkeypatch.chdir(tmp_path)


def call(*words: str) -> subprocess.CompletedProcess[str]:
    others = () if "-n" in words else ("-p", "no:xdist", "-p", "no:hypothesispytest")  # they take a third of the time
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *others, *words]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)


def grade(*words: str) -> subprocess.CompletedProcess[str]:
    return call("specs/echo.yaml", "--submission=echo/alice", *words)


@each_row
def test_pytest_grades_the_cases_of_a_spec(tmp_path: Path, given: AtCourse) -> None:
    check_commands(given, tmp_path, lambda _pytest, *words: call(*words))


def test_workers_and_junit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course(tmp_path)
    submission(tmp_path, program=STDERR)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    done = grade("-n", "2", "--junitxml", "out.xml")
    assert not list((tmp_path / "tmp").glob("grader-*")), "what was built is left"
    assert "1 failed, 1 passed, 1 skipped" in done.stdout
    cases = {case.get("name"): case for case in etree.parse(tmp_path / "out.xml").iter("testcase")}
    assert sorted(cases) == ["nothing", "words[1]", "words[2]"]
    failure = cases["words[2]"].find("failure")
    assert failure is not None
    assert "partial: The text is right" in failure.get("message", "")
    assert cases["nothing"].find("skipped") is not None


def test_hostile_output_reaches_no_log(tmp_path: Path) -> None:
    expected = ("reference", '{stdout: ""}', "{stdout: {contains: x}}", "{exit: 3}")
    tests = (
        f"  - name: words{number}\n    points: 1\n    args: [a]\n    expect: {expect}\n"
        for number, expect in enumerate(expected)
    )
    course(tmp_path, SPEC.partition("tests:\n")[0] + "tests:\n" + "".join(tests))
    hostile = "\x1b[31m\n  ::error::y\n##[error]z\n"
    submission(tmp_path, program=f"import sys\nsys.stderr.write({hostile!r})\nprint({hostile!r})\nraise ValueError\n")
    done = grade()
    assert "4 failed" in done.stdout
    assert "\x1b[31m" not in done.stdout
    assert not re.search(r"(?m)^\s*::|##\[", done.stdout)


@each_row
def test_a_spec_without_a_submission_is_told_what_to_add(name: str, text: str, said: str, tmp_path: Path) -> None:
    course(tmp_path)
    (tmp_path / "specs" / name).write_text(text)
    done = call(f"specs/{name}")
    assert (done.returncode, said in done.stdout + done.stderr) == (4, True), done.stdout + done.stderr


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_as_documented_nothing_of_a_submission_is_configuration(name: str, tmp_path: Path) -> None:
    course(tmp_path)
    canary = hand_in_code(tmp_path, name)
    done = call("specs/echo.yaml", "--submission=echo/mallory")
    assert (done.returncode, "3 passed" in done.stdout) == (0, True), done.stdout
    assert not canary.exists()


def test_a_submission_named_without_an_equals_sign_runs_none_of_its_code(tmp_path: Path) -> None:
    course(tmp_path)
    canary = hand_in_code(tmp_path, "pytest.ini")
    (tmp_path / "echo" / "mallory" / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
    done = call("specs/echo.yaml", "--submission", "echo/mallory")
    assert (done.returncode, canary.exists()) == (4, False), done.stdout
    assert "--submission=DIR" in done.stderr


@pytest.mark.parametrize("words", [["."], ["test_evil.py"], ["../../specs/echo.yaml"], []])
def test_nothing_is_run_from_inside_a_submission(words: list[str], tmp_path: Path) -> None:
    course(tmp_path)
    canary = hand_in_code(tmp_path)
    script = [str(Path(sys.executable).with_name("pytest")), "-p", "no:cacheprovider", *words, "--submission=."]
    where = tmp_path / "echo" / "mallory"
    done = subprocess.run(script, check=False, capture_output=True, text=True, timeout=100, cwd=where)
    assert (done.returncode, canary.exists()) == (4, False), done.stdout
    assert "lies in the submission" in done.stderr
