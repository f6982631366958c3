"""What a running command has had of the machine, and for which limit it is ended: its time, and looks at /proc."""

import fcntl
import math
import os
import signal
import socket
import struct
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, get_args

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from grader.core.model.execution import SIGNAL_STATUS, Doubt, Ending, Launch
from grader.core.model.limits import LIMITS, LimitName
from grader.core.sandbox.cgroup import is_share_used_up, memory_kills
from grader.core.sandbox.command import Ended, SandboxedCommand, becomes_readable

_CLOCK_TICK = 1 / os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_SPAWNING = {"x86_64": (b"56", b"58", b"435"), "aarch64": (b"220", b"435")}.get(os.uname().machine, ())
"""clone, vfork and clone3: there one waits as if for a disk, but for a child of one's own, and as long as one likes"""
_LOOKS_PER_STATE = 8
"""looks for each at which the state of every thread is read: a JVM has dozens, and each takes a file"""
_STATE, _PARENT, _TIMES, _THREADS, _RESIDENT = 0, 1, slice(11, 15), 17, 21
"""places among the fields of /proc/PID/stat behind the name"""


class Usage(Struct, frozen=True, kw_only=True):
    """Sums over the processes that are alive; `cpu` also has that of the children they have waited for."""

    cpu: float = 0.0
    memory: int = 0
    processes: int = 0
    awake: bool = False  # whether the first thread of any of them runs, could run, or waits for a disk

    def highest(self, other: "Usage") -> "Usage":
        """Return of each of the two figures the higher one."""
        return Usage(**{name: max(figure, getattr(other, name)) for name, figure in asdict(self).items()})


def usage(proc: int, pids: Sequence[int]) -> Usage:
    """Return what the processes `pids` of the /proc open as `proc` use. One that has just ended counts nothing."""
    alive = {str(pid): fields for pid in pids if (fields := _stat(proc, str(pid)))}
    return Usage(
        cpu=sum(int(field) for fields in alive.values() for field in fields[_TIMES]) * _CLOCK_TICK,
        memory=sum(int(fields[_RESIDENT]) for fields in alive.values()) * _PAGE_BYTES,
        processes=sum(int(fields[_THREADS]) for fields in alive.values()),
        awake=any(_is_awake(proc, pid, fields[_STATE]) for pid, fields in alive.items()),
    )


class _ThreadTimes(Struct, frozen=True, kw_only=True):
    """What a thread has had when it was last seen to have run or waited, in seconds."""

    ran: float = 0.0
    waited: float = 0.0
    all_ran: float  # what all of the command had run by then


class RunDelay(Struct):
    """How long a command could have run and had no processor: `seconds`, growing look by look (proc(5), schedstat).

    Of threads that wait at the same time the longest wait counts, less what others of the command ran meanwhile: a
    command that waits for its own threads does not wait for the machine. What a virtual machine waits for itself is not
    in this account, so at some looks the states of the threads are read as well.
    """

    seconds: float = 0.0
    _seen: float = 0.0
    _all_ran: float = 0.0
    _known: dict[str, _ThreadTimes] = field(default_factory=dict[str, _ThreadTimes])
    _looks: int = 0
    _asleep: int = 0

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
        # Nothing is there of one that has just ended, and on a kernel without this account.
        fields = {thread: _read(proc, f"{thread}/schedstat").split() for thread in _threads(proc, pids)}
        found = {thread: (int(one[0]) / 1e9, int(one[1]) / 1e9) for thread, one in fields.items() if one}
        before = {thread: self._known.get(thread) or _ThreadTimes(all_ran=self._all_ran) for thread in found}
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
            before[thread] = _ThreadTimes(ran=ran, waited=waited, all_ran=self._all_ran)
        self.seconds += longest
        self._known = before


def proportional_memory(proc: int, pids: Sequence[int]) -> tuple[int, int]:
    """Return the bytes resident, shared pages counted once in all; and what they are less than when counted by each.

    Between vfork and exec the kernel shows a parent's memory in both, with the same random addresses.
    """
    maps = {pid: _read(proc, f"{pid}/smaps_rollup") for pid in pids}
    total = {b"Rss:": 0, b"Pss:": 0}
    for pid in pids:
        parent = int((_stat(proc, str(pid)) or [b"", b"0"])[_PARENT])
        is_same = parent in maps and maps[pid].split(b" ", 1)[0] == maps[parent].split(b" ", 1)[0]
        if is_same and any(_is_spawning(proc, thread) for thread in _threads(proc, [parent])):
            continue
        for line in maps[pid].splitlines():
            name, *amount = line.split()
            if name in total:
                total[name] += int(amount[0]) * 1024
    return total[b"Pss:"], total[b"Rss:"] - total[b"Pss:"]


