import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.courses import ECHO, SPEC, course, submission

SILENT = "pass\n"
HIDDEN = SPEC.replace("  - name: nothing", "  - name: nothing\n    visibility: hidden")


@pytest.fixture(autouse=True)
def at_the_course(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)


@contextmanager
def watching(log: Path, *words: str, terminal: int | None = None) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "grader", "watch", *words], stdout=terminal or out, stderr=subprocess.STDOUT
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def seen(log: Path, word: str, times: int = 1) -> str:
    """What was printed, once `word` is among it so many times."""
    end = time.monotonic() + 60
    while (text := log.read_text(errors="replace")).count(word) < times:
        assert time.monotonic() < end, text
        time.sleep(0.05)
    return text


def test_each_save_tells_what_changed_and_ctrl_c_ends_it_well(tmp_path: Path) -> None:
    course(tmp_path, HIDDEN)
    path = submission(tmp_path, program=SILENT) / "echo.py"
    log = tmp_path / "log"
    with watching(log, "echo/alice") as process:
        first = seen(log, "Watching")
        assert "alice  0 of 10  no points" in first
        assert "Hint: Print all words." in first
        path.write_text(ECHO)
        second = seen(log, "Watching", 2)[len(first) :]
        assert second.startswith("Saved: echo.py\nwords: full marks, 6 of 6\nnothing: hidden, 4 of 4\n")
        assert "Now with full marks: words[1], words[2]\n" in second
        assert "alice  10 of 10  full marks" in second
        path.write_text(SILENT)
        assert "Now losing points: words[1], words[2]\n" in seen(log, "Watching", 3)
        assert "\x1b" not in log.read_text()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    assert not (tmp_path / "reports").exists()


def test_a_terminal_is_cleared(tmp_path: Path) -> None:
    course(tmp_path)
    submission(tmp_path)
    ours, theirs = pty.openpty()
    with watching(tmp_path / "log", "echo/alice", terminal=theirs):
        os.close(theirs)
        text = b""
        while b"Watching" not in text:
            text += os.read(ours, 4096)
    os.close(ours)
    assert text.startswith((b"\x1b[H\x1b[2J", b"\x1b[2J"))


def test_names_of_files_cannot_give_commands(tmp_path: Path) -> None:
    course(tmp_path)
    path = submission(tmp_path)
    log = tmp_path / "log"
    with watching(log, "echo/alice"):
        first = seen(log, "Watching")
        (path / "\n::error::x\x1b[31m").write_text("")
        second = seen(log, "Watching", 2)[len(first) :]
    assert "\x1b" not in second
    assert "::" not in second
