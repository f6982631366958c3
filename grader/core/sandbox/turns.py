"""Who may run at level `container`, where all share /tmp and /dev/shm: one party at a time, on the whole machine.

A program may lay a file there in the way of another, or read what another wrote. So a command has its turn from its
gate on until what it left is removed. Commands that one thread runs together, such as a program and what it speaks
with, have it together. Cases of one submission may too, as a `Party`: as long as nothing changes in what all share,
each runs as it would alone. When something did, whoever ran beside another is told so, and is to run again alone.

A lock on the root folder keeps other graders out: no command of that level can open it.
"""

import fcntl
import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Condition, get_ident
from typing import Protocol

from grader.core.errors import HostError
from grader.core.thread_task import ThreadTask

_LOOK = 0.2
"""seconds between two looks whether the grading was stopped"""
_MAX_HOLD = 1.0
"""seconds after which no further command of a party starts before other graders had their turn"""


class Watch(Protocol):
    """Sees changes of what all commands share."""

    def changes(self) -> int:
        """Return how many changes it has seen."""

    def close(self) -> None:
        """Free what it holds."""


class Party:
    """Commands that may run beside one another, each in its own thread; and which of these threads were disturbed."""

    def __init__(self, wants_company: Callable[[], bool]) -> None:
        """Begin without any command; `wants_company` is called when one could run beside others from then on."""
        self.wants_company = wants_company
        self.disturbed = set[int]()
        """the threads with a command beside which another ran, while something changed in what all share"""

    def was_disturbed(self) -> bool:
        """Whether a command of this thread was disturbed since this was last asked."""
        is_noted = get_ident() in self.disturbed
        self.disturbed.discard(get_ident())
        return is_noted


class HeldTurn:
    """What the commands of one thread have together."""

    def __init__(self, changes: int, since: int) -> None:
        """Begin when the watch has seen so many `changes`, and the oldest that has a turn began at `since` of them."""
        self.thread = get_ident()
        self.commands = 1
        self.changes, self.since = changes, since
        self.has_company = False
        """whether another thread has had a turn at the same time"""


class Turns:
    """Who has a turn: the threads of a party, a single thread, or nobody."""

    def __init__(self, path: str = "/", watch: Callable[[], Watch] | None = None) -> None:
        """Let who has locked the folder `path` have the turn.

        `watch` makes what watches the shared places, or raises HostError; without it nobody runs beside another.
        """
        self._path, self._new_watch = path, watch
        self._changed = Condition()
        self._party: Party | None = None
        self._turns: dict[int, HeldTurn] = {}
        self._watch: Watch | None = None
        self._joinable_until = 0.0
        self._folder = -1

    def take(self, check: Callable[[], None], party: Party | None = None) -> HeldTurn:
        """Wait for the turn of one command; `check` is called meanwhile, and ends the wait by raising."""
        party = party if party and party.wants_company() else None
        with self._changed:
            while not self._may_enter(party):
                check()
                self._changed.wait(_LOOK)
            is_first = not self._turns
            turn = self._enter()
            if not is_first:
                return turn
            self._party = party
        try:
            self._lock_out_others(check)
        except BaseException:
            self.give_back(turn)
            raise
        return turn

    def _may_enter(self, party: Party | None) -> bool:
        if not self._turns or get_ident() in self._turns:
            return True
        return party is not None and party is self._party and time.monotonic() < self._joinable_until

    def _enter(self) -> HeldTurn:
        turn = self._turns.get(get_ident())
        if turn:
            turn.commands += 1
            return turn
        changes, others = self._watch.changes() if self._watch else 0, [*self._turns.values()]
        turn = self._turns[get_ident()] = HeldTurn(changes, min([changes, *(other.changes for other in others)]))
        for one in (turn, *others) if others else ():
            one.has_company = True
        return turn

    def _lock_out_others(self, check: Callable[[], None]) -> None:
        self._folder = _lock(self._path, check)
        if self._party and self._new_watch:
            with suppress(HostError):  # then its commands run one after the other
                self._watch = self._new_watch()
                self._joinable_until = time.monotonic() + _MAX_HOLD

    def give_back(self, turn: HeldTurn) -> None:
        """End the turn of one command."""
        with self._changed:
            turn.commands -= 1
            if turn.commands:
                return
            if turn.has_company and self._party and self._watch and self._watch.changes() > turn.since:
                self._party.disturbed.add(turn.thread)
            del self._turns[turn.thread]
            if not self._turns:
                self._let_others_in()
            self._changed.notify_all()

    def _let_others_in(self) -> None:
        if self._folder >= 0:
            fcntl.flock(self._folder, fcntl.LOCK_UN)  # a copy of the descriptor may be in a process of ours
            os.close(self._folder)
        if self._watch:
            self._watch.close()
        self._folder, self._watch, self._party, self._joinable_until = -1, None, None, 0.0


def _lock(path: str, check: Callable[[], None]) -> int:
    """Lock a folder and return its descriptor; `check` is called while another grader has locked it.

    The kernel wakes who waits as soon as it is free, so that another grader's turn is no longer than its commands.
    """
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting = ThreadTask(partial(fcntl.flock, folder, fcntl.LOCK_EX), lambda _: None)
            while not waiting.join(_LOOK):
                check()
            waiting.result()
    except BaseException:
        os.close(folder)  # and with it a lock for which the thread still waits
        raise
    return folder
