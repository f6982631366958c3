"""What a shell knows of `grader`: words that are completed on a terminal, and the manual page."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.support.layouts import ROOT, small_class
from tests.support.rows import from_data, read_data

SHARE = ROOT / "share"
DATA = read_data(__file__)
TYPED = DATA["TYPED"]
"""what is typed before the key Tab -> the last word then"""

_SET_UP = from_data(DATA["_SET_UP"], dict[str, tuple[str, str]])
"""a shell -> how it is started without anybody's configuration, and what it is told then"""
_READS_KEYS = "\x1b[?2004h"
"""what both write when they begin to read a line: paste in brackets"""


def program(name: str) -> str:
    """Return where a program is. Skips the test where there is none, but not in CI."""
    found = shutil.which(name)
    if found is None:
        assert "CI" not in os.environ, f"there is no {name}, and CI has to have one"
        pytest.skip(f"there is no {name}")
    return found


@pytest.fixture(name="course")
def _course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    small_class(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TERM", "xterm")
    return tmp_path


@contextmanager
def at_a_prompt(shell: str, folder: Path) -> Iterator[Any]:
    command, told = _SET_UP[shell]
    terminal = pexpect.spawn(command, cwd=str(folder), encoding="utf-8", timeout=60, dimensions=(24, 200))
    try:
        terminal.expect_exact(_READS_KEYS)
        terminal.sendline(told.format(share=SHARE))
        yield terminal
    finally:
        terminal.close(force=True)


@pytest.mark.parametrize("shell", _SET_UP)
def test_the_key_tab_completes_commands_options_and_files(shell: str, course: Path) -> None:
    program(shell)
    with at_a_prompt(shell, course) as terminal:
        for typed, word in TYPED.items():
            terminal.expect_exact(_READS_KEYS)
            # Then, at the beginning of the line: a command that prints the words of which it consists.
            terminal.send(f"{typed}\t\x01printf '<%s>' \r")
            terminal.expect(r"<grader>(?:<[^<>\r\n]+>)+")
            assert terminal.after.strip("<>").split("><")[-1].rstrip("/") == word, typed


def test_fish_completes_commands_options_and_files(course: Path) -> None:
    lines = "\n".join(f"echo '#'; complete -C '{typed}'" for typed in TYPED)
    script = f"source {SHARE}/fish/vendor_completions.d/grader.fish\n{lines}"
    done = subprocess.run(
        [program("fish"), "--no-config", "-c", script],
        cwd=course,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    told = [[line.split("\t")[0].rstrip("/") for line in part.split("\n")] for part in done.stdout.split("#\n")[1:]]
    assert [word in lines for word, lines in zip(TYPED.values(), told, strict=True)] == [True] * len(TYPED), told


@pytest.mark.parametrize("lint", ["groff -man -ww -Tutf8", "mandoc -Tlint -Wwarning"], ids=["groff", "mandoc"])
def test_the_manual_page_is_sound(lint: str) -> None:
    name, *words = lint.split()
    done = subprocess.run(
        [program(name), *words, SHARE / "man" / "man1" / "grader.1"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert not done.stderr
    if name == "groff":
        assert "Grade submissions: folders, zip or tar.gz archives." in done.stdout
    else:
        assert [line for line in done.stdout.splitlines() if "missing date" not in line] == []
