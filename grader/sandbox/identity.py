"""Who the sandboxed processes are, when we are root.

Bubblewrap started as real root leaves the files of /proc/sys writable, and resource limits do not bind root. So root
gives up its identity before bubblewrap starts, for an id that belongs to nobody. Files for the working folder are then
created under that id too: the folder lies in a user namespace that knows no other.
"""

import ctypes
import os
import pwd
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

from grader.errors import HostError

_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_SET_CHILD_SUBREAPER = 36
_FREE_IDS: Sequence[int] = range(60578, 61184)
"""assigned to nobody by Debian and by systemd (systemd.io/UIDS-GIDS)"""


@cache
def sandbox_user() -> int | None:
    """Return the id to run as: None (our own) unless we are root; one for each process of ours.

    Raises HostError when every id of the range has an owner.
    """
    if os.geteuid() != 0:
        return None
    for number in range(len(_FREE_IDS)):
        candidate = _FREE_IDS[(os.getpid() + number) % len(_FREE_IDS)]
        try:
            pwd.getpwuid(candidate)
        except KeyError:
            return candidate
    raise HostError(f"every user id from {_FREE_IDS[0]} to {_FREE_IDS[-1]} is taken; free one for the sandbox")


@contextmanager
def creating_as(user: int | None) -> Iterator[None]:
    """Let this thread, and only this one, create files as `user` (setfsuid(2), a property of the thread)."""
    if user is None:
        yield
        return
    _LIBC.setfsgid(user)
    _LIBC.setfsuid(user)
    try:
        yield
    finally:
        _LIBC.setfsuid(os.geteuid())
        _LIBC.setfsgid(os.getegid())


@cache
def adopt_orphans() -> None:
    """Become the parent of our children's orphans (prctl(2), PR_SET_CHILD_SUBREAPER), so as to wait for them."""
    _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
