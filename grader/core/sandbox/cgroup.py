"""A control group for each command, where the machine lets us make one: its memory, processes and share of processors.

The kernel counts in it what no sum over processes shows: files in memory, page tables, buffers of sockets, inodes. It
kills a command over its limit, and all processes of a command have together the share of one.

As root both versions of control groups do; else a part of version 2 that is ours, as systemd hands it out to users. A
command is in its group before it gives up our identity. The names show the owner: the groups of a run
of ours that was killed are removed by the next run.

The interface is files. cgroupspy, the library for it, knows no threads of version 1 and reuses no group.
"""

import atexit
import ctypes
import errno
import fcntl
import itertools
import os
import pwd
import re
import resource
import signal
import socket
import stat
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct

from grader.core.errors import HostError
from grader.core.sandbox.seccomp import call_number

Pooled = TypeVar("Pooled")


class Pool(Generic[Pooled]):
    """What is idle, the oldest first; it belongs to this process, so a fork begins with nothing."""

    def __init__(self, most: int, end: Callable[[Pooled], None]) -> None:
        """Keep at most so many; `end` is called for each that is not used again."""
        self.idle: list[Pooled] = []
        self._most, self._end = most, end
        os.register_at_fork(after_in_child=self.idle.clear)

    def take(
        self, is_wanted: Callable[[Pooled], bool], is_usable: Callable[[Pooled], bool] = lambda _: True
    ) -> Pooled | None:
        """Return one that is wanted and still usable; those that are wanted and no longer usable are ended."""
        for item in filter(is_wanted, [*self.idle]):
            try:
                self.idle.remove(item)
            except ValueError:  # another thread has it by now
                continue
            if is_usable(item):
                return item
            self._end(item)
        return None

    def give_back(self, item: Pooled) -> None:
        """Make it available to others; the oldest is ended if there are too many."""
        self.idle.append(item)
        if len(self.idle) > self._most:
            with suppress(IndexError):
                self._end(self.idle.pop(0))

    def clear(self) -> None:
        """End all that are idle."""
        while self.idle:
            self._end(self.idle.pop())


_SPARE_TASKS = 32
"""over the limit of processes: those around the command, and enough for the meter to see that there are too many"""
_ALMOST = 0.9  # the share of its memory that a group had at least when the kernel killed because of its limit
_MAX_IDLE = 16  # groups that wait for the next command
_LITTLE = 4 * 2**20  # bytes that a group may still have of the command before: what the kernel has not yet taken back
_SOCKET_BYTES = 32 * 2**20
"""in the buffers of TCP and UDP, which version 1 counts apart from the rest: over it, they take no more"""
_REMOVALS, _PAUSE = 100, 0.002
_CONTROLLERS = ("memory", "pids", "cpu")
_MOUNTS, _OURS = "/proc/self/mountinfo", "/proc/self/cgroup"
_MACHINE = "/proc/vmstat"
_NEVER_FULL = b"\noom 0\n"
_OOM_KILLS = re.compile(rb"^oom_kill (\d+)$", re.MULTILINE)


class Hierarchy(Struct, frozen=True, kw_only=True):
    """Where groups can be made: the folders, by controller, and the names of the files in them."""

    version: str
    folders: Mapping[str, str]
    entrance: str
    memory: str  # the file that takes the limit
    settings: Mapping[str, str]  # files, with what is written to them; what a kernel does not have is left out
    usage: str
    peak: str
    events: str