def page_tables(proc: int, pids: Sequence[int]) -> int:
    """Return the bytes in which the kernel keeps where the processes' memory is; they are resident nowhere else."""
    lines = (line.split() for pid in pids for line in _read(proc, f"{pid}/status").splitlines())
    return sum(int(line[1]) * 1024 for line in lines if line[:1] == [b"VmPTE:"])


def socket_buffers(proc: int) -> int:
    """Return the bytes that wait in the buffers of TCP and UDP, in a network of the command's own."""
    tables = (_read(proc, f"1/net/{name}", whole=True) for name in ("tcp", "tcp6", "udp", "udp6"))
    lines = (line for table in tables for line in table.splitlines()[1:])
    sizes = (line.split()[4].split(b":") for line in lines)  # what is sent and received, in hexadecimal (proc(5))
    return sum(int(size, 16) for both in sizes for size in both)


def asleep(proc: int, pids: Sequence[int]) -> bool:
    """Whether every thread of the processes waits for something: none runs, could run, or waits for a disk."""
    states = {thread: fields[_STATE] for thread in _threads(proc, pids) if (fields := _stat(proc, thread))}
    return bool(states) and not any(_is_awake(proc, thread, state) for thread, state in states.items())


def own_delay() -> float:
    """Return the seconds that this thread of ours could have run and had no processor, since it started."""
    return int((_read(-1, "/proc/thread-self/schedstat").split() or [b"0", b"0"])[1]) / 1e9


def waiting_in(proc: int, pids: Sequence[int]) -> tuple[bytes, ...]:
    """Return the kernel function in which each thread of the processes waits; `0` where the kernel hides it."""
    return tuple(_read(proc, f"{thread}/wchan") or b"0" for thread in _threads(proc, pids))


def _is_awake(proc: int, thread: str, state: bytes) -> bool:
    """Whether a thread in such a state runs, could run, or waits for a disk."""
    return state == b"R" or (state == b"D" and not _is_spawning(proc, thread))


def _is_spawning(proc: int, thread: str) -> bool:
    """Whether a thread waits until its child has a program of its own."""
    return _read(proc, f"{thread}/syscall").partition(b" ")[0] in _SPAWNING


def _stat(proc: int, thread: str) -> list[bytes]:
    """Return the fields of a process or thread; none of one that has ended. The name before may have blanks."""
    return _read(proc, f"{thread}/stat").rpartition(b")")[2].split()


def _threads(proc: int, pids: Sequence[int]) -> Iterator[str]:
    for pid in pids:
        # By this path, since `listdir` of a descriptor makes twice the system calls.
        with suppress(OSError):
            yield from (f"{pid}/task/{name}" for name in os.listdir(f"/proc/self/fd/{proc}/{pid}/task"))  # noqa: PTH208


def _read(proc: int, name: str, *, whole: bool = False) -> bytes:
    """Return what one read gives of a file of /proc, or all of it; nothing of a process that has ended."""
    content = b""
    with suppress(OSError), os.fdopen(os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc), "rb", 0) as file:
        content = file.read(4096)
        while whole and (more := file.read(4096)):
            content += more
    return content


GRACE_FACTOR: Final = 1.1
"""A command may overrun its time by this factor before it is ended, so that a near miss differs from a hang."""
_STARVED_SHARE = 0.1  # the share of its time that a command has waited for processors on a machine that is too busy


class Account(Struct, frozen=True, kw_only=True):
    """What a command has had of the machine since it started, in seconds; the difference of two is the time between."""

    time: float = 0.0
    waited: float = 0.0
    time_credit: float = 0.0
    cpu: float = 0.0
    looks: int = 0
    looks_awake: int = 0  # looks at which it worked or could have worked


