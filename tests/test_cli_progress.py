"""The line of `grader run` that tells which case is being run: on a terminal alone, and gone when it is done."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.support.courses import course, submission
from tests.support.rows import each_row

SLOW = "import sys, time\nif sys.argv[1:] == ['a', 'b']: time.sleep(1.3)\nprint(*sys.argv[1:])\n"
COMMAND = [sys.executable, "-m", "grader", "run", "echo/alice"]


@pytest.fixture(autouse=True)
def at_the_course(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.chdir(tmp_path)
    course(tmp_path)
    submission(tmp_path, program=SLOW)


def seen_on_terminal(columns: int, *more: str) -> tuple[str, str]:
    """What is written to a terminal of that width as standard error, and to a pipe as standard output."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([*COMMAND, *more], stdout=subprocess.PIPE, stderr=theirs, text=True) as process:
        os.close(theirs)
        shown = b""
        try:
            while data := os.read(ours, 4096):
                shown += data
        except OSError:  # nobody has the other end any more
            pass
        printed = process.stdout.read() if process.stdout else ""
    os.close(ours)
    assert process.returncode == 0
    return shown.decode(), printed


@each_row
def test_a_terminal_shows_which_case_is_run_and_is_left_clean(
    columns: int, more: tuple[str, ...], expected: str
) -> None:
    shown, printed = seen_on_terminal(columns, *more)
    lines = [re.sub(r"\x1b\[[?0-9]*[a-zA-Z]", "", line) for line in shown.split("\r")]
    assert any(re.fullmatch(expected, line) for line in lines), shown
    assert all(len(line) < columns for line in lines)
    assert shown.endswith("\r\x1b[K")
    assert "\x1b" not in printed
    assert "10" in printed


def test_a_pipe_shows_nothing() -> None:
    done = subprocess.run(COMMAND, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