class ControlGroup:
    """The group of one command, which is put into it while it waits at its gate."""

    def __init__(
        self, hierarchy: Hierarchy, folders: Mapping[str, str], held: ExitStack, *, memory: int, processes: int = 0
    ) -> None:
        """Take over the `folders` of a new group, by controller, and with it what is `held`."""
        self.kind = (memory, processes)
        self._memory, self._folders, self._held = memory, tuple(dict.fromkeys(folders.values())), held
        self._processes = os.path.join(folders["memory"], "cgroup.procs")
        self.entrances = [self._open(os.path.join(folder, hierarchy.entrance), os.O_WRONLY) for folder in self._folders]
        """descriptors by which who writes a process id, 0 for itself, puts that process into the group"""
        files = (hierarchy.events, hierarchy.usage, hierarchy.peak)
        self._events, self._usage, self._peak = (
            self._open(os.path.join(folders["memory"], name), os.O_RDONLY) for name in files
        )
        self._held = held.pop_all()

    def _open(self, path: str, flags: int) -> int:
        """Return a descriptor that is open as long as the group exists; -1 where this kernel has no such file."""
        try:
            descriptor = os.open(path, flags | os.O_CLOEXEC)
        except FileNotFoundError:
            return -1
        self._held.callback(os.close, descriptor)
        return descriptor

    def admit(self, pid: int) -> None:
        """Take in a process that is alone and has one thread."""
        for entrance in self.entrances:
            os.write(entrance, b"%d" % pid)

    def exhausted(self) -> int:
        """Return the peak of its memory in bytes if the kernel killed a process of it at its limit; else 0."""
        most = self._peak_of_killed()
        return most if most > self._memory * _ALMOST else 0

    def is_killed_by_host(self) -> bool:
        """Whether the kernel killed a process of it below its limit, because others used the memory."""
        return 0 < self._peak_of_killed() <= self._memory * _ALMOST

    def _peak_of_killed(self) -> int:
        """Return its highest memory if the kernel killed a process of it; both versions count kills of every cause."""
        events = os.pread(self._events, 4096, 0)
        if _count_kills(events) == 0:
            return 0
        if self._peak < 0:  # version 2 before Linux 5.19, which counts how often its own limit was the cause
            return 1 if _NEVER_FULL in events else self._memory
        return _number_in(self._peak)

    def processes(self) -> list[int]:
        """Return the ids of all that is alive in it, as we see them."""
        with open(self._processes, "rb", buffering=0) as file:  # an open descriptor may list old ones (version 1)
            return [*map(int, file.read().split())]

    def is_like_new(self) -> bool:
        """Whether another command can have it: no process is alive or was killed in it, and its memory is free again.

        Its highest memory stays, which only matters after a kill: then it shows whether the limit was near. After a
        command that came near the limit without a kill, the group is not reused.
        """
        if self._peak < 0:  # version 2 before Linux 5.19
            return False
        with suppress(OSError):
            return (
                not self.processes()
                and _count_kills(os.pread(self._events, 4096, 0)) == 0
                and _number_in(self._usage) < _LITTLE
                and _number_in(self._peak) <= self._memory * _ALMOST
            )
        return False

    def close(self) -> None:
        """Leave it to the next command with these limits, once nothing of this one is alive."""
        _GROUPS.give_back(self)

    def remove(self) -> None:
        """Remove it; it is closed already. The next run removes what remains."""
        self._held.close()


_GROUPS = Pool[ControlGroup](_MAX_IDLE, ControlGroup.remove)  # groups that had a command, and wait for another
remove_idle = atexit.register(_GROUPS.clear)


def new_group(*, memory: int, processes: int) -> ControlGroup | None:
    """Return a group with limits in bytes and processes; None where there are no groups. HostError on failure."""
    place = hierarchy()
    if place is None:
        return None
    if idle := _GROUPS.take(lambda group: group.kind == (memory, processes), ControlGroup.is_like_new):
        return idle
    name = _prefix(os.getpid()) + str(next(_NUMBERS))
    folders = {controller: os.path.join(folder, name) for controller, folder in place.folders.items()}
    try:
        with ExitStack() as held:
            for folder in dict.fromkeys(folders.values()):
                os.mkdir(folder)
                held.callback(_remove, folder)
            _write(os.path.join(folders["memory"], place.memory), str(memory))
            _write(os.path.join(folders["pids"], "pids.max"), str(processes + _SPARE_TASKS))
            for file, text in place.settings.items():
                with suppress(FileNotFoundError):
                    _write(os.path.join(folders["memory"], file), text)
            return ControlGroup(place, folders, held, memory=memory, processes=processes)
    except OSError as error:
        raise HostError(f"no control group can be made any more: {error}") from error


