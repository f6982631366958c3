"""As whom a command runs, and what its process may not do: all of it properties of a thread of ours.

Bubblewrap started as real root leaves the files of /proc/sys writable, and resource limits do not bind root. So root
gives up its identity before bubblewrap starts, for an unused user id. Files for the working folder are then
created under that id too: the folder lies in a user namespace that knows no other.

The C library would change the identity of all our threads. So each of these is a system call of one thread.
"""

import ctypes
import errno
import os
import pwd
import socket
import stat
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial

from msgspec import Struct

from grader.core.errors import HostError
from grader.core.sandbox.pool import Pool
from grader.core.sandbox.seccomp import call_number

LIBC = ctypes.CDLL(None, use_errno=True)
_FREE_IDS: Sequence[int] = range(60578, 61184)  # not assigned by Debian or systemd (systemd.io/UIDS-GIDS)
_PR_SET_SECCOMP, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 22, 36, 38
_SECCOMP_MODE_FILTER = 2
_INSTRUCTION_BYTES = 8


def system_call(name: str, *arguments: int | bytes | None) -> int:
    """Make a system call of Linux and return what it returns. Raises OSError."""
    found: int = LIBC.syscall(call_number(name), *arguments)
    if found < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return found


# ---------------------------------------------------------------- users


class ClaimedUser(Struct, frozen=True):
    """A user id for one command at a time, which no other grader on this machine takes meanwhile."""

    id: int
    claim: socket.socket  # reserves the id until it is closed


@cache
def has_spare_users() -> bool:
    """Whether we can run commands as other users: as root, but in a container that has been given no ids for them."""
    return os.geteuid() == 0 and all(_maps_spare_ids(path) for path in ("/proc/self/uid_map", "/proc/self/gid_map"))


def is_root_of_machine() -> bool:
    """Whether the settings of the kernel are ours, whatever our id is called in a user namespace that we are in."""
    return os.stat("/proc/sys/kernel").st_uid == os.geteuid()


def _maps_spare_ids(path: str) -> bool:
    """Whether the ids that we use exist in our user namespace: rows of first id inside, outside, and how many."""
    with open(path, encoding="ascii") as file:
        rows = [[int(word) for word in line.split()] for line in file]
    return any(first <= _FREE_IDS[0] and _FREE_IDS[-1] < first + number for first, _, number in rows)


_USERS = Pool[ClaimedUser](len(_FREE_IDS), lambda user: user.claim.close())  # they had a command, and wait


def take_user() -> ClaimedUser:
    """Return a user id for one command, for root to run it as.

    What the kernel counts by user (pages of pipes, descriptors on their way, watches of files, pending signals) is then
    counted for this command alone. Raises HostError when every id of the range has an owner.
    """
    return _USERS.take(lambda _: True) or _claim_user()


def give_back_user(user: ClaimedUser) -> None:
    """Leave the id to the next command, once nothing of this one is alive."""
    _USERS.give_back(user)


def _claim_user() -> ClaimedUser:
    start = hash((os.getpid(), os.stat("/proc/self/ns/pid").st_ino))  # process ids are alike in all containers
    for number in range(len(_FREE_IDS)):
        candidate = _FREE_IDS[(start + number) % len(_FREE_IDS)]
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            pwd.getpwuid(candidate)
        except KeyError:
            with suppress(OSError):  # another grader has it
                claim.bind(f"\0grader-user-{candidate}")
                return ClaimedUser(candidate, claim)
        claim.close()
    raise HostError(f"every user id from {_FREE_IDS[0]} to {_FREE_IDS[-1]} is taken; free one for the sandbox")


def become(user: int, own: int | None = None) -> None:
    """Give up our identity for that of `user`, in this thread alone. Raises OSError.

    With an id of its `own`, which nobody else has, the thread only acts as `user`: it may signal the processes of that
    user, and they may not signal it, and with it all of us (kill(2): the real or the saved id of who is signalled).
    """
    ids = (user, user, user) if own is None else (own, user, own)
    system_call("setgroups", 0, None)
    system_call("setresgid", user, user, user)
    system_call("setresuid", *ids)
    if os.getresuid() != ids:
        raise OSError(f"the kernel gives nobody the user id {user}")


@contextmanager
def _acting_as(
    user: int | None, *, set_user: Callable[[int], object], set_group: Callable[[int], object]
) -> Iterator[None]:
    if user is None:
        yield
        return
    set_group(user)
    set_user(user)
    try:
        yield
    finally:
        set_user(os.geteuid())
        set_group(os.getegid())


creating_as = partial(_acting_as, set_user=LIBC.setfsuid, set_group=LIBC.setfsgid)
"""Let this thread, and only this one, create files as a user (setfsuid(2), a property of the thread)."""

with_real_ids = partial(
    _acting_as,
    set_user=lambda user: LIBC.syscall(call_number("setresuid"), user, -1, -1),
    set_group=lambda group: LIBC.syscall(call_number("setresgid"), group, -1, -1),
)
"""Let this thread, and only this one, have the real ids of a user, which is whose limits it may set (prlimit(2)).

Root could without, but not in a container that has taken this right away."""


def give_streams(streams: Iterable[int], user: int | None) -> None:
    """Make `user` the owner of the pipes and terminals that a command gets, so that it can open them by name.

    `/dev/stdin`, `/dev/fd/1` and `/proc/self/fd/2` lead to the pipe itself. Opening it checks its owner and mode
    (proc(5)), which reading an inherited descriptor does not. Raises OSError.
    """
    if user is None:
        return
    for stream in dict.fromkeys(streams):
        is_pipe = stat.S_ISFIFO(os.fstat(stream).st_mode)
        if not (is_pipe or os.isatty(stream)):
            continue
        try:
            os.fchown(stream, user, user)
        except OSError as error:  # in a container that has taken this right away, or has not that user
            if not is_pipe or error.errno not in (errno.EPERM, errno.EINVAL):
                raise
            os.fchmod(stream, 0o666)  # only who may look at the command's descriptors gets to it


@cache
def adopt_orphans() -> None:
    """Become the parent of our children's orphans (prctl(2), PR_SET_CHILD_SUBREAPER), so as to wait for them."""
    system_call("prctl", _PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


# ---------------------------------------------------------------- what a thread, and all that it starts, may not do


def restrict_system_calls(program: bytes) -> None:
    """Give up new privileges, and every system call that the filter refuses; for good. Raises OSError."""
    loaded = ctypes.create_string_buffer(program, len(program))
    described = struct.pack("HxxxxxxP", len(program) // _INSTRUCTION_BYTES, ctypes.addressof(loaded))
    system_call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    system_call("prctl", _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, described, 0, 0)


def restrict_files(rules: int) -> None:
    """Give up new privileges, and every access to files that the Landlock ruleset does not allow. Raises OSError."""
    system_call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    system_call("landlock_restrict_self", rules, 0)
