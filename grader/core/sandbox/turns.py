"""One command at a time, on the whole machine: at level `container` all share /tmp and /dev/shm.

A program may lay a file there in the way of another, or read what another wrote. So a command has its turn from its
gate on until what it left is removed. Commands that one thread runs together, such as a program and what it speaks
with, have it together. A lock on the root folder keeps other graders out: no command of that level can open it.
"""

import fcntl
import os
import time
from collections.abc import Callable
from threading import Condition, get_ident

_PAUSE = 0.01
"""seconds between two looks whether another grader has ended its turn"""
_LOOK = 0.2
"""seconds between two looks whether the grading was stopped"""


class Turns:
    """Who has the turn: a thread of ours, with so many commands, or nobody."""

    def __init__(self, path: str = "/") -> None:
        """Let who has locked the folder `path` have the turn."""
        self._path = path
        self._changed = Condition()
        self._thread: int | None = None
        self._commands = 0
        self._folder = -1

    def take(self, check: Callable[[], None]) -> None:
        """Wait for the turn; `check` is called meanwhile, and ends the wait by raising."""
        with self._changed:
            while self._thread not in (None, get_ident()):
                check()
                self._changed.wait(_LOOK)
            self._thread = get_ident()
            self._commands += 1
            if self._commands > 1:
                return
        try:
            self._lock_out_others(check)
        except BaseException:
            self.give_back()
            raise

    def _lock_out_others(self, check: Callable[[], None]) -> None:
        self._folder = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        while True:
            try:
                fcntl.flock(self._folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                check()
                time.sleep(_PAUSE)
            else:
                return

    def give_back(self) -> None:
        """End the turn of one command."""
        with self._changed:
            self._commands -= 1
            if self._commands:
                return
            if self._folder >= 0:
                fcntl.flock(self._folder, fcntl.LOCK_UN)  # a copy of the descriptor may be in a process of ours
                os.close(self._folder)
                self._folder = -1
            self._thread = None
            self._changed.notify_all()