class MeteredCommand:
    """A command whose time and use of the machine are measured from its start to its end."""

    work = -1  # a descriptor of its working folder, once that has its files
    outcome: Ended  # how it ended, once it has

    def __init__(self, launch: Launch, command: SandboxedCommand) -> None:
        """Measure `command` by the limits of `launch`, from `start_clock` on."""
        self.launch, self.command = launch, command
        self.why: Ending | None = None  # why it was ended; None as long as it was not, and where it ended by itself
        self.started = self.ended = 0.0
        self.peak = Usage()
        self.doubts = set[Doubt]()  # what the machine lacked, so that how the command ended may not be its own doing
        self.delay = RunDelay()
        self._granted = -math.inf
        self._last_call: tuple[float, Ending] = math.inf, "partner"  # when it is ended at the latest, and why then
        self._shared_memory = self._most_seen = self._memory_kills = self._looks = self._looks_awake = 0

    def start_clock(self) -> None:
        """Let its time begin."""
        self.delay.seconds, self._looks = 0.0, 0
        self._memory_kills = 0 if self.command.group else memory_kills()
        self.started = time.monotonic()

    # -- its time

    def grant(self, seconds: float) -> None:
        """Let it run for at least so many more seconds, whatever its limit; for ever where somebody else counts."""
        self._granted = max(self._granted, time.monotonic() + seconds)

    def exclude_time(self, seconds: float) -> None:
        """Leave `seconds` that went by out of the command's account: somebody else took them."""
        self.started += seconds

    @property
    def time_left(self) -> float:
        """Seconds until its time is over, negative from then on; what it is granted beyond is not in it."""
        return self.launch.limits.time * GRACE_FACTOR + self.time_credit - self.elapsed

    @property
    def elapsed(self) -> float:
        """Seconds between its start and its end, or now."""
        return (self.ended or time.monotonic()) - self.started

    @property
    def waited(self) -> float:
        """Seconds since the start in which the command could have run and had no processor."""
        return min(self.delay.seconds, self.elapsed)

    @property
    def time_credit(self) -> float:
        """Seconds by which the waiting for processors lengthens the command's time."""
        return self._credit_for(self.waited)

    def _credit_for(self, waited: float) -> float:
        return min(waited, (self.launch.max_time_factor - 1) * self.launch.limits.time)

    @property
    def over(self) -> tuple[float, Ending]:
        """When it is to be ended, and why; never for one that was, which takes as long as the kernel needs."""
        if self.why:
            return math.inf, self.why
        time_over = max(self.started + self.launch.limits.time * GRACE_FACTOR, self._granted)
        when, why = min((time_over, "time"), self._last_call)
        return when + self.time_credit, why

    # -- looks at it

    def look(self) -> None:
        """See what it uses now, and end it where that passes a limit."""
        self._look_at_share()
        proc, pids = self.command.processes()
        seen = usage(proc, pids)
        self.delay.look(proc, pids, seen.cpu)
        self._looks += 1
        self._looks_awake += seen.awake
        seen = replace(seen, memory=self._memory_of(proc, pids, seen.memory))
        self._most_seen = max(self._most_seen, seen.memory)
        self.peak = self.peak.highest(seen)
        most = {name: row.factor * getattr(self.launch.limits, name) for name, row in LIMITS.items() if row.factor}
        passed: list[LimitName] = [name for name, amount in most.items() if getattr(seen, name) > amount]
        if self._is_exhausted() or "memory" in passed:
            passed = ["memory"]
        if passed:
            self.stop(passed[0])

    def _memory_of(self, proc: int, pids: Sequence[int], memory: int) -> int:
        """Return the memory of all processes, of which each counts what it shares, too, in `memory`."""
        if memory > self.launch.limits.memory:
            memory, shared = proportional_memory(proc, pids)
            self._shared_memory = max(self._shared_memory, shared)
            if memory > self.launch.limits.memory:  # two looks, since processes come and go during one
                memory = min(memory, proportional_memory(*self.command.processes())[0])
        if self.command.group is None:
            memory = max(memory, page_tables(proc, pids))
            memory += socket_buffers(proc) if self.command.has_network else 0
        return memory

    def _look_at_share(self) -> None:
        if self.command.user is None and is_share_used_up():  # others have, what the kernel gives to the shared user
            self.doubts.add("crowded")

    def _is_exhausted(self) -> bool:
        """Whether the kernel killed something of the command's for want of memory; that much it then had."""
        exhausted = self.command.group.exhausted() if self.command.group else 0
        self.peak = self.peak.highest(Usage(memory=exhausted))
        return exhausted > 0

    def account(self) -> Account:
        """Look again, and return what the command has had until now."""
        if not self.ended:
            self.look()
        waited = self.waited  # once: while it is bounded by the time since the start, it grows from look to look
        return Account(
            time=self.elapsed,
            waited=waited,
            time_credit=self._credit_for(waited),
            cpu=self.peak.cpu,
            looks=self._looks,
            looks_awake=self._looks_awake,
        )

    def is_starved(self, since: Account, cpu: float) -> bool:
        """Whether a command whose time is over had too little processor time `since` then for a verdict."""
        now = self.account()
        waited = now.waited - since.waited
        if waited > now.time_credit - since.time_credit:  # for more than could be given back
            return True
        if now.cpu - since.cpu >= cpu / 2:
            return False
        # It was not asleep for the rest: what short-lived processes wait is not in the account.
        was_awake = now.looks_awake - since.looks_awake > (now.looks - since.looks) / 2
        waited_long = waited > _STARVED_SHARE * (now.time - since.time)
        return was_awake or (waited_long and not asleep(*self.command.processes()))

    # -- its end

    def end(self, why: Ending, after: float = 0.0) -> None:
        """End the command, unless it ends by itself within `after` seconds; nothing happens to one that has ended."""
        if after:
            self._last_call = min(self._last_call, (time.monotonic() + after - self.time_credit, why))
        elif not (self.why or self.ended or becomes_readable(self.command.end, 0)):
            if why == "time" and self.is_starved(Account(), self.launch.limits.cpu):
                self.doubts.add("cpu_starved")
            self.stop(why)

    def stop(self, why: Ending) -> None:
        """End the command; the first reason counts."""
        self.why = self.why or why
        self.command.kill()

    @property
    def ended_by_itself(self) -> bool:
        """Whether it has ended, and nobody ended it."""
        return self.ended > 0 and self.why is None

    @property
    def limit(self) -> LimitName | None:
        """The limit for which it was ended."""
        return self.why if self.why in get_args(LimitName) else None  # type: ignore[return-value]

    def reap(self) -> None:
        """Take note of how it ended, and of what it had of the machine."""
        outcome = self.outcome = self.command.wait()
        # We may have been busy, or without a processor, when it ended.
        self.ended = max(self.started, min(time.monotonic(), outcome.time))
        self._look_at_share()
        # A single process at its highest; pages that it shared with others count once, as in every look.
        self.peak = self.peak.highest(Usage(cpu=outcome.cpu, memory=outcome.memory - self._shared_memory))
        if self._is_exhausted():
            self.why = self.why or "memory"
        elif self._most_seen <= self.launch.limits.memory < self.peak.memory:
            self.doubts.add("memory_unconfirmed")
        group, killed = self.command.group, {outcome.signal, (outcome.status or 0) - SIGNAL_STATUS}
        # Without a control group that is possible where anything else was killed meanwhile.
        may_be_hosts = self.why is None and signal.SIGKILL in killed and memory_kills() > self._memory_kills
        if group.is_killed_by_host() if group else may_be_hosts:
            self.doubts.add("killed_by_host")


