"""Who may run at level `container`, where all share /tmp and /dev/shm: one thread at a time, on the whole machine.

A program may lay a file there in the way of another, or read what another wrote. So a command has its turn from its
gate on until what it left is removed. Commands that one thread runs together, such as a program and what it speaks
with, have it together. A lock on the root folder keeps other graders out: no command of that level can open it.
"""

import fcntl
import os
from collections.abc import Callable
from functools import partial
from threading import Condition, get_ident

from grader.core.threads import ThreadTask

_LOOK = 0.2  # seconds between two looks whether the grading was stopped


class Turns:
    """The turn of one thread of this process, which lasts until each of its commands has given it back."""

    def __init__(self, path: str = "/") -> None:
        """Let who has locked the folder `path` have the turn."""
        self._path = path
        self._changed = Condition()
        self._thread = self._commands = 0
        self._folder = -1

    def take(self, check: Callable[[], None]) -> None:
        """Wait for the turn of one command; `check` is called meanwhile, and ends the wait by raising."""
        with self._changed:
            while self._commands and self._thread != get_ident():
                check()
                self._changed.wait(_LOOK)
            self._thread = get_ident()
            self._commands += 1
            if self._commands > 1:
                return
        try:
            self._folder = _lock(self._path, check)
        except BaseException:
            self.give_back()
            raise

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
            self._changed.notify_all()


def _lock(path: str, check: Callable[[], None]) -> int:
    """Lock a folder and return its descriptor; `check` is called while another grader has locked it.

    The kernel wakes who waits as soon as it is free, so that another grader's turn is no longer than its commands.
    """
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting = ThreadTask(partial(fcntl.flock, folder, fcntl.LOCK_EX), daemon=True)
            while not waiting.join(_LOOK):
                check()
            waiting.result()
    except BaseException:
        os.close(folder)  # and with it a lock for which the thread still waits
        raise
    return folder
