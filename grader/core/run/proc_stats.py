"""What a command uses while it runs, all its processes together, read from /proc.

Resource limits bind single processes; a command may have many. So the sum is taken from outside, a few times a second.
Forked processes share memory that each of them counts as resident: only when the cheap sum is over the limit is the
proportional share asked for, which is exact and slow (proc(5): stat, smaps_rollup).
"""

import os
from collections.abc import Sequence

from msgspec import Struct

_CLOCK_TICK = 1 / os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_SPAWNING = {"x86_64": (b"56", b"58", b"435"), "aarch64": (b"220", b"435")}.get(os.uname().machine, ())
"""clone, vfork and clone3: there one waits as if for a disk, but for a child of one's own, and as long as one likes"""
_LOOKS_PER_STATE = 8
"""looks for each at which the state of every thread is read: a JVM has dozens, and each takes a file"""


class Usage(Struct, frozen=True, kw_only=True):
    """Sums over the processes that are alive; `cpu` also has that of the children they have waited for."""

    cpu: float = 0.0
    memory: int = 0
    processes: int = 0
    awake: bool = False
    """whether the first thread of any of them runs, could run, or waits for a disk"""


def usage(proc: int, pids: Sequence[int]) -> Usage:
    """Return what the processes `pids` of the /proc open as `proc` use. One that has just ended counts nothing."""
    cpu, memory, processes, awake = 0.0, 0, 0, False
    for pid in pids:
        # The name, in parentheses, may hold blanks; fields are counted from behind it, the state being number 3.
        fields = _read_proc(proc, f"{pid}/stat").rpartition(b")")[2].split()
        if not fields:
            continue
        cpu += sum(int(field) for field in fields[11:15]) * _CLOCK_TICK
        processes += int(fields[17])
        memory += int(fields[21]) * _PAGE_BYTES
        awake = awake or _is_awake(proc, str(pid), fields[0])
    return Usage(cpu=cpu, memory=memory, processes=processes, awake=awake)


class _Account(Struct, frozen=True, kw_only=True):
    """What a thread has had when it was last seen to have run or waited, in seconds."""

    ran: float = 0.0
    waited: float = 0.0
    all_ran: float
    """what all of the command had run by then"""


class RunDelay:
    """How long a command could have run and had no processor: `seconds`, growing look by look (proc(5), schedstat).

    The kernel counts it for each thread, and forgets it with the thread. Threads that wait at the same time hold a
    command up only once, so a look adds what the one that waited longest has waited. What others of the command ran
    meanwhile is taken off: a command that waits for its own threads does not wait for the machine.

    This account misses what a virtual machine has to wait for itself. So at some looks the states of the threads are
    read as well: one that could run is never counted as asleep.
    """

    def __init__(self) -> None:
        """Begin with nothing waited."""
        self.seconds = 0.0
        self._known: dict[str, _Account] = {}
        self._seen = self._all_ran = 0.0
        self._looks = self._asleep = 0

    @property
    def slept(self) -> float | None:
        """The share of the looks at all states at which every thread was asleep; None when there was none."""
        looks = self._looks // _LOOKS_PER_STATE
        return self._asleep / looks if looks else None

    def look(self, proc: int, pids: Sequence[int], cpu: float) -> None:
        """Add what the threads of the processes have waited since the last look; `cpu` is what `usage` says of them."""
        self._looks += 1
        if self._looks % _LOOKS_PER_STATE == 0:
            self._asleep += asleep(proc, pids)
        found: dict[str, tuple[float, float]] = {}
        for pid in pids:
            for thread in _names_below(proc, f"{pid}/task"):
                fields = _read_proc(proc, f"{pid}/task/{thread}/schedstat").split()
                if fields:  # nothing for one that has just ended, and on a kernel without this account
                    found[thread] = (int(fields[0]) / 1e9, int(fields[1]) / 1e9)
        before = {thread: self._known.get(thread) or _Account(all_ran=self._all_ran) for thread in found}
        self._seen += sum(ran - before[thread].ran for thread, (ran, _) in found.items())
        # Those that came and went between two looks are in the other account alone, which counts in clock ticks.
        self._all_ran = max(self._all_ran, self._seen, cpu - _CLOCK_TICK * len(pids))
        longest = 0.0
        for thread, (ran, waited) in found.items():
            last = before[thread]
            if (ran, waited) == (last.ran, last.waited):
                continue  # the present wait is counted when it is over
            ran_meanwhile = self._all_ran - last.all_ran - (ran - last.ran)
            longest = max(longest, waited - last.waited - max(0.0, ran_meanwhile))
            before[thread] = _Account(ran=ran, waited=waited, all_ran=self._all_ran)
        self.seconds += longest
        self._known = before


