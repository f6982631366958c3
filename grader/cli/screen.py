"""Printing a report without a library: as wide as the terminal, and in colours if it has them, as rich decides it."""

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import Self, TextIO

from grader.core.errors import UsageError
from grader.core.report.plain import ATTRIBUTES, COLOURS, TextLine, to_terminal
from grader.core.text import duration, one_line

_WIDTH = 80  # columns where there is no terminal that has a width
_WITHOUT_COLOURS = {"dumb", "unknown"}  # kinds of terminals (`TERM`)


def print_lines(lines: Iterable[TextLine]) -> None:
    """Print lines on standard output."""
    _write(sys.stdout, to_terminal(lines, _columns(), _codes()))


def _write(stream: TextIO, text: str) -> None:
    stream.write(text)
    stream.flush()


def _columns() -> int:
    """Return the width that `COLUMNS` states, or the width of the first stream that is a terminal."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal():
        return int(asked) or _WIDTH
    for stream in range(3):
        with suppress(OSError):
            return os.get_terminal_size(stream).columns or _WIDTH
    return _WIDTH


def _codes() -> Mapping[str, str]:
    """Return what standard output takes: everything, all but colours (no-color.org), or nothing (force-color.org)."""
    forced = os.environ.get("FORCE_COLOR")
    takes_sequences = sys.stdout.isatty() if forced is None else forced != ""
    if not takes_sequences or os.environ.get("TERM", "").lower() in _WITHOUT_COLOURS:
        return {}
    return ATTRIBUTES if os.environ.get("NO_COLOR") else {**ATTRIBUTES, **COLOURS}


# The progress line on a terminal, such as which case is running; it is erased before anything else is printed.

_PERIOD = 0.5  # seconds between two updates; shorter work shows no line
_NO_WRAP, _WRAP, _ERASE = "\x1b[?7l", "\x1b[?7h", "\r\x1b[K"


class TerminalLine:
    """`listing[n=7]  12 of 38 cases  1 min 4 s` on standard error, as long as that is a terminal."""

    def __init__(self, *, is_wanted: bool = True) -> None:
        """Be ready to show what is done."""
        self._label, self._done = "getting ready", ""
        self._start = monotonic()
        self._over, self._printing = Event(), Lock()
        self.is_shown = is_wanted and sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self._drawing = Thread(target=self._draw, daemon=True)

    def __enter__(self) -> Self:
        """Start drawing, if there is a terminal."""
        if self.is_shown:
            self._drawing.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the terminal as it was."""
        self._over.set()
        if self._drawing.is_alive():
            self._drawing.join()

    def show(self, label: str, done: str = "") -> None:
        """Show what is at work now, as before without a label, and how much is done."""
        self._label, self._done = one_line(label) or self._label, done and f"{done}  "

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Erase the line while something else is printed."""
        with self._printing:
            if self.is_shown:
                _write(sys.stderr, _ERASE)
            yield

    def _draw(self) -> None:
        while not self._over.wait(_PERIOD):
            with self._printing:
                # A long line is cut; without wrapping, wide characters cannot break it into a second one.
                line = self._line(os.get_terminal_size(sys.stderr.fileno()).columns or 80)
                _write(sys.stderr, f"{_ERASE}{_NO_WRAP}{line}{_WRAP}")
        _write(sys.stderr, _ERASE)

    def _line(self, columns: int) -> str:
        progress = f"{self._done}{duration(monotonic() - self._start)}"
        room = columns - len(progress) - 3
        label = self._label if len(self._label) <= room else f"{self._label[: room - 1]}…"
        return f"{label}  {progress}" if room > 1 else progress[: columns - 1]


# ---------------- Where results go: a folder that is closed to others, and never where students write or read

_MAX_LINKS = 40  # on the way to a file, as on Linux
_OURS = ("grades.db", "grades.lock")


def report_folder(named: Path | None, spec_id: str, handed_in: Sequence[Path]) -> Path:
    """Return the folder of reports, closed to others if it is there already; raises UsageError where it may not be.

    That is in a submission or by way of one, where links could redirect writes; by a stranger's link; and where others
    can write.
    """
    folder = named or Path("reports") / spec_id
    places = list(_places_on_the_way(folder))
    for path in handed_in:
        real = Path(os.path.realpath(path))
        if any(place.is_relative_to(real) for place in places):
            better = Path(os.path.relpath(real.parent)) / "reports" / spec_id
            raise UsageError(f"reports may not lie in what was handed in ({folder}); choose another, --out {better}")
    # Within a user namespace the root of the machine has another number: that of the owner of `/`.
    trusted = {os.geteuid(), 0, Path("/").stat().st_uid}
    for place in filter(Path.is_symlink, places):
        if place.lstat().st_uid not in trusted:
            raise UsageError(f"{one_line(str(place))} is a link that another user made; choose another folder")
    _close(folder)
    return folder


def _places_on_the_way(folder: Path) -> Iterator[Path]:
    """Yield every folder and link that a path leads through, and what they lead to."""
    at, links = Path.cwd(), 0
    rest = [*reversed(folder.parts)]
    while rest:
        part = rest.pop()
        at = at.parent if part == ".." else at / part
        yield at
        if at.is_symlink() and links < _MAX_LINKS:
            links += 1
            rest += reversed(at.readlink().parts)
            at = at.parent
    yield at


def _close(folder: Path) -> None:
    """Close a folder in which everybody may write, if nobody else's files are in it."""
    try:
        facts = folder.stat()
    except OSError:
        return  # it is not there, or writing will tell what is wrong
    if not facts.st_mode & stat.S_IWOTH or facts.st_mode & stat.S_ISVTX or not folder.is_dir():
        return
    is_own = os.geteuid() in {facts.st_uid, 0}
    names = {path.name for path in folder.iterdir()} if is_own else {""}
    if names and names.isdisjoint(_OURS):
        shown = one_line(str(folder))
        raise UsageError(f"others can write to {shown}, and so change grades: chmod o-w, or choose another folder")
    folder.chmod(stat.S_IMODE(facts.st_mode) & ~stat.S_IRWXO)
