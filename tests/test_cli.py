import json
import os
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from grader import cli
from grader.core.model import VERSION
from grader.core.sandbox import outer
from tests.support.command_rows import AtCourse, check_commands
from tests.support.commands import run_grader, run_grader_text
from tests.support.courses import SPEC, course, submission
from tests.support.processes import alive
from tests.support.rows import each_row


@pytest.fixture(autouse=True)
def at_the_course(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)


def call(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return run_grader_text(*words, stdin=stdin)


@each_row
def test_commands_at_a_course(tmp_path: Path, given: AtCourse) -> None:
    check_commands(given, tmp_path, lambda _grader, *words: call(*words))


def test_json_is_one_report_a_line(tmp_path: Path) -> None:
    course(tmp_path)
    submission(tmp_path, "bob", "print('x')")
    submission(tmp_path)
    done = call("run", "echo/alice", "echo/bob", "--format", "json")
    alice, bob = (json.loads(line) for line in done.stdout.splitlines())
    assert (alice["format"], alice["score"], alice["max_score"], alice["verdict"]) == (1, 10, 10, "passed")
    assert (bob["submission"]["id"], bob["tests"][1]["verdict"]) == ("bob", "skipped")
    assert json.loads((tmp_path / "reports/echo/alice/report.json").read_text()) == alice


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_an_archive_is_a_submission(tmp_path: Path, kind: str) -> None:
    course(tmp_path)
    path = submission(tmp_path) / "echo.py"
    archive = tmp_path / "echo" / f"carol.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(archive, "w") as packed:
            packed.write(path, "carol/echo.py")
    else:
        with tarfile.open(archive, "w:gz") as packed_tar:
            packed_tar.add(path, "carol/echo.py")
    done = call("run", str(archive))
    assert (done.returncode, "carol  10 of 10" in done.stdout) == (0, True)


@each_row
def test_wrong_usage_exits_with_2_and_runs_nothing(tmp_path: Path, words: list[str], message: str) -> None:
    course(tmp_path)
    submission(tmp_path)
    (tmp_path / "echo" / "note.txt").write_text("hello")
    done = call(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "reports").exists()


@pytest.mark.parametrize("reference", ["1 / 0", None])
def test_a_reference_that_fails_exits_with_3(tmp_path: Path, reference: str | None) -> None:
    course(tmp_path, reference=reference or "")
    if reference is None:
        (tmp_path / "reference/echo.py").unlink()
    submission(tmp_path)
    done = call("run", "echo/alice")
    assert done.returncode == 3
    report = json.loads((tmp_path / "reports/echo/alice/report.json").read_text())
    assert (report["verdict"], report["score"]) == ("ungraded", None)
    assert "ungraded" in done.stdout


def test_a_missing_bubblewrap_exits_with_3_and_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    course(tmp_path)
    submission(tmp_path)
    monkeypatch.setattr(outer, "PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["grader", "run", "echo/alice"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 3
    assert "apt-get install bubblewrap" in capsys.readouterr().err
    assert not (tmp_path / "reports").exists()


@each_row
def test_a_strange_name_is_graded_shown_escaped_and_stays_inside(tmp_path: Path, name: bytes) -> None:
    course(tmp_path)
    path = submission(tmp_path, name, "print('x')")
    before = {entry.name for entry in tmp_path.iterdir()}
    done = run_grader("run", "--out", "out", "--", path)
    assert done.returncode == 1
    assert done.stderr == b""
    assert "\u202e".encode() not in done.stdout
    assert b"\xff" not in done.stdout
    assert {entry.name for entry in tmp_path.iterdir()} <= before | {"out", "cache"}
    (folder,) = (tmp_path / "out").iterdir()
    assert {entry.name for entry in folder.iterdir()} == {"report.json", "junit.xml", "feedback.md", "feedback.html"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_exits_with_130_and_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    mark = f"31.{time.monotonic_ns()}"  # seconds; nobody else sleeps for so long
    course(tmp_path, SPEC.replace("time: 5 s", "time: 40 s"))
    submission(tmp_path, program=f"import os; os.execvp('sleep', ['sleep', '{mark}'])")
    command = [sys.executable, "-m", "grader", "run", "echo/alice", "--jobs", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        deadline = time.monotonic() + 30
        while not alive(mark) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert alive(mark)
        running.send_signal(number)
        _, errors = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "interrupted" in errors
    assert "Traceback" not in errors
    assert not alive(mark)


def test_what_was_finished_is_kept(tmp_path: Path) -> None:
    course(tmp_path, SPEC.replace("time: 5 s", "time: 40 s"))
    submission(tmp_path, "hangs", "import time; time.sleep(31)")
    submission(tmp_path, "alice")
    kept = tmp_path / "reports" / "echo" / "alice" / "report.json"
    command = [sys.executable, "-m", "grader", "run", "echo/hangs", "echo/alice", "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        deadline = time.monotonic() + 30
        while not kept.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=30)
    assert running.returncode == 130
    assert json.loads(kept.read_text())["score"] == 10


def test_a_reader_that_leaves_is_no_fault(tmp_path: Path) -> None:
    course(tmp_path)
    submission(tmp_path, program="print('x')")
    done = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m grader run echo/alice echo/alice | head -n 1"],
        check=False,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.stderr == ""


def test_a_narrow_terminal_cuts_nothing_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course(tmp_path)
    submission(tmp_path, program="print('x')")
    monkeypatch.setenv("COLUMNS", "40")
    done = call("run", "echo/alice")
    shown = [line for line in done.stdout.splitlines() if not line.startswith("Reports: ")]
    assert max(map(len, shown)) <= 40
    assert "0 of 10" in done.stdout


def test_output_that_is_no_unicode_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course(tmp_path)
    submission(tmp_path, "Müller", "print('ü')")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = call("run", "echo/Müller")
    assert (done.returncode, done.stderr) == (1, "")


def test_the_working_folder_decides_nothing_but_the_spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course(tmp_path)
    path = submission(tmp_path)
    monkeypatch.chdir("/")
    spec = str(tmp_path / "specs" / "echo.yaml")
    done = call("run", str(path), "--spec", spec, "--out", str(tmp_path / "out"))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("where", "word"), [("echo/alice", "."), ("echo/alice/deep", ".."), ("echo", "./alice/")])
def test_a_submission_goes_by_its_own_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, word: str
) -> None:
    course(tmp_path)
    (submission(tmp_path) / "deep").mkdir()
    monkeypatch.chdir(tmp_path / where)
    done = call("run", word, "--spec", str(tmp_path / "specs" / "echo.yaml"), "--out", str(tmp_path / "out"))
    assert (done.returncode, done.stderr) == (0, "")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["alice"]


def test_help_and_version_read_well() -> None:
    shown = call("--help").stdout
    assert "Exit codes:" in shown
    assert "130  interrupted" in shown
    assert "--only TEST" in call("run", "--help").stdout
    assert call("--version").stdout == f"grader, version {VERSION}\n"


def test_asking_where_the_schema_is_writes_none(tmp_path: Path) -> None:
    (out := tmp_path / "schema.json").write_text("kept")
    assert call("schema", "--path", "--out", str(out)).stdout.endswith("spec.schema.json\n")
    assert out.read_text() == "kept"
    assert call("schema", "--out", str(out)).stdout == ""
    assert out.read_text() == call("schema").stdout


def test_a_working_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    script = f"mkdir gone; cd gone; rmdir ../gone; {sys.executable} -P -m grader lint echo"
    done = subprocess.run(["/bin/sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("grader: the working folder is not there any more")


@each_row
def test_only_a_plain_file_is_replaced(tmp_path: Path, out: str, code: int, message: str) -> None:
    course(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "kept").write_text("kept")
    (tmp_path / "link").symlink_to("kept")
    os.mkfifo(tmp_path / "pipe", mode=0o644)
    for command in (["handout", "echo"], ["schema"]):
        done = call(*command, "--out", out)
        assert (done.returncode, done.stdout == call(*command).stdout) == (code, out == "-")
        assert message in done.stderr
    assert (tmp_path / "kept").read_text() == "kept"
    assert (tmp_path / "pipe").is_fifo()
    assert not (tmp_path / "-").exists()


def test_submissions_of_one_name_have_reports_of_their_own(tmp_path: Path) -> None:
    spec = str(course(tmp_path))
    for student in ("ann", "bo"):
        submission(tmp_path / "repos" / student, "pa")
    done = call("run", "repos/ann/echo/pa", "repos/bo/echo/pa", "--spec", spec, "--out", str(tmp_path / "out"))
    assert (done.returncode, "several of these are called 'echo_pa'" in done.stderr) == (2, True)
    for student in ("ann", "bo"):
        (tmp_path / "repos" / student / "echo" / "pa").rename(tmp_path / "repos" / student / "pa")
    done = call("run", "repos/ann/pa", "repos/bo/pa", "--spec", spec, "--out", str(tmp_path / "out"))
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["ann_pa", "bo_pa"]
