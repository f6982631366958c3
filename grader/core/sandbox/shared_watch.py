"""Whether anything changed in what all commands of level `container` share, while two of them ran at a time.

The kernel tells each change of a folder before the call that made it returns (inotify(7)), also of a file that is gone
again. Messages, semaphores and segments of System V have numbers that only go up: whoever makes one and finds the next
number knows that nobody made one since. What both may lack, room on the disk and memory, counts as a change too.

Reads are not seen, nor locks on files that were there before.
"""

import os
import struct
from collections.abc import Container, Iterable, Iterator

from grader.core.errors import HostError
from grader.core.sandbox.cgroup import memory_kills
from grader.core.sandbox.identity import LIBC

_MODIFY, _ATTRIB, _CLOSE_WRITE = 0x2, 0x4, 0x8
_MOVED, _CREATE, _DELETE, _SELF = 0x40 | 0x80, 0x100, 0x200, 0x400 | 0x800
_FOLDER_ITSELF = 0x01000000 | 0x02000000
"""IN_ONLYDIR, IN_DONT_FOLLOW"""
_CHANGES = _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED | _CREATE | _DELETE | _SELF | _FOLDER_ITSELF
_EVENT = struct.Struct("iIII")
"""which watch, what, a cookie, and the length of the name that follows"""
_BUFFER_BYTES = 65536
_MIN_FREE_BYTES = 256 * 2**20
_NUMBERED = {"msg": ((0, 0o600), (0, None)), "sem": ((0, 1, 0o600), (0, 0)), "shm": ((0, 1, 0o600), (0, None))}
"""what is given to `…get` after the key IPC_PRIVATE, which is the first 0, and to `…ctl` to remove it"""
_INDEX, _LAST_INDEX = 0x7FFF, 63
"""Linux since 5.1 (ipc/util.c): a place, counted up to the last and from 0 again, and above it how often that was"""


class SharedWatch:
    """Counts changes in some folders, in System V's objects, and of what the machine lacks."""

    def __init__(self, folders: Iterable[str], disk: str, ours: Container[bytes]) -> None:
        """Watch the folders, but for the names in them that are `ours`, and the room where `disk` is.

        Raises HostError when the kernel gives no watch.
        """
        self._disk, self._ours = disk, ours
        self._count = 0
        self._kills = memory_kills()
        self._numbers = {kind: _next_number(kind) for kind in _NUMBERED}
        self._events = LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        watches = [LIBC.inotify_add_watch(self._events, os.fsencode(folder), _CHANGES) for folder in folders]
        if self._events < 0 or min(watches, default=-1) < 0:
            self.close()
            raise HostError("the kernel watches no more folders; see /proc/sys/fs/inotify")

    def changes(self) -> int:
        """Return how many changes it has seen."""
        self._count += sum(1 for name in self._changed_names() if not name or name not in self._ours)
        for kind, last in self._numbers.items():
            self._numbers[kind] = _next_number(kind)
            self._count += not _is_next(last, self._numbers[kind])
        kills, self._kills = self._kills, memory_kills()
        self._count += self._kills != kills
        room = os.statvfs(self._disk)
        self._count += room.f_bavail * room.f_frsize < _MIN_FREE_BYTES
        return self._count

    def _changed_names(self) -> Iterator[bytes]:
        """Yield the name of each file that changed; an empty one for a folder itself, and where events were lost."""
        while True:
            try:
                data = os.read(self._events, _BUFFER_BYTES)
            except BlockingIOError:
                return
            at = 0
            while at < len(data):
                length = _EVENT.unpack_from(data, at)[3]
                at += _EVENT.size + length
                yield data[at - length : at].rstrip(b"\0")

    def close(self) -> None:
        """Watch no longer."""
        if self._events >= 0:
            os.close(self._events)
            self._events = -1


def _next_number(kind: str) -> int:
    """Make one object of System V that nobody else can find, remove it, and return its number; -1 without."""
    given, removal = _NUMBERED[kind]
    number: int = getattr(LIBC, f"{kind}get")(*given)
    if number >= 0:
        getattr(LIBC, f"{kind}ctl")(number, *removal)
    return number


def _is_next(last: int, number: int) -> bool:
    """Whether nobody made an object between two of ours; where the kernel makes none, nobody did."""
    if last & _INDEX == _LAST_INDEX and number == (last | _INDEX) + 1:
        return True
    return number == last + 1 or number == last == -1