_NUMBERS = itertools.count(1)


def _count_kills(events: bytes) -> int:
    kills = _OOM_KILLS.search(events)
    return int(kills[1]) if kills else 0


def _write(path: str, text: str) -> None:
    with open(path, "r+b", buffering=0) as file:
        file.write(text.encode())


def _number_in(descriptor: int) -> int:
    return int(os.pread(descriptor, 64, 0))


def _remove(folder: str) -> None:
    for _ in range(_REMOVALS):
        with suppress(OSError):  # the kernel may not be done with its last process
            os.rmdir(folder)
        if not os.path.isdir(folder):
            return
        time.sleep(_PAUSE)


# ---------------------------------------------------------------- what this machine lets us have


@cache
def hierarchy() -> Hierarchy | None:
    """Return where we can make groups, as a trial showed; None if nowhere. Removes the groups of our dead runs."""
    for place in _candidates():
        trials = [os.path.join(folder, _prefix(os.getpid()) + "0") for folder in dict.fromkeys(place.folders.values())]
        try:
            for folder in place.folders.values():
                _sweep(folder)
            for trial in trials:
                os.mkdir(trial)
                if not os.access(os.path.join(trial, place.entrance), os.W_OK):
                    break
            else:
                return place
        except OSError:
            continue
        finally:
            for trial in trials:
                with suppress(OSError):
                    os.rmdir(trial)
    return None


def _candidates() -> Iterator[Hierarchy]:
    mounts = _mounts()
    ours: dict[str, str] = {}
    with open(_OURS, encoding="utf-8") as file:
        for line in file:
            _, names, path = line.rstrip("\n").split(":", 2)
            ours |= dict.fromkeys(names.split(","), path)
    if all(name in mounts and name in ours for name in _CONTROLLERS):
        folders = {name: os.path.normpath(mounts[name] + ours[name]) for name in _CONTROLLERS}
        yield Hierarchy(
            version="cgroup v1",
            folders=folders,
            entrance="tasks",
            memory="memory.limit_in_bytes",
            settings={"memory.swappiness": "0", "memory.kmem.tcp.limit_in_bytes": str(_SOCKET_BYTES)},
            usage="memory.usage_in_bytes",
            peak="memory.max_usage_in_bytes",
            events="memory.oom_control",
        )
    if "" in mounts and "" in ours:
        path = os.path.normpath(mounts[""] + ours[""])
        while path.startswith(mounts[""]):
            # Processes only live in leaves: our own group cannot have any below it, one above it may.
            with suppress(OSError), open(os.path.join(path, "cgroup.subtree_control"), encoding="utf-8") as file:
                if {"memory", "pids"} <= set(file.read().split()) and os.access(f"{path}/cgroup.procs", os.W_OK):
                    yield Hierarchy(
                        version="cgroup v2",
                        folders={"memory": path, "pids": path},
                        entrance="cgroup.procs",
                        memory="memory.max",
                        settings={"memory.swap.max": "0", "memory.oom.group": "1"},
                        usage="memory.current",
                        peak="memory.peak",
                        events="memory.events",
                    )
            path = os.path.dirname(path)


def memory_kills() -> int:
    """Return how often this machine's kernel has killed for lack of memory; 0 where it does not count."""
    with suppress(OSError), open(_MACHINE, "rb") as file:
        return _count_kills(file.read())
    return 0


