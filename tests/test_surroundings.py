"""What a process takes over from whoever starts it, and a student's program must not notice."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli import shared
from tests.support.packages import lay
from tests.support.rows import read_data

DATA = read_data(__file__)
ODD = DATA["ODD"]
NOTICED = DATA["NOTICED"]
SPEC = DATA["SPEC"]


@pytest.mark.parametrize("level", ["full", "none"])
def test_a_program_notices_nothing_of_how_the_grader_was_started(level: str, tmp_path: Path) -> None:
    lay(tmp_path, {"specs/noticed.yaml": SPEC, "alice/noticed.py": NOTICED})
    command = ["-m", "grader", "run", "alice", "--spec", "specs/noticed.yaml", "--format", "json", "--sandbox", level]
    done = subprocess.run(
        [sys.executable, "-c", ODD, *command], cwd=tmp_path, stdout=subprocess.PIPE, timeout=60, check=False
    )
    report = json.loads(done.stdout)
    assert (done.returncode, report["verdict"]) == (0, "passed"), report["tests"]
    # Grades are as private as whoever started us wants them.
    written = tmp_path / "reports" / "noticed" / "alice" / "report.json"
    assert written.stat().st_mode & 0o077 == 0


def test_too_few_open_files_are_named_before_a_program_runs(tmp_path: Path) -> None:
    lay(tmp_path, {"specs/noticed.yaml": SPEC, "alice/noticed.py": NOTICED})
    command = [sys.executable, "-c", DATA["FEW_FILES"], "run", "alice", "--spec", "specs/noticed.yaml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 3
    wanted = "grader: a program may open 256 files, and the grader itself only 64; raise the limit of open files"
    assert done.stderr.startswith(wanted)


def test_a_hang_up_stops_the_work_unless_nohup_had_it_ignored() -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        shared.reset_signals()
        with shared.stopping() as cancelled:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not cancelled.is_set()
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        with pytest.raises(KeyboardInterrupt), shared.stopping():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        for number, handler in before.items():  # whatever runs here later would ignore what this left
            signal.signal(number, handler)


def test_a_fault_of_ours_exits_as_ungraded(tmp_path: Path) -> None:
    command = [sys.executable, "-c", DATA["FAULT"]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 3
    assert "KeyError: 'no such key'" in done.stderr
