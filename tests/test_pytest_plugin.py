"""The plugin, in processes of pytest of its own, as a course's CI runs them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import etree

from tests.support.courses import SPEC, course, submission
from tests.support.rows import each_row

STDERR = "import sys\nprint(*sys.argv[1:], file=sys.stderr if len(sys.argv) > 2 else sys.stdout)\n"
HIDDEN = SPEC.replace("  - name: nothing", "  - name: nothing\n    visibility: after-due").replace("[words]", "[]")
WRONG = "import sys\nprint(*sys.argv[1:], end='\\n' if sys.argv[1:] else 'WRONG')\n"


pytestmark = pytest.mark.usefixtures("shared_cache")


@pytest.fixture(autouse=True)
def at_the_course(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.setenv("PYTEST_DEBUG_TEMPROOT", str(tmp_path))  # or it removes folders of earlier runs, for a minute
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_XDIST_TESTRUNUID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def call(*words: str) -> subprocess.CompletedProcess[str]:
    others = () if "-n" in words else ("-p", "no:xdist", "-p", "no:hypothesispytest")  # they take a third of the time
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *others, *words]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)


def grade(*words: str) -> subprocess.CompletedProcess[str]:
    return call("specs/echo.yaml", "--submission=echo/alice", *words)


def test_a_right_submission_passes(tmp_path: Path) -> None:
    course(tmp_path)
    submission(tmp_path)
    done = grade("-v")
    assert (done.returncode, done.stderr) == (0, "")
    for item in ("words[1]", "words[2]", "nothing"):
        assert f"specs/echo.yaml::{item} PASSED" in done.stdout
    assert "submission: echo/alice" in done.stdout


def test_a_failure_is_the_sentence_and_what_needs_it_is_skipped(tmp_path: Path) -> None:
    course(tmp_path)
    submission(tmp_path, program=STDERR)
    done = grade("-rs")
    assert done.returncode == 1
    assert "1 failed, 1 passed, 1 skipped" in done.stdout
    assert "partial: The text is right, but it was written to standard error" in done.stdout
    assert "│ $ python3 echo.py a b\n" in done.stdout
    assert "│ - a b\n" in done.stdout
    assert "Not run, because words did not pass." in done.stdout
    assert "Traceback" not in done.stdout


def test_cases_that_are_known_only_when_the_course_is_prepared(tmp_path: Path) -> None:
    course(tmp_path)
    submission(tmp_path)
    text = SPEC.partition("tests:\n")[0] + "tests:\n  - name: made\n    unit: {unittest: reference/made.py}\n"
    (tmp_path / "specs/echo.yaml").write_text(text)
    (tmp_path / "reference/made.py").write_text(
        "import unittest\nclass TestMade(unittest.TestCase):\n"
        "    @unittest.skip('later')\n    def test_later(self): pass\n"
        "setattr(TestMade, 'test_two', lambda self: self.assertEqual(1 + 1, 2))\n"
    )
    done = grade("-v")
    assert "specs/echo.yaml::made[TestMade.test_two] PASSED" in done.stdout
    assert "1 passed" in done.stdout


def test_k_runs_what_it_selects_and_what_that_needs(tmp_path: Path) -> None:
    course(tmp_path)
    submission(tmp_path, program=STDERR)
    done = grade("-k", "nothing")
    assert (done.returncode, "1 skipped, 2 deselected" in done.stdout) == (0, True)
    done = call("specs/echo.yaml::words[1]", "--submission=echo/alice")
    assert "1 passed" in done.stdout


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


def test_a_hidden_test_is_one_item_and_tells_its_points_alone(tmp_path: Path) -> None:
    course(tmp_path, HIDDEN)
    submission(tmp_path, program=WRONG)
    done = grade()
    assert "hidden: 0 of 4" in done.stdout
    assert "WRONG" not in done.stdout
    done = grade("--grader-after-due")
    assert "WRONG" in done.stdout


def test_what_is_ungraded_is_an_error(tmp_path: Path) -> None:
    course(tmp_path, reference="raise ValueError\n")
    submission(tmp_path)
    done = grade("-k", "words")
    assert (done.returncode, "2 errors" in done.stdout) == (1, True)
    assert "the reference failed" in done.stdout
    done = grade("--grader-sandbox", "half")
    assert "3 errors" in done.stdout
    assert "there is no sandbox level 'half'" in done.stdout


def test_a_failed_build_is_told_with_its_log(tmp_path: Path) -> None:
    spec = SPEC.replace("program:", "build: {run: python3 -c 'import nowhere'}\nprogram:")
    course(tmp_path, spec)
    submission(tmp_path)
    done = grade("-k", "words")
    assert "2 failed" in done.stdout
    assert "build-failed: " in done.stdout
    assert "No module named 'nowhere'" in done.stdout


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


def test_a_spec_with_mistakes_is_an_error_with_all_of_them(tmp_path: Path) -> None:
    course(tmp_path, SPEC.replace("points: 6", "pionts: 6").replace("hint:", "hnt:"))
    submission(tmp_path)
    done = grade()
    assert done.returncode == 2
    assert 'did you mean "points"?' in done.stdout
    assert 'did you mean "hint"?' in done.stdout


def test_a_submission_that_is_none_is_a_usage_error(tmp_path: Path) -> None:
    course(tmp_path)
    done = call("specs/echo.yaml", "--submission=echo/nobody")
    assert (done.returncode, "neither a folder nor" in done.stderr) == (4, True)


def test_without_the_option_it_does_nothing(tmp_path: Path) -> None:
    course(tmp_path)
    (tmp_path / "test_x.py").write_text(
        "import sys\n\n\ndef test_x():\n"
        "    assert 'pytest_grader' in sys.modules\n"
        "    assert 'grader' not in sys.modules\n"
    )
    done = call("-W", "error", "test_x.py")
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout
    done = call("specs/echo.yaml")
    assert done.returncode != 0
    assert "words" not in done.stdout


def test_yaml_among_other_tests_is_left_alone(tmp_path: Path) -> None:
    course(tmp_path)
    submission(tmp_path)
    (tmp_path / "specs" / "other.yaml").write_text("no: spec\n")
    (tmp_path / "specs" / "test_y.py").write_text("def test_y():\n    pass\n")
    done = call("specs", "--submission=echo/alice")
    assert (done.returncode, "1 passed" in done.stdout) == (0, True)


@each_row
def test_a_spec_without_a_submission_is_told_what_to_add(name: str, text: str, said: str, tmp_path: Path) -> None:
    course(tmp_path)
    (tmp_path / "specs" / name).write_text(text)
    done = call(f"specs/{name}")
    assert (done.returncode, said in done.stdout + done.stderr) == (4, True), done.stdout + done.stderr


EVIL = "import pathlib\npathlib.Path({canary!r}).write_text('here')\n"
ADDOPTS = "-p evil -p echo.mallory.evil --collect-only"
CONFIGURATIONS = {
    "pytest.ini": f"[pytest]\naddopts = {ADDOPTS}\npythonpath = .\n",
    ".pytest.ini": f"[pytest]\naddopts = {ADDOPTS}\n",
    "tox.ini": f"[pytest]\naddopts = {ADDOPTS}\n",
    "setup.cfg": f"[tool:pytest]\naddopts = {ADDOPTS}\n",
    "pyproject.toml": f'[tool.pytest.ini_options]\naddopts = "{ADDOPTS}"\npythonpath = ["."]\n',
}


def hostile(folder: Path, *configurations: str) -> Path:
    """Hand in a right program with code for pytest beside it; return the file that this would make."""
    where = submission(folder, "mallory")
    canary = folder / "canary"
    for name in ("conftest.py", "evil.py", "setup.py", "test_evil.py"):
        (where / name).write_text(EVIL.format(canary=str(canary)))
    for name in configurations:
        (where / name).write_text(CONFIGURATIONS[name])
    return canary


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_as_documented_nothing_of_a_submission_is_configuration(name: str, tmp_path: Path) -> None:
    course(tmp_path)
    canary = hostile(tmp_path, name)
    done = call("specs/echo.yaml", "--submission=echo/mallory")
    assert (done.returncode, "3 passed" in done.stdout) == (0, True), done.stdout
    assert not canary.exists()


def test_a_submission_named_without_an_equals_sign_runs_none_of_its_code(tmp_path: Path) -> None:
    course(tmp_path)
    canary = hostile(tmp_path, "pytest.ini")
    (tmp_path / "echo" / "mallory" / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
    done = call("specs/echo.yaml", "--submission", "echo/mallory")
    assert (done.returncode, canary.exists()) == (4, False), done.stdout
    assert "--submission=DIR" in done.stderr


@pytest.mark.parametrize("words", [["."], ["test_evil.py"], ["../../specs/echo.yaml"], []])
def test_nothing_is_run_from_inside_a_submission(words: list[str], tmp_path: Path) -> None:
    course(tmp_path)
    canary = hostile(tmp_path)
    script = [str(Path(sys.executable).with_name("pytest")), "-p", "no:cacheprovider", *words, "--submission=."]
    where = tmp_path / "echo" / "mallory"
    done = subprocess.run(script, check=False, capture_output=True, text=True, timeout=100, cwd=where)
    assert (done.returncode, canary.exists()) == (4, False), done.stdout
    assert "lies in the submission" in done.stderr


def test_a_student_s_spec_is_no_spec(tmp_path: Path) -> None:
    course(tmp_path)
    submission(tmp_path)
    (tmp_path / "echo" / "alice" / "own.yaml").write_text(SPEC)
    done = call("echo/alice/own.yaml", "--submission=echo/alice")
    assert (done.returncode, "lies in the submission" in done.stderr) == (4, True)
