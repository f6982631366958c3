"""What is seen of a command from outside: its streams, looks at /proc, and what a tool that wraps it reports."""

import fcntl
import os
import socket
import struct
import termios
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct, field

from grader.core.lazy import lazy_regex

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
    slept: float | None = None
    """the share of the looks at all states at which every thread was asleep; None when there was none"""
    _seen: float = 0.0
    _all_ran: float = 0.0
    _known: dict[str, _ThreadTimes] = field(default_factory=dict[str, _ThreadTimes])
    _looks: int = 0
    _asleep: int = 0

    def look(self, proc: int, pids: Sequence[int], cpu: float) -> None:
        """Add what the threads of the processes have waited since the last look; `cpu` is what `usage` says of them."""
        self._looks += 1
        if self._looks % _LOOKS_PER_STATE == 0:
            self._asleep += asleep(proc, pids)
            self.slept = self._asleep * _LOOKS_PER_STATE / self._looks
        # Nothing is there of one that has just ended, and on a kernel without this account.
        fields = {thread: _read(proc, f"{thread}/schedstat").split() for thread in _threads(proc, pids)}
        times = {thread: (int(row[0]) / 1e9, int(row[1]) / 1e9) for thread, row in fields.items() if row}
        before = {thread: self._known.get(thread) or _ThreadTimes(all_ran=self._all_ran) for thread in times}
        self._seen += sum(ran - before[thread].ran for thread, (ran, _) in times.items())
        # Those that came and went between two looks are in the other account alone, which counts in clock ticks.
        self._all_ran = max(self._all_ran, self._seen, cpu - _CLOCK_TICK * len(pids))
        longest = 0.0
        for thread, (ran, waited) in times.items():
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
    """Return the result of one read of a file of /proc, or all of it; nothing for a process that has ended."""
    content = b""
    with suppress(OSError), os.fdopen(os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc), "rb", 0) as file:
        content = file.read(4096)
        while whole and (more := file.read(4096)):
            content += more
    return content


CHUNK_BYTES = 65536  # that are read or written at once
END_OF_FILE = b"\x04"  # what a terminal takes for the end of input
_CONTROL_CHARACTERS = lazy_regex(rb"[\x00-\x08\x0b-\x1f\x7f]")


class Channels(Struct, frozen=True, kw_only=True):
    """Our ends of the pipes or the terminal between us and a command, and the command's ends."""

    stdin: int
    stdout: int
    stderr: int
    theirs: tuple[int, int, int]
    terminal: bool


class Screen:
    """What is read from a terminal, with LF for CR LF and without the echo of what we typed, which comes at once."""

    def __init__(self, descriptor: int) -> None:
        """Watch the terminal whose our end is `descriptor`."""
        self._descriptor = descriptor
        self._echo = self._kept = b""

    def typed(self, data: bytes) -> None:
        """Take note of what is about to be typed."""
        modes = termios.tcgetattr(self._descriptor)[3]
        if modes & termios.ECHO and modes & termios.ECHOCTL:  # as `^C`; the end of the input is not shown
            data = data.replace(END_OF_FILE, b"")
            data = _CONTROL_CHARACTERS.sub(lambda match: b"^" + bytes([match[0][0] ^ 0x40]), data)
        self._echo += data if modes & termios.ECHO else b""

    def seen(self, data: bytes, *, last: bool = False) -> bytes:
        """Return the visible part of the `data` that was read; some may follow later, and all with the `last`."""
        data, self._kept = (self._kept + data).replace(b"\r\n", b"\n"), b""
        if data.endswith(b"\r") and not last:
            data, self._kept = data[:-1], b"\r"
        if data != self._echo and self._echo.startswith(data) and not last:
            self._kept = data + self._kept
            return b""
        data, self._echo = data.removeprefix(self._echo), b""
        return data


MAX_REPORTED = 4 * 2**20  # bytes of the report of one run that are stored


CUT = b"<cut>"  # the end of a report of which a part may be missing


_CREDENTIALS, _TIME = struct.Struct("3i"), struct.Struct("2l")


_CHUNKS_AT_ONCE = 64  # that are read before somebody looks at the limits of the program again


class ReportSocket:
    """The socket for the report of a tool that wraps a command, which can neither forge nor remove reports."""

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
                data, credentials, _, _ = self._ours.recvmsg(CHUNK_BYTES, socket.CMSG_SPACE(_CREDENTIALS.size))
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
        """Read the rest when all writers are gone; return whether a part may be missing."""
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
