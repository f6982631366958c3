"""The progress line on a terminal: which case is running; it is erased before anything else is printed.

It is drawn without a library, whose import takes longer than most programs take to run.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic
from types import TracebackType
from typing import Self

from grader.core.model.judgement import Job
from grader.core.model.spec import Case
from grader.core.text import count, duration, one_line, size

_PERIOD = 0.5  # seconds between two updates; shorter work shows no line
_NO_WRAP, _WRAP, _ERASE = "\x1b[?7l", "\x1b[?7h", "\r\x1b[K"


class TerminalLine:
    """`getting ready  1 min 4 s` on standard error, as long as that is a terminal."""

    def __init__(self) -> None:
        """Be ready to show what is done."""
        self._label = "getting ready"
        self._start = monotonic()
        self._over, self._printing = Event(), Lock()
        is_shown = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self._drawing = Thread(target=self._draw, daemon=True) if is_shown else None

    def __enter__(self) -> Self:
        """Start drawing, if there is a terminal."""
        if self._drawing:
            self._drawing.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""
        self._over.set()
        if self._drawing:
            self._drawing.join()

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Erase the line while something else is printed."""
        with self._printing:
            if self._drawing:
                self._write(_ERASE)
            yield

    def _draw(self) -> None:
        while not self._over.wait(_PERIOD):
            with self._printing:
                # A long line is cut; without wrapping, wide characters cannot break it into a second one.
                self._write(
                    f"{_ERASE}{_NO_WRAP}{self._line(os.get_terminal_size(sys.stderr.fileno()).columns or 80)}{_WRAP}"
                )
        self._write(_ERASE)

    def _done(self) -> str:
        """Return how much is done, with blanks behind; empty where that is unknown."""
        return ""

    def _line(self, columns: int) -> str:
        progress = f"{self._done()}{duration(monotonic() - self._start)}"
        room = columns - len(progress) - 3
        label = self._label if len(self._label) <= room else f"{self._label[: room - 1]}…"
        return f"{label}  {progress}" if room > 1 else progress[: columns - 1]

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


class ProgressLine(TerminalLine):
    """`listing[n=7]  12 of 38 cases  1 min 4 s`."""

    def __init__(self, cases: Sequence[str], *, many: bool) -> None:
        """Show progress through the cases with these ids; with `many` submissions, also the current submission."""
        super().__init__()
        self._places = {name: place for place, name in enumerate(cases, start=1)}
        self._many = many
        self._place = 0

    def begin(self, job: Job, case: Case) -> None:
        """Note that a case of a submission begins."""
        if case.id in self._places:
            self._label = one_line(f"{job.submission.id}: {case.id}" if self._many else case.id)
            self._place = self._places[case.id]

    def _done(self) -> str:
        return f"{self._place} of {count(len(self._places), 'case')}  "


class ImportLine(TerminalLine):
    """`pairsums  reading, 120.0 MiB  3 s`."""

    def __init__(self) -> None:
        """Show progress through the packages that are begun."""
        super().__init__()
        self._what, self._size = "", 0

    def begin(self, name: str) -> None:
        """Note that a package begins."""
        self._label, self._what = one_line(name), ""

    def tell(self, what: str, size: int) -> None:
        """Note what is done, and to how many bytes."""
        self._what, self._size = what, size

    def _done(self) -> str:
        return f"{self._what}, {size(self._size)}  " if self._what else ""