# The report of a tool that wraps a command; the command can neither forge nor remove what was reported.


MAX_REPORTED = 4 * 2**20  # bytes of the report of one run that are stored
CUT = b"<cut>"  # the end of a report of which a part may be missing
_CREDENTIALS, _TIME = struct.Struct("3i"), struct.Struct("2l")
_CHUNK_BYTES = 65536
_CHUNKS_AT_ONCE = 64  # that are read before somebody looks at the limits of the program again


class ReportSocket:
    """The socket through which a tool that wraps a command reports to us."""

    fact = "reported"  # the field of an execution that has what was `finished`

    def __init__(self) -> None:
        """Make a pair of sockets, of which `theirs` is for the tool."""
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._ours.setblocking(False)  # noqa: FBT003 - so it is called there
        self.theirs, self.fileno = self._theirs.fileno(), self._ours.fileno
        self._free_bytes = MAX_REPORTED
        self._is_cut = self._is_drained = False
        self.reports: dict[int, bytearray] = {}
        """process -> the report about it, in the order in which the processes started"""

    def read(self) -> bool:
        """Read what is there, if that is not too much at once; return False where the program shut the socket."""
        for _ in range(_CHUNKS_AT_ONCE):
            try:
                data, credentials, _, _ = self._ours.recvmsg(_CHUNK_BYTES, socket.CMSG_SPACE(_CREDENTIALS.size))
            except BlockingIOError:
                self._is_drained = True
                break
            if not data:
                self._is_cut = self._is_drained = True
                return False
            self.take(_CREDENTIALS.unpack(credentials[0][2])[0] if credentials else 0, data)
        return True

    def take(self, process: int, data: bytes) -> None:
        """Keep what a process wrote, up to the limit."""
        self._is_cut = self._is_cut or len(data) > self._free_bytes
        if self._free_bytes:
            self.reports.setdefault(process, bytearray()).extend(data[: self._free_bytes])
            self._free_bytes -= min(self._free_bytes, len(data))

    def finished(self) -> dict[int, Any]:
        """Return what was reported of each process, once all have ended."""
        end = CUT if self.read_rest() else b""
        return {process: bytes(report) + end for process, report in self.reports.items()}

    def read_rest(self) -> bool:
        """Read all that is there, once nobody writes any more; return whether a part may be missing."""
        self._is_drained = False
        while not self._is_drained:
            self.read()
        # A program may have asked that the tool's end gives up what it cannot write at once.
        timeout = self._theirs.getsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _TIME.size)
        flags = fcntl.fcntl(self.theirs, fcntl.F_GETFL)
        return self._is_cut or bool(flags & os.O_NONBLOCK) or any(_TIME.unpack(timeout))

    def close(self) -> None:
        """Close both ends."""
        self._ours.close()
        self._theirs.close()
