"""A control group for each command, where the machine lets us make one: its memory, processes and share of processors.

The kernel counts there what no sum over processes shows: files in memory, page tables, buffers of sockets, inodes. What
is over the limit ends with the kernel killing; and however many processes a command starts, they weigh as one.

As root both versions of control groups do; else a part of version 2 that is ours, as systemd hands it out to users. A
command is in its group before it gives up our identity. The names show the owner: the groups of a run
of ours that was killed are removed by the next run.

It is files that are read and written: cgroupspy, the library for it, knows no threads of version 1 and reuses no group.
"""

import atexit
import itertools
import os
import re
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from functools import cache

from msgspec import Struct

from grader.core.errors import HostError
from grader.core.sandbox.pool import Pool

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
        self.entrances = [self._open(os.path.join(one, hierarchy.entrance), os.O_WRONLY) for one in self._folders]
        """descriptors by which who writes a process id, 0 for itself, puts that process into the group"""
        files = (hierarchy.events, hierarchy.usage, hierarchy.peak)
        self._events, self._usage, self._peak = (
            self._open(os.path.join(folders["memory"], name), os.O_RDONLY) for name in files
        )
        self._held = held.pop_all()

    def _open(self, path: str, flags: int) -> int:
        """Return a descriptor that is open as long as the group is there; -1 where this kernel has no such file."""
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
        """Return the most memory that it had, in bytes, if the kernel killed since it may have no more; else 0."""
        most = self._peak_of_killed()
        return most if most > self._memory * _ALMOST else 0

    def is_killed_by_host(self) -> bool:
        """Whether the kernel killed in it for want of memory, though it had not all that it may: others had it."""
        return 0 < self._peak_of_killed() <= self._memory * _ALMOST

    def _peak_of_killed(self) -> int:
        """Return the most memory that it had, if the kernel killed in it; both versions count kills of every cause."""
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
        """Whether another command can have it: nothing is alive in it, nothing was killed, and its memory is back.

        The most that it ever had stays, and decides nothing: that is asked for after a kill, to see whether it is near
        the limit. After a command that came near it without a kill, the group is not reused.
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
        """Remove it, which is closed. What will not go is left to the next run."""
        self._held.close()


_GROUPS = Pool[ControlGroup](_MAX_IDLE, ControlGroup.remove)  # groups that had a command, and wait for another
remove_idle = atexit.register(_GROUPS.clear)


def new_group(*, memory: int, processes: int) -> ControlGroup | None:
    """Return a group for so many bytes and processes; None where we can have none. Raises HostError when it fails."""
    found = hierarchy()
    if found is None:
        return None
    if idle := _GROUPS.take(lambda group: group.kind == (memory, processes), ControlGroup.is_like_new):
        return idle
    name = _prefix(os.getpid()) + str(next(_NUMBERS))
    folders = {controller: os.path.join(folder, name) for controller, folder in found.folders.items()}
    try:
        with ExitStack() as held:
            for folder in dict.fromkeys(folders.values()):
                os.mkdir(folder)
                held.callback(_remove, folder)
            _write(os.path.join(folders["memory"], found.memory), str(memory))
            _write(os.path.join(folders["pids"], "pids.max"), str(processes + _SPARE_TASKS))
            for file, text in found.settings.items():
                with suppress(FileNotFoundError):
                    _write(os.path.join(folders["memory"], file), text)
            return ControlGroup(found, folders, held, memory=memory, processes=processes)
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
    """Return where we can make groups, tried out; None when nowhere. Removes what dead runs of ours have left."""
    for found in _candidates():
        trials = [os.path.join(folder, _prefix(os.getpid()) + "0") for folder in dict.fromkeys(found.folders.values())]
        try:
            for folder in found.folders.values():
                _sweep(folder)
            for trial in trials:
                os.mkdir(trial)
                if not os.access(os.path.join(trial, found.entrance), os.W_OK):
                    break
            else:
                return found
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
            with suppress(OSError), open(os.path.join(path, "cgroup.subtree_control"), encoding="ascii") as file:
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
    """Return how often the kernel has killed for want of memory on this machine; 0 where it does not count that."""
    with suppress(OSError), open(_MACHINE, "rb") as file:
        return _count_kills(file.read())
    return 0


def _mounts() -> Mapping[str, str]:
    """Return where each controller is mounted; version 2 is called "", as in /proc/self/cgroup."""
    found: dict[str, str] = {}
    with open(_MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            before, _, after = line.partition(" - ")
            kind, _, options = after.split()[:3]
            if kind in {"cgroup", "cgroup2"} and before.split()[3] == "/":
                names = [""] if kind == "cgroup2" else options.split(",")
                found |= {name: before.split()[4] for name in names if name not in found}
    return found


def _prefix(pid: int | str) -> str:
    return f"grader-{os.stat('/proc/self/ns/pid').st_ino}-{pid}-"


def _sweep(folder: str) -> None:
    """Remove the groups of processes of ours that are no more, with what is alive in them.

    A command of level `full` is, if we were killed in the moment in which its gate had opened.
    """
    ours = re.compile(_prefix(r"(\d+)") + r"\d+")
    for name in os.listdir(folder):
        match = ours.fullmatch(name)
        if match and not os.path.exists(f"/proc/{match[1]}"):
            path = os.path.join(folder, name)
            with suppress(OSError), open(os.path.join(path, "cgroup.procs"), encoding="ascii") as file:
                for pid in map(int, file):
                    os.kill(pid, signal.SIGKILL)
            _remove(path)
