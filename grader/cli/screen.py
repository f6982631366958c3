"""Printing a report without a library: as wide as the terminal, and in colours if it has them, as rich decides it."""

import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress

from grader.core.report.plain import ATTRIBUTES, COLOURS, TextLine, to_terminal

_WIDTH = 80  # columns where there is no terminal that has a width
_WITHOUT_COLOURS = {"dumb", "unknown"}  # kinds of terminals (`TERM`)


def print_lines(lines: Iterable[TextLine]) -> None:
    """Print lines on standard output."""
    _print(to_terminal(lines, max(_columns(), 1), _codes()))


def print_unwrapped(line: str) -> None:
    """Print a line on standard output that people copy from."""
    _print(f"{line}\n")


def _print(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _columns() -> int:
    """Return the width that `COLUMNS` states, or the width of the first stream that is a terminal."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal():
        return int(asked)
    for stream in range(3) if not _is_dumb() else ():
        with suppress(OSError):
            return os.get_terminal_size(stream).columns or _WIDTH
    return _WIDTH


def _codes() -> Mapping[str, str]:
    """Return what standard output takes: everything, all but colours (no-color.org), or nothing."""
    if not _takes_sequences() or _is_dumb():
        return {}
    return ATTRIBUTES if os.environ.get("NO_COLOR") else {**ATTRIBUTES, **COLOURS}


def _takes_sequences() -> bool:
    """Whether standard output is a terminal, unless the environment says what it is (force-color.org)."""
    compatible = {"0": False, "1": True}.get(os.environ.get("TTY_COMPATIBLE", ""))
    forced = os.environ.get("FORCE_COLOR")
    if compatible is not None:
        return compatible
    return sys.stdout.isatty() if forced is None else forced != ""


def _is_dumb() -> bool:
    return _takes_sequences() and os.environ.get("TERM", "").lower() in _WITHOUT_COLOURS
