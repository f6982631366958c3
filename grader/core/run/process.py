"""A running command as pexpect sees it, over a process that we started in a sandbox; and its pipes or its terminal.

pexpect's own `spawn` starts the process itself, mixes standard error into standard output, and keeps all that it reads
in a growing buffer (103 ms a process, 18 s for 10 MB). This class gives `expect` and `send` another ground: one
event loop over our ends of the channels, the process, and the limits. Whatever is read is written to a bounded file,
whether somebody expects it or not; a command without a dialogue is simply read to its end.
"""

import fcntl
import math
import os
import select
import signal
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from threading import Event
from typing import IO, TYPE_CHECKING, Final, get_args

from msgspec import Struct
from msgspec.structs import replace
from pexpect import EOF, TIMEOUT
from pexpect.spawnbase import SpawnBase

from grader.core.errors import GradingStoppedError, HostError
from grader.core.lazy import lazy_call
from grader.core.model.execution import SIGNAL_STATUS, CodeStep, Ending, Launch, LimitName
from grader.core.run.channels import END_OF_FILE, Channels
from grader.core.run.code_trace import CodeTrace
from grader.core.run.companions import NamedPipes
from grader.core.run.proc_stats import (
    RunDelay,
    Usage,
    asleep,
    page_tables,
    proportional_memory,
    socket_buffers,
    usage,
)
from grader.core.run.report_socket import ReportSocket
from grader.core.run.transcript import Transcript
from grader.core.sandbox.bubblewrap import remedy
from grader.core.sandbox.cgroup import memory_kills
from grader.core.sandbox.interface import READY, Ended, SandboxedCommand
from grader.core.sandbox.shares import is_share_used_up

if TYPE_CHECKING:
    Spawn = SpawnBase[bytes]
else:
    Spawn = SpawnBase
_new_screen = lazy_call("grader.core.run.screen", "Screen")
GRACE_FACTOR: Final = 1.1
"""A command may overrun its time by this factor before it is ended, so that a near miss differs from a hang."""
_STARVED_SHARE = 0.1
"""the share of its time that a command has waited for processors on a machine that is too busy"""
SEARCH_WINDOW: Final = 16 * 2**10
"""bytes in which `expect` looks for something"""
_TALK_BYTES = 4096
"""bytes read at a time in a dialogue; the windows overlap by the rest"""
_CHUNK_BYTES = 65536
_SAMPLE_EVERY = 0.05
_SET_UP = 60.0
"""seconds; a sandbox takes a few hundredths, unless the machine is overloaded"""


def _open_spool() -> IO[bytes]:
    """Return what output is written to: a file, as soon as it is more than a little."""
    return tempfile.SpooledTemporaryFile(max_size=_CHUNK_BYTES, buffering=0)


class Account(Struct, frozen=True, kw_only=True):
    """What a command has had of the machine since it started; the difference of two covers the time between them."""

    time: float = 0.0
    """seconds on the wall"""
    waited: float = 0.0
    time_credit: float = 0.0
    cpu: float = 0.0
    looks: int = 0
    looks_awake: int = 0
    """looks at which it worked or could have worked"""