def _mounts() -> Mapping[str, str]:
    """Return where each controller is mounted; version 2 is called "", as in /proc/self/cgroup."""
    mounts: dict[str, str] = {}
    with open(_MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            before, _, after = line.partition(" - ")
            kind, _, options = after.split()[:3]
            if kind in {"cgroup", "cgroup2"} and before.split()[3] == "/":
                names = [""] if kind == "cgroup2" else options.split(",")
                mounts |= {name: before.split()[4] for name in names if name not in mounts}
    return mounts


def _prefix(pid: int | str) -> str:
    return f"grader-{os.stat('/proc/self/ns/pid').st_ino}-{pid}-"


def _sweep(folder: str) -> None:
    """Remove the groups of our processes that have ended, and kill what is alive in them.

    A command of level `full` is alive there if we were killed at the moment when its gate opened.
    """
    ours = re.compile(_prefix(r"(\d+)") + r"\d+")
    for name in os.listdir(folder):
        match = ours.fullmatch(name)
        if match and not os.path.exists(f"/proc/{match[1]}"):
            path = os.path.join(folder, name)
            with suppress(OSError), open(os.path.join(path, "cgroup.procs"), encoding="utf-8") as file:
                for pid in map(int, file):
                    os.kill(pid, signal.SIGKILL)
            _remove(path)


# ---------------- As whom a command runs, and what its process may not do: all of it properties of a thread of ours


LIBC = ctypes.CDLL(None, use_errno=True)
_FREE_IDS: Sequence[int] = range(60578, 61184)  # not assigned by Debian or systemd (systemd.io/UIDS-GIDS)
_PR_SET_SECCOMP, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 22, 36, 38
_SECCOMP_MODE_FILTER = 2
_INSTRUCTION_BYTES = 8


def system_call(name: str, *arguments: int | bytes | None) -> int:
    """Make a system call of Linux and return what it returns. Raises OSError."""
    result: int = LIBC.syscall(call_number(name), *arguments)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


# ---------------------------------------------------------------- users


class ClaimedUser(Struct, frozen=True):
    """A user id for one command at a time, which no other grader on this machine takes meanwhile."""

    id: int
    claim: socket.socket  # reserves the id until it is closed


@cache
def has_spare_users() -> bool:
    """Whether we can run commands as other users: as root, except in a container without ids for them."""
    return os.geteuid() == 0 and all(_maps_spare_ids(path) for path in ("/proc/self/uid_map", "/proc/self/gid_map"))


def is_root_of_machine() -> bool:
    """Whether we may change the kernel's settings, whatever our id is called in our user namespace."""
    return os.stat("/proc/sys/kernel").st_uid == os.geteuid()


def _maps_spare_ids(path: str) -> bool:
    """Whether the ids that we use exist in our user namespace: rows of first id inside, outside, and how many."""
    with open(path, encoding="utf-8") as file:
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


# ---------------- What the kernel gives to each user, where commands have none of their own: whether it is used up


_PIPE_PAGES = 16  # the room of a pipe, until its user has too many (pipe(7))
_TERMINALS = ("nr", "max", "reserve")


def is_share_used_up() -> bool:
    """Whether the kernel gives our user smaller pipes than usual, no watch of files, or a sandbox no terminal.

    It counts them by user (pipe(7), inotify(7)) or for the machine, so a command that runs as we do lacks them too.
    """
    with suppress(OSError):
        used, most, reserved = (int(Path(f"/proc/sys/kernel/pty/{name}").read_bytes()) for name in _TERMINALS)
        if used >= most - reserved - 1:  # the kernel counts the one that it refuses; some are the machine's own
            return True
    ends = os.pipe2(os.O_CLOEXEC)
    watch = int(LIBC.inotify_init1(os.O_CLOEXEC))
    try:
        return watch < 0 or fcntl.fcntl(ends[0], fcntl.F_GETPIPE_SZ) < _PIPE_PAGES * resource.getpagesize()
    finally:
        for descriptor in (*ends, watch):
            if descriptor >= 0:
                os.close(descriptor)
