"""The progress line on a terminal, such as which case is running; it is erased before anything else is printed.

It is drawn without a library, whose import takes longer than most programs take to run.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic
from typing import Self

from grader.core.text import duration, one_line

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
        """Show what is at work now, and how much is done."""
        self._label, self._done = one_line(label), done and f"{done}  "

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Erase the line while something else is printed."""
        with self._printing:
            if self.is_shown:
                self._write(_ERASE)
            yield

    def _draw(self) -> None:
        while not self._over.wait(_PERIOD):
            with self._printing:
                # A long line is cut; without wrapping, wide characters cannot break it into a second one.
                line = self._line(os.get_terminal_size(sys.stderr.fileno()).columns or 80)
                self._write(f"{_ERASE}{_NO_WRAP}{line}{_WRAP}")
        self._write(_ERASE)

    def _line(self, columns: int) -> str:
        progress = f"{self._done}{duration(monotonic() - self._start)}"
        room = columns - len(progress) - 3
        label = self._label if len(self._label) <= room else f"{self._label[: room - 1]}…"
        return f"{label}  {progress}" if room > 1 else progress[: columns - 1]

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