class SandboxedProcess(Spawn):
    """One command between its start and its end. Use it as a context manager: leaving it ends the command."""

    def __init__(
        self,
        launch: Launch,
        command: SandboxedCommand,
        channels: Channels,
        cancelled: Event,
        wires: Sequence[ReportSocket] = (),
    ) -> None:
        """Take over `command`, `channels` and `wires`; the command does not run before `open_gate`."""
        super().__init__(timeout=launch.limits.time, maxread=_TALK_BYTES, searchwindowsize=SEARCH_WINDOW)
        self._poll = select.epoll()  # first, since there may be no more files
        self.delayafterread = None
        self.closed = False
        self.launch = launch
        self.command = command
        self.channels = channels
        self.child_fd = channels.stdout
        self.work = -1
        self.is_filled = False
        """whether its working folder has its files"""
        self.failure: HostError | OSError | None = None
        """why it could not be made ready, if that was tried before its turn"""
        self.outcome: Ended | None = None
        """how it ended, once it has"""
        self.why: Ending | None = None
        """why it was ended; None as long as it was not, and where it ended by itself"""
        self.started = self.ended = self.deadline = 0.0
        self._last_call: tuple[float, Ending] = math.inf, "partner"
        """when it is ended at the latest, and why then"""
        self.cpu_starved = self.crowded = False
        self.peak = Usage()
        self.beside: list[SandboxedProcess] = []
        """its interactor, and then its further starts; closed with it"""
        self.pipes: NamedPipes | None = None
        """between it and the interactor, where it is one of several programs"""
        self.wires = {wire.fileno(): wire for wire in wires}
        self.sealed: Mapping[str, tuple[int, ...]] = {}
        """the programs and libraries of a watched command, as they were before it ran"""
        self.delay = RunDelay()
        self._shared_memory = self._most_seen = 0
        self._memory_kills = 0
        self._looks = self._looks_awake = 0
        self.output = _open_spool()
        self.errors = _open_spool()
        self.transcript = Transcript()
        self._screen = _new_screen(channels.stdout) if channels.terminal else None
        self._cancelled = cancelled
        self._waiting = bytearray()
        self._is_full = False
        self._end_input = False
        self._at_line_start = True
        self._next_sample = 0.0
        self._at_gates: dict[int, Callable[[], None]] = {}
        for descriptor in (channels.stdin, channels.stdout, channels.stderr):
            os.set_blocking(descriptor, False)
        self._open = {channels.stdin, channels.stdout, channels.stderr}
        self._poll.register(channels.stderr, select.EPOLLIN)
        self._poll.register(command.end, select.EPOLLIN)
        for wire in wires:
            self._poll.register(wire, select.EPOLLIN)

    # -- starting

    def wait_until_ready(self) -> None:
        """Wait until the command waits at its gate; from then on `work` is a descriptor of the working folder.

        Raises HostError, with the sandbox's message, when it did not come up.
        """
        if self.work >= 0:
            return
        deadline = time.monotonic() + _SET_UP
        if self.command.gate is not None:
            self._poll.register(self.command.gate, select.EPOLLIN)
        is_ready, first = False, None
        while not is_ready and first is None:
            if time.monotonic() > deadline:
                raise HostError(f"the sandbox was not ready within {_SET_UP:.0f} s; is the machine overloaded?")
            self._check_cancelled()
            happened = dict(self._poll.poll(_SAMPLE_EVERY))
            first = self._read_errors(1)
            is_ready = (
                first == READY if self.command.gate is None else happened.get(self.command.gate) == select.EPOLLIN
            )
        if is_ready:
            if self.command.gate is not None:
                self._poll.unregister(self.command.gate)
            self.work = self.command.enter()
            return
        self.command.wait()
        output = (first or b"") + (self._read_errors(_CHUNK_BYTES) or b"") + self.command.complaint()
        complaint = output.decode(errors="backslashreplace").strip()
        message = "; ".join(filter(None, (complaint or "no reason given", remedy(complaint))))
        raise HostError(f"the sandbox could not be set up: {message}")

    def _read_errors(self, size: int) -> bytes | None:
        try:
            return os.read(self.channels.stderr, size)
        except BlockingIOError:  # nothing yet
            return None

    def open_gate(self) -> None:
        """Let the command run, when it is its turn; from here on its time counts."""
        self.command.wait_for_turn(self._check_cancelled)
        self._poll.register(self.channels.stdout, select.EPOLLIN)
        if self.command.gate is None:  # else there is nothing to be seen yet
            self._sample()  # a command that ends before the next look has used something
        self.delay.seconds = 0.0
        self._looks = 0
        self._memory_kills = 0 if self.command.group else memory_kills()
        self.command.open_gate(self.channels.stdin)
        self.started = time.monotonic()
        self.deadline = self.started + self.launch.limits.time * GRACE_FACTOR
        self._next_sample = self.started + _SAMPLE_EVERY

    def when_ready(self, other: SandboxedCommand, do: Callable[[], None]) -> None:
        """Call `do` as soon as `other` waits at its gate, if that is while this command runs, and the gate shows it."""
        if other.gate is not None:
            self._poll.register(other.gate, select.EPOLLIN)
            self._at_gates[other.gate] = do

    # -- talking, as pexpect does

    def send(self, data: bytes) -> int:
        """Queue `data` for standard input and return its length; it is written as the command reads."""
        self.transcript.sent(self._elapsed(), data)
        if self._screen and self.channels.stdin in self._open:
            self._screen.typed(data)
        self._put(data)
        return len(data)

    def pass_on(self, data: bytes) -> None:
        """Queue another command's output, as `send` does."""
        self.transcript.passed_on(self._elapsed(), data)
        self._put(data)

    def _put(self, data: bytes) -> None:
        self._at_line_start = data.endswith((b"\n", END_OF_FILE)) if data else self._at_line_start
        self._waiting += data
        self._feed()

    def _elapsed(self) -> float:
        return time.monotonic() - self.started

    def end_input(self) -> None:
        """Let standard input be at its end, once all that was sent has been written."""
        self.transcript.sent(self._elapsed(), b"")
        self._end()

    def _end(self) -> None:
        if self.channels.terminal:
            # At the start of a line one is the end; after half a line the first only passes it on.
            self._put(END_OF_FILE if self._at_line_start else END_OF_FILE * 2)
        else:
            self._end_input = True
            self._feed()

    def read_nonblocking(self, size: int = 1, timeout: float | None = None) -> bytes:
        """Return what comes next on standard output, at most `size` bytes; none when standard error has output.

        Raises pexpect.TIMEOUT after `timeout` seconds (-1: the command's limit) and pexpect.EOF at the end.
        """
        seconds = self.launch.limits.time * GRACE_FACTOR if timeout is None or timeout < 0 else timeout
        deadline = time.monotonic() + seconds
        aside = self.errors.tell()
        while self.channels.stdout in self._open:
            chunk = self.step(size, deadline)
            if chunk or self.errors.tell() > aside:
                return chunk
            if time.monotonic() >= deadline and not self.ended:
                raise TIMEOUT(f"nothing within {seconds:g} s")
        self.flag_eof = True
        raise EOF("standard output is at its end")

    def drain(self) -> None:
        """Read to the end of the command, not only of its output: a command may close its output and live on."""
        self._put(self.launch.stdin)
        self._end()
        while not self.ended or self._open & {self.channels.stdout, self.channels.stderr}:
            self.step(_CHUNK_BYTES, None)

    def wait_until_idle(self, seconds: float, within: float = math.inf) -> bool:
        """Read until the command has slept in silence for some `seconds`; return False when it ended or did not."""
        heard, since, deadline = -1, 0.0, time.monotonic() + within - self.time_credit
        while not self.ended and (now := time.monotonic()) < deadline + self.time_credit:
            if self.heard != heard or not asleep(*self.command.processes()):
                heard, since = self.heard, now
            elif now - since >= seconds and not self._poll.poll(0):  # nor has anything come since the last step
                return True
            self.step(_CHUNK_BYTES, now + _SAMPLE_EVERY)
        return False

    def end(self, why: Ending, after: float = 0.0) -> None:
        """End the command, unless it ends by itself within `after` seconds; nothing happens to one that has ended."""
        if after:
            self._last_call = min(self._last_call, (time.monotonic() + after, why))
        elif not (self.ended or self.why or self.command.end in dict(self._poll.poll(0))):
            if why == "time":
                self.cpu_starved = self.is_starved(Account(), self.launch.limits.cpu)
            self._stop(why)

    def grant(self, seconds: float) -> None:
        """Let it run for at least so many more seconds, whatever its limit; for ever where somebody else counts."""
        self.deadline = max(self.deadline, time.monotonic() + seconds)

    @property
    def time_left(self) -> float:
        """Seconds until its time is over, negative from then on; what it is granted beyond is not in it."""
        limit = self.launch.limits.time * GRACE_FACTOR + self.time_credit
        return self.started + limit - (self.ended or time.monotonic())

    @property
    def limit(self) -> LimitName | None:
        """The limit for which it was ended."""
        return self.why if self.why in get_args(LimitName) else None  # type: ignore[return-value]

    @property
    def ended_by_itself(self) -> bool:
        """Whether it has ended, and nobody ended it."""
        return self.ended > 0 and self.why is None

    def exclude_time(self, seconds: float) -> None:
        """Leave `seconds` that went by out of the command's account: somebody else took them."""
        self.started += seconds
        self.deadline += seconds

    @property
    def events(self) -> int:
        """A descriptor that can be read when there is something for `step` to do."""
        return self._poll.fileno()

    @property
    def has_said_all(self) -> bool:
        """Whether standard output is at its end."""
        return self.channels.stdout not in self._open

    @property
    def queued(self) -> int:
        """How many bytes were sent and have no room yet in the pipe."""
        return len(self._waiting)

    @property
    def unread(self) -> int:
        """How many bytes were sent through a pipe that the command has not read."""
        if self.channels.stdin not in self._open:
            return 0
        in_pipe = fcntl.ioctl(self.channels.stdin, termios.FIONREAD, bytes(4))
        return len(self._waiting) + int.from_bytes(in_pipe, sys.byteorder)

    @property
    def heard(self) -> int:
        """How many bytes came on both streams."""
        return self.output.tell() + self.errors.tell()

    @property
    def waited(self) -> float:
        """Seconds since the start in which the command could have run and had no processor."""
        return min(self.delay.seconds, (self.ended or time.monotonic()) - self.started)

    @property
    def time_credit(self) -> float:
        """Seconds by which the waiting for processors lengthens the command's time."""
        return self._credit_for(self.waited)

    def _credit_for(self, waited: float) -> float:
        return min(waited, (self.launch.max_time_factor - 1) * self.launch.limits.time)

    @property
    def _over(self) -> float:
        """When its time is over; never for a command that was ended, which takes as long as the kernel needs."""
        return min(self.deadline + self.time_credit, self._last_call[0]) if self.why is None else math.inf

    # -- the event loop

    def step(self, size: int, deadline: float | None) -> bytes:
        """Wait for one round of events, at most until `deadline`, and return what came on standard output."""
        now, over = time.monotonic(), self._over
        if not self.ended:
            self._check_cancelled()
            if now >= min(self._next_sample, over):
                self._sample()
                self._next_sample, over = now + _SAMPLE_EVERY, self._over
            if now >= over:
                self.end("time" if self.deadline + self.time_credit <= self._last_call[0] else self._last_call[1])
        until = min(self._next_sample, self._over, deadline or now + _SAMPLE_EVERY)
        ready = dict(self._poll.poll(max(0.0, until - now)))
        if self.channels.stderr in ready:
            self._read(self.channels.stderr, self.errors, _CHUNK_BYTES)
        if ready.get(self.channels.stdin, 0) & (select.EPOLLOUT | select.EPOLLERR | select.EPOLLHUP):
            self._feed()
        self._read_wires(ready)
        for gate in self._at_gates.keys() & ready:
            self._unwatch(gate)
            self._at_gates.pop(gate)()
        chunk = b""
        if ready.get(self.channels.stdout, 0) & ~select.EPOLLOUT:
            chunk = self._read(self.channels.stdout, self.output, size)
        if self.command.end in ready and not self.ended:
            self._reap()
        elif self.ended and not ready:
            self._forget(self.channels.stdout)  # a process that we could not end has the other end open
            self._forget(self.channels.stderr)
        return chunk

    def _read_wires(self, ready: Iterable[int]) -> None:
        for descriptor in self.wires.keys() & ready:
            if not self.wires[descriptor].read():
                self._unwatch(descriptor)

    def _read(self, descriptor: int, file: IO[bytes], size: int) -> bytes:
        try:
            chunk = os.read(descriptor, size)
        except BlockingIOError:
            return b""
        except OSError:  # of a terminal whose other side is closed
            chunk = b""
        is_over = not chunk
        if is_over:
            self._forget(descriptor)
        if self._screen and file is self.output:
            chunk = self._screen.seen(chunk, last=is_over)
        if not chunk:
            return b""
        self.transcript.heard(self._elapsed(), "stdout" if file is self.output else "stderr", file.tell())
        room = self.launch.limits.output - file.tell()
        file.write(chunk[:room])
        if len(chunk) > room:
            self._stop("output")
        elif not self._looks:
            self._sample()  # many commands end right after their first output
        return chunk

    def _feed(self) -> None:
        """Write what the command's input takes now; wait for more room only when there is more to write."""
        if not self.started or self.channels.stdin not in self._open:
            return
        try:
            while self._waiting:
                del self._waiting[: os.write(self.channels.stdin, self._waiting[:_CHUNK_BYTES])]
        except BlockingIOError:
            self._watch_input(writable=True)
            return
        except OSError:  # it reads no more
            self._waiting.clear()
            self._end_input = True
        self._watch_input(writable=False)
        if self._end_input and not self.channels.terminal:
            self._forget(self.channels.stdin)

    def _watch_input(self, *, writable: bool) -> None:
        if writable == self._is_full:
            return
        self._is_full = writable
        if self.channels.terminal:
            self._poll.modify(self.channels.stdout, select.EPOLLIN | (select.EPOLLOUT if writable else 0))
        elif writable:
            self._poll.register(self.channels.stdin, select.EPOLLOUT)
        else:
            self._unwatch(self.channels.stdin)

    def _forget(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._open.discard(descriptor)
            self._unwatch(descriptor)
            os.close(descriptor)

    def _unwatch(self, descriptor: int) -> None:
        with suppress(FileNotFoundError):
            self._poll.unregister(descriptor)

    # -- limits

    def _check_cancelled(self) -> None:
        if self._cancelled.is_set():
            raise GradingStoppedError

    def _sample(self) -> None:
        limits = self.launch.limits
        self._look_at_share()
        proc, pids = self.command.processes()
        seen = usage(proc, pids)
        self.delay.look(proc, pids, seen.cpu)
        self._looks += 1
        self._looks_awake += seen.awake
        memory = seen.memory
        if memory > limits.memory:
            memory, shared = proportional_memory(proc, pids)
            self._shared_memory = max(self._shared_memory, shared)
            if memory > limits.memory:  # two looks, since processes come and go during one
                memory = min(memory, proportional_memory(*self.command.processes())[0])
        if self.command.group is None:
            memory = max(memory, page_tables(proc, pids))
            memory += socket_buffers(proc) if self.command.has_network else 0
        self.peak = Usage(
            cpu=max(self.peak.cpu, seen.cpu),
            memory=max(self.peak.memory, memory),
            processes=max(self.peak.processes, seen.processes),
        )
        self._most_seen = max(self._most_seen, memory)
        if memory > limits.memory or self._is_exhausted():
            self._stop("memory")
        elif seen.cpu > limits.cpu * GRACE_FACTOR:
            self._stop("cpu")
        elif seen.processes > limits.processes:
            self._stop("processes")

    def _look_at_share(self) -> None:
        """Look whether others have used up what the kernel gives to the user whom the command shares with them."""
        self.crowded = self.crowded or (self.command.user is None and is_share_used_up())

    def _is_exhausted(self) -> bool:
        """Whether the kernel killed something of the command's for want of memory; that much it then had."""
        exhausted = self.command.group.exhausted() if self.command.group else 0
        self.peak = replace(self.peak, memory=max(self.peak.memory, exhausted))
        return exhausted > 0

    def is_killed_by_host(self) -> bool:
        """Whether the kernel may have killed something of the command's for want of memory that others had.

        In a control group that is certain. Without one, it is possible when the kernel killed something on this machine
        for that reason meanwhile, and this command was killed, but not by us.
        """
        if self.command.group:
            return self.command.group.is_killed_by_host()
        ended = self.outcome
        is_killed = ended and (ended.signal == signal.SIGKILL or ended.status == SIGNAL_STATUS + signal.SIGKILL)
        return bool(is_killed) and self.why is None and memory_kills() > self._memory_kills

    def is_starved(self, since: Account, cpu: float) -> bool:
        """Whether a command whose time is over had too little processor time `since` then for a verdict.

        It waited for them for more than could be given back. Or it used less than half of the `cpu` seconds that it
        may, and was not asleep for the rest: what short-lived processes wait is not in the account.
        """
        now = self.account()
        waited = now.waited - since.waited
        if waited > now.time_credit - since.time_credit:
            return True
        if now.cpu - since.cpu >= cpu / 2:
            return False
        was_awake = now.looks_awake - since.looks_awake > (now.looks - since.looks) / 2
        return was_awake or (
            waited > _STARVED_SHARE * (now.time - since.time) and not asleep(*self.command.processes())
        )

    def account(self) -> Account:
        """Look again, and return what the command has had until now."""
        if not self.ended:
            self._sample()
        waited = self.waited  # once: while it is bounded by the time since the start, it grows from look to look
        return Account(
            time=self._elapsed(),
            waited=waited,
            time_credit=self._credit_for(waited),
            cpu=self.peak.cpu,
            looks=self._looks,
            looks_awake=self._looks_awake,
        )

    def _stop(self, why: Ending) -> None:
        self.why = self.why or why
        self.command.kill()

    # -- ending

    def _reap(self) -> None:
        self._look_at_share()
        self._unwatch(self.command.end)
        self.ended = time.monotonic()
        self.outcome = ended = self.command.wait()
        # We may have been busy, or without a processor, when it ended.
        self.ended = max(self.started, min(self.ended, ended.time))
        self.peak = Usage(
            cpu=max(self.peak.cpu, ended.cpu),
            # A single process at its highest; pages that it shared with others count once, as in every look.
            memory=max(self.peak.memory, ended.memory - self._shared_memory),
            processes=self.peak.processes,
        )
        if self._is_exhausted():
            self.why = self.why or "memory"

    @property
    def is_memory_unconfirmed(self) -> bool:
        """Whether nothing but the account after its end says that it passed its limit of memory."""
        is_over = self.peak.memory > self.launch.limits.memory
        return is_over and self._most_seen <= self.launch.limits.memory and not self._is_exhausted()

    def captured(self) -> tuple[bytes, bytes]:
        """Return all that came on standard output and standard error, each up to the limit."""
        self.output.seek(0)
        self.errors.seek(0)
        return self.output.read(), self.errors.read()

    def reported(self) -> dict[int, bytes]:
        """Return what a tool in front of the command reported of each process, once all have ended."""
        return next((one.finished_reports() for one in self.wires.values() if not isinstance(one, CodeTrace)), {})

    def code_steps(self) -> dict[int, tuple[CodeStep, ...]]:
        """Return what that tool said of the code of each process, once all have ended."""
        return next((one.finished_steps() for one in self.wires.values() if isinstance(one, CodeTrace)), {})

    def close(self) -> None:
        """End the command if it still runs, and free everything. May be called again."""
        if self.closed:
            return
        self.closed = True
        with ExitStack() as freeing:  # all of it, from the last to the first, whatever fails on the way
            for free in (self.command.close, self.errors.close, self.output.close, self._poll.close):
                freeing.callback(free)
            for wire in self.wires.values():
                freeing.callback(wire.close)
            for descriptor in self._open:
                freeing.callback(os.close, descriptor)
            if not self.ended:
                freeing.callback(self.command.wait)
                freeing.callback(self.command.kill)
            for one in (*self.beside, self.pipes):
                freeing.callback(one.close) if one else None