def proportional_memory(proc: int, pids: Sequence[int]) -> tuple[int, int]:
    """Return the bytes resident, shared pages counted once in all; and what they are less than when counted by each.

    Between vfork and exec a process has no memory of its own: the kernel shows that of its parent in both.
    """
    total = {b"Rss:": 0, b"Pss:": 0}
    spawned_by = {pid: parent for pid in pids if (parent := _parent(proc, pid)) in pids}
    waiting = {parent for parent in spawned_by.values() if _waits_for_child(proc, parent)}
    maps = {pid: _read_proc(proc, f"{pid}/smaps_rollup") for pid in pids}
    for pid in pids:
        spawner = spawned_by.get(pid)
        if spawner in waiting and _range(maps[pid]) == _range(maps[spawner]):
            continue
        for line in maps[pid].splitlines():
            name, *amount = line.split()
            if name in total:
                total[name] += int(amount[0]) * 1024
    return total[b"Pss:"], total[b"Rss:"] - total[b"Pss:"]


def _parent(proc: int, pid: int) -> int:
    fields = _read_proc(proc, f"{pid}/stat").rpartition(b")")[2].split()
    return int(fields[1]) if fields else 0


def _range(maps: bytes) -> bytes:
    """Return the first and last address of a process: random, and the same in a copy."""
    return maps.partition(b" ")[0]


def _waits_for_child(proc: int, pid: int) -> bool:
    """Whether a thread of a process waits until its child has a program of its own."""
    threads = [f"{pid}/task/{thread}" for thread in _names_below(proc, f"{pid}/task")]
    return any(_is_spawning(proc, thread) for thread in threads if _state(proc, thread) == b"D")


def page_tables(proc: int, pids: Sequence[int]) -> int:
    """Return the bytes in which the kernel keeps where the processes' memory is; they are resident nowhere else."""
    lines = (line.split() for pid in pids for line in _read_proc(proc, f"{pid}/status").splitlines())
    return sum(int(line[1]) * 1024 for line in lines if line[:1] == [b"VmPTE:"])


def socket_buffers(proc: int) -> int:
    """Return the bytes that wait in the buffers of TCP and UDP, in a network of the command's own."""
    waiting = 0
    for name in ("tcp", "tcp6", "udp", "udp6"):
        for line in _read_all(proc, f"1/net/{name}").splitlines()[1:]:
            sent, _, received = line.split()[4].partition(b":")  # both in hexadecimal (proc(5))
            waiting += int(sent, 16) + int(received, 16)
    return waiting


def asleep(proc: int, pids: Sequence[int]) -> bool:
    """Whether every thread of the processes waits for something: none runs, could run, or waits for a disk."""
    threads = [f"{pid}/task/{thread}" for pid in pids for thread in _names_below(proc, f"{pid}/task")]
    states = {thread: _state(proc, thread) for thread in threads}
    return bool(states) and not any(_is_awake(proc, thread, state) for thread, state in states.items())


def waiting_in(proc: int, pids: Sequence[int]) -> tuple[bytes, ...]:
    """Return the kernel function in which each thread of the processes waits; `0` where the kernel hides it."""
    threads = [f"{pid}/task/{thread}" for pid in pids for thread in _names_below(proc, f"{pid}/task")]
    return tuple(_read_proc(proc, f"{thread}/wchan") or b"0" for thread in threads)


def _is_awake(proc: int, thread: str, state: bytes) -> bool:
    """Whether a thread in such a state runs, could run, or waits for a disk."""
    if state == b"D":
        return not _is_spawning(proc, thread)
    return state == b"R"


def _state(proc: int, thread: str) -> bytes:
    return _read_proc(proc, f"{thread}/stat").rpartition(b")")[2].strip()[:1]


def _is_spawning(proc: int, thread: str) -> bool:
    return _read_proc(proc, f"{thread}/syscall").partition(b" ")[0] in _SPAWNING


def _names_below(proc: int, folder: str) -> list[str]:
    try:
        # By this path, since `listdir` of a descriptor makes twice the system calls.
        return os.listdir(f"/proc/self/fd/{proc}/{folder}")  # noqa: PTH208 - names alone
    except OSError:
        return []


def _read_proc(proc: int, name: str) -> bytes:
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc)
        try:
            return os.read(descriptor, 4096)
        finally:
            os.close(descriptor)
    except OSError:
        return b""


def _read_all(proc: int, name: str) -> bytes:
    """Return a file of any length, which the kernel hands out in pieces."""
    try:
        with os.fdopen(os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc), "rb") as file:
            return file.read()
    except OSError:
        return b""
