"""What a report looks like depends on the terminal and on the environment, as with rich's console."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from io import StringIO
from itertools import product
from pathlib import Path

import pytest
from rich.console import Console

from grader.cli import screen, shared, specs
from grader.core.report.plain import ATTRIBUTES, COLOURS
from tests.support.rows import read_data

DATA = read_data(__file__)
VARIABLES: Mapping[str, list[str | None]] = DATA["VARIABLES"]
SHOW = DATA["SHOW"]


def test_the_width_and_the_colours_are_those_of_rich(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TTY_COMPATIBLE", raising=False)
    monkeypatch.setenv("LINES", "20")  # without it, rich does not believe the columns of a dumb terminal
    for values in product(*VARIABLES.values()):
        for name, value in zip(VARIABLES, values, strict=True):
            monkeypatch.delenv(name, raising=False)
            if value is not None:
                monkeypatch.setenv(name, value)
        console = shared.console()
        colours = {} if console.no_color else COLOURS
        expected = (console.width, {**ATTRIBUTES, **colours} if console.color_system else {})
        assert (screen._columns(), screen._codes()) == expected, values


def test_on_a_terminal_it_is_as_wide_as_that_and_coloured() -> None:
    ours, theirs = os.openpty()
    screen_size = "import fcntl, termios, struct; fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 20, 11, 0, 0))"
    known = {"PATH", "HOME", "LANG"}
    environment = {**{name: value for name, value in os.environ.items() if name in known}, "TERM": "xterm"}
    command = [sys.executable, "-c", f"{screen_size}\n{SHOW}"]
    subprocess.run(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, timeout=60, check=True)
    os.close(theirs)
    text = os.read(ours, 4096).decode()
    assert text == "\x1b[1;32mone two\x1b[0m\r\n\x1b[1;32mthree four\x1b[0m\r\none two three four\r\n"


def test_a_table_for_a_narrow_terminal_is_folded_and_not_cut() -> None:
    file = StringIO()
    console = Console(file=file, width=24, force_terminal=True, no_color=True)
    row = ("usage/stderr/trailing-space", "tolerated", "trailing-space")
    specs._print_table(console, ("mutant", "outcome", "named"), [(row, False)], right=())
    assert "…" not in file.getvalue()


def test_a_character_that_the_output_has_not_is_escaped(tmp_path: Path) -> None:
    code = f"import sys; sys.stdout.reconfigure(errors='backslashreplace')\n{SHOW.replace('one', 'é日')}"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "80"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, timeout=60, check=True)
    assert re.findall(rb"(?m)^(\S+) two", done.stdout) == [rb"\xe9\u65e5"] * 2
