"""A running command: its time, its use of the machine, and one event loop over its streams, its end and its limits."""

import fcntl
import math
import os
import select
import signal
import sys
import termios
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from io import BytesIO
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from grader.core.errors import GradingStoppedError, HostError
from grader.core.model.execution import SIGNAL_STATUS, Doubt, Ending, Execution, FailedStep, Launch, TranscriptEntry
from grader.core.model.limits import LIMITS, LimitName
from grader.core.run import meter
from grader.core.run.meter import CHUNK_BYTES, END_OF_FILE, Channels, RunDelay, Screen, Usage, asleep, usage
from grader.core.sandbox.cgroup import is_share_used_up, memory_kills
from grader.core.sandbox.command import Ended, SandboxedCommand, becomes_readable
from grader.core.sandbox.folder import code_stamps, collect, copy_out, names_in

if TYPE_CHECKING:
    from grader.core.run.conversation import NamedPipes

_LOOK_EVERY = 0.05  # seconds
GRACE_FACTOR: Final = 1.1
"""A command may overrun its time by this factor before it is ended, so that a near miss differs from a hang."""
_STARVED_SHARE = 0.1  # the share of its time that a command has waited for processors on a machine that is too busy
_MAX_MARKS = 1000
_MAX_TURN_BYTES, _MIN_SHOWN, _MAX_JOINED = 64 * 2**10, 200, 4096
"""bytes: of a single turn, of each of many, and of one to which more is joined"""


class DialogueEnd(Struct, frozen=True, kw_only=True):
    """How a dialogue went; the fields are those of `Execution`."""

    stop: FailedStep | None = None
    asked: bool = False
    output_when_script_ended: tuple[int, int] | None = None


class Account(Struct, frozen=True, kw_only=True):
    """Seconds of the machine that a command has used since its start; two accounts are subtracted for a span."""

    time: float = 0.0
    waited: float = 0.0
    time_credit: float = 0.0
    cpu: float = 0.0
    looks: int = 0
    looks_awake: int = 0  # looks at which it worked or could have worked


def _highest(first: Usage, second: Usage) -> Usage:
    """Return the higher figures of two looks."""
    return Usage(**{name: max(figure, getattr(second, name)) for name, figure in asdict(first).items()})


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
        """Subtract `seconds` that passed from the command's account: another program used them."""
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
        """When to end it, and why; never if it is being ended, which takes as long as the kernel needs."""
        if self.why:
            return math.inf, self.why
        time_over = max(self.started + self.launch.limits.time * GRACE_FACTOR, self._granted)
        when, why = min((time_over, "time"), self._last_call)
        return when + self.time_credit, why

    # -- looks at it

    def look(self) -> None:
        """Measure what it uses now, and end it if that exceeds a limit."""
        self._look_at_share()
        proc, pids = self.command.processes()
        seen = usage(proc, pids)
        self.delay.look(proc, pids, seen.cpu)
        self._looks += 1
        self._looks_awake += seen.awake
        seen = replace(seen, memory=self._memory_of(proc, pids, seen.memory))
        self._most_seen = max(self._most_seen, seen.memory)
        self.peak = _highest(self.peak, seen)
        most = {name: row.factor * getattr(self.launch.limits, name) for name, row in LIMITS.items() if row.factor}
        passed: list[LimitName] = [name for name, amount in most.items() if getattr(seen, name) > amount]
        if self._is_exhausted() or "memory" in passed:
            passed = ["memory"]
        if passed:
            self.stop(passed[0])

    def _memory_of(self, proc: int, pids: Sequence[int], memory: int) -> int:
        """Return the memory of all processes; in `memory`, shared memory counts for each of them."""
        if memory > self.launch.limits.memory:
            memory, shared = meter.proportional_memory(proc, pids)
            self._shared_memory = max(self._shared_memory, shared)
            if memory > self.launch.limits.memory:  # two looks, since processes come and go during one
                memory = min(memory, meter.proportional_memory(*self.command.processes())[0])
        if self.command.group is None:
            memory = max(memory, meter.page_tables(proc, pids))
            memory += meter.socket_buffers(proc) if self.command.has_network else 0
        return memory

    def _look_at_share(self) -> None:
        if self.command.user is None and is_share_used_up():  # others have, what the kernel gives to the shared user
            self.doubts.add("crowded")

    def _is_exhausted(self) -> bool:
        """Whether the kernel killed a process of the command for lack of memory; the peak is recorded then."""
        exhausted = self.command.group.exhausted() if self.command.group else 0
        self.peak = _highest(self.peak, Usage(memory=exhausted))
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
        """Record how it ended, and what it used of the machine."""
        outcome = self.outcome = self.command.wait()
        # We may have been busy, or without a processor, when it ended.
        self.ended = max(self.started, min(time.monotonic(), outcome.time))
        self._look_at_share()
        # A single process at its highest; pages that it shared with others count once, as in every look.
        self.peak = _highest(self.peak, Usage(cpu=outcome.cpu, memory=outcome.memory - self._shared_memory))
        if self._is_exhausted():
            self.why = self.why or "memory"
        elif self._most_seen <= self.launch.limits.memory < self.peak.memory:
            self.doubts.add("memory_unconfirmed")
        group, killed = self.command.group, {outcome.signal, (outcome.status or 0) - SIGNAL_STATUS}
        # Without a control group that is possible where anything else was killed meanwhile.
        may_be_hosts = self.why is None and signal.SIGKILL in killed and memory_kills() > self._memory_kills
        if group.is_killed_by_host() if group else may_be_hosts:
            self.doubts.add("killed_by_host")


class _Mark(Struct, frozen=True, kw_only=True):
    time: float
    at: float = field(default_factory=monotonic)
    stream: Literal["stdin", "stdout", "stderr"]
    start: int = 0
    text: bytes = b""


class Transcript(Struct):
    """The turns of a dialogue, with times since the start: the last marks in the streams, which are stored anyway."""

    role: str = ""
    """the command's name, where it is one of several; its times are then those of a clock that all have in common"""
    _marks: deque[_Mark] = field(default_factory=lambda: deque(maxlen=_MAX_MARKS))

    def sent(self, time: float, text: bytes) -> None:
        """Add a turn of the grader; an empty text is the end of the input."""
        self._marks.append(_Mark(time=time, stream="stdin", text=text))

    def passed_on(self, time: float, text: bytes) -> None:
        """Add input that we passed on from another program, to its turn until another writer's turn begins."""
        last = self._marks[-1] if self._marks else None
        if last and last.stream == "stdin" and len(last.text) < _MAX_JOINED:
            self._marks[-1] = replace(last, text=last.text + text)
        else:
            self.sent(time, text)

    def heard(self, time: float, stream: Literal["stdout", "stderr"], start: int) -> None:
        """Add a turn of the command on a stream, from the byte `start` on, unless its last turn continues."""
        if not self._marks or self._marks[-1].stream != stream:
            self._marks.append(_Mark(time=time, stream=stream, start=start))

    def turns(self, stdout: bytes, stderr: bytes) -> tuple[TranscriptEntry, ...]:
        """Return the turns, given all that the command wrote."""
        most = max(_MAX_TURN_BYTES // max(len(self._marks), 1), _MIN_SHOWN)
        texts = {"stdout": stdout, "stderr": stderr}
        ends = {stream: len(text) for stream, text in texts.items()}
        entries: list[TranscriptEntry] = []
        for mark in reversed(self._marks):
            text = mark.text
            if mark.stream != "stdin":
                text = texts[mark.stream][mark.start : ends[mark.stream]]
                ends[mark.stream] = mark.start
            if len(text) > most:
                half = most // 2
                text = text[:half] + b"\n[%d bytes left out]\n" % (len(text) - 2 * half) + text[-half:]
            time = mark.at if self.role else mark.time
            entries.append(TranscriptEntry(time=time, stream=mark.stream, role=self.role, text=text))
        return tuple(entries[::-1])


class SandboxedProcess(MeteredCommand, AbstractContextManager["SandboxedProcess"]):
    """One command between its start and its end. Use it as a context manager: leaving it ends the command."""

    failure: HostError | OSError | None = None  # why it could not be made ready, if that was tried before its turn
    pipes: "NamedPipes | None" = None  # between it and the interactor, where it is one of several programs
    sealed: Mapping[str, tuple[int, ...]] = {}
    """the programs and libraries of a watched command, as they were before it ran"""
    _is_closed = _end_input = False
    _at_line_start = True
    _next_look = 0.0

    def __init__(
        self,
        launch: Launch,
        command: SandboxedCommand,
        channels: Channels,
        cancelled: Event,
        wires: Sequence[meter.ReportSocket] = (),
    ) -> None:
        """Take over `command`, `channels` and `wires`; the command does not run before `open_gate`."""
        super().__init__(launch, command)
        self._poll = select.epoll()
        self.events = self._poll.fileno()  # a descriptor that can be read when there is something for `step` to do
        self.channels, self._cancelled = channels, cancelled
        self.beside: list[SandboxedProcess] = []  # its interactor, and then its further starts; closed with it
        self.wires = {wire.fileno(): wire for wire in wires}
        self.output, self.errors = BytesIO(), BytesIO()  # in memory, where all of it is at the end
        self.transcript = Transcript()
        self._screen = Screen(channels.stdout) if channels.terminal else None
        self._waiting = bytearray()
        self._open = {channels.stdin, channels.stdout, channels.stderr}
        for descriptor in self._open:
            os.set_blocking(descriptor, False)
        for watched in (channels.stderr, command.end, *self.wires):
            self._poll.register(watched, select.EPOLLIN)

    def __exit__(self, *_: object) -> None:
        """End the command."""
        self.close()

    def open_gate(self) -> None:
        """Let the command run, when it is its turn; from here on its time counts."""
        self.command.wait_for_turn(self.check_cancelled)
        self._poll.register(self.channels.stdout, select.EPOLLIN)
        # Of what can be read and written, as a terminal is, another descriptor; only a change is reported.
        self._poll.register(self.channels.stdin, select.EPOLLOUT | select.EPOLLET)
        if self.command.gate is None:  # else there is nothing to be seen yet
            self.look()  # a command that ends before the next look has used something
        self.start_clock()
        self.command.open_gate(self.channels.stdin)
        self._next_look = self.started + _LOOK_EVERY

    def check_cancelled(self) -> None:
        """Raise GradingStoppedError if grading is to stop."""
        if self._cancelled.is_set():
            raise GradingStoppedError

    # -- what it is sent

    def send(self, data: bytes) -> None:
        """Queue `data` for standard input; it is written as the command reads."""
        self.transcript.sent(self.elapsed, data)
        if self._screen and self.channels.stdin in self._open:
            self._screen.typed(data)
        self._put(data)

    def pass_on(self, data: bytes) -> None:
        """Queue another command's output, as `send` does."""
        self.transcript.passed_on(self.elapsed, data)
        self._put(data)

    def end_input(self, *, is_noted: bool = True) -> None:
        """Let standard input be at its end, once all that was sent has been written."""
        if is_noted:
            self.transcript.sent(self.elapsed, b"")
        self._end_input = True
        if self.channels.terminal:
            # At the start of a line one is the end; after half a line the first only passes it on.
            self._put(END_OF_FILE if self._at_line_start else END_OF_FILE * 2)
        self._feed()

    def _put(self, data: bytes) -> None:
        self._at_line_start = data.endswith((b"\n", END_OF_FILE)) if data else self._at_line_start
        self._waiting += data
        self._feed()

    def _feed(self) -> None:
        """Write what the command's input takes now; an event tells when it takes more."""
        if not self.started or self.channels.stdin not in self._open:
            return
        try:
            while self._waiting:
                del self._waiting[: os.write(self.channels.stdin, self._waiting[:CHUNK_BYTES])]
        except BlockingIOError:
            return
        except OSError:  # it reads no more
            self._waiting.clear()
            self._end_input = True
        if self._end_input and not self.channels.terminal:
            self._forget(self.channels.stdin)

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

    # -- what it writes

    @property
    def has_said_all(self) -> bool:
        """Whether standard output is at its end."""
        return self.channels.stdout not in self._open

    @property
    def heard(self) -> int:
        """How many bytes came on both streams."""
        return self.output.tell() + self.errors.tell()

    def captured(self) -> tuple[bytes, bytes]:
        """Return all that came on standard output and standard error, each up to the limit."""
        return self.output.getvalue(), self.errors.getvalue()

    def drain(self) -> None:
        """Read until the command has ended, not only its output: it may close its output and continue."""
        self._put(self.launch.stdin)
        self.end_input(is_noted=False)
        while not self.ended or self._open & {self.channels.stdout, self.channels.stderr}:
            self.step(CHUNK_BYTES, None)

    def wait_until_idle(self, seconds: float, within: float = math.inf) -> bool:
        """Read until the command has slept in silence for some `seconds`; return False when it ended or did not."""
        heard, since, deadline = -1, 0.0, time.monotonic() + within - self.time_credit
        while not self.ended and (now := time.monotonic()) < deadline + self.time_credit:
            if self.heard != heard or not asleep(*self.command.processes()):
                heard, since = self.heard, now
            elif now - since >= seconds and not becomes_readable(self.events, 0):
                return True  # nor has anything come since the last step
            self.step(CHUNK_BYTES, now + _LOOK_EVERY)
        return False

    # -- the event loop

    def step(self, size: int, deadline: float | None) -> bytes:
        """Wait for one round of events, at most until `deadline`, and return what came on standard output."""
        now, channels = time.monotonic(), self.channels
        if not self.ended:
            self.check_cancelled()
            if now >= min(self._next_look, self.over[0]):
                self.look()
                self._next_look = now + _LOOK_EVERY
            when, why = self.over
            if time.monotonic() >= when:
                self.end(why)
        until = min(self._next_look, self.over[0], deadline or now + _LOOK_EVERY)
        ready = dict(self._poll.poll(max(0.0, until - now)))
        if channels.stderr in ready:
            self._read(channels.stderr, self.errors, CHUNK_BYTES)
        if channels.stdin in ready:
            self._feed()
        for wire in self.wires.keys() & ready:
            if not self.wires[wire].read():
                self._poll.unregister(wire)
        chunk = self._read(channels.stdout, self.output, size) if channels.stdout in ready else b""
        if self.command.end in ready and not self.ended:
            self.reap()
            self._poll.unregister(self.command.end)
        elif self.ended and not ready:
            self._forget(channels.stdout)  # a process that we could not end has the other end open
            self._forget(channels.stderr)
        return chunk

    def _read(self, descriptor: int, file: BytesIO, size: int) -> bytes:
        try:
            chunk = os.read(descriptor, size)
        except BlockingIOError:
            return b""
        except OSError:  # of a terminal whose other side is closed
            chunk = b""
        if not chunk:
            self._forget(descriptor)
        if self._screen and file is self.output:
            chunk = self._screen.seen(chunk, last=not chunk)
        if chunk:
            self.transcript.heard(self.elapsed, "stdout" if file is self.output else "stderr", file.tell())
        room = self.launch.limits.output - file.tell()
        file.write(chunk[:room])
        if len(chunk) > room:
            self.stop("output")
        elif not self._looks:
            self.look()  # many commands end right after their first output
        return chunk

    def _forget(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._open.discard(descriptor)
            with suppress(FileNotFoundError):  # it is not watched before the gate opens
                self._poll.unregister(descriptor)
            os.close(descriptor)

    def close(self) -> None:
        """End the command if it still runs, and free everything. May be called again."""
        if self._is_closed:
            return
        self._is_closed = True
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
            for part in (*self.beside, *([self.pipes] if self.pipes else ())):
                freeing.callback(part.close)


_NEAR = 0.9  # from this share of a limit on, a SIGKILL came from the kernel, and not from the command itself
_OF_ENDING = {"cpu_starved": "time", "killed_by_host": None, "memory_unconfirmed": "memory"}
"""a doubt -> the only ending to which it applies; the others apply to all"""


def execution_of(program: SandboxedProcess, end: DialogueEnd, *, has_transcript: bool) -> Execution:
    """Return what a command did that was read to its end."""
    launch, work, outcome = program.launch, program.work, program.outcome
    files, uncollected = collect(work, launch.collect, launch.collect_limit) if launch.collect else ({}, {})
    if launch.kept:
        copy_out(work, launch.kept)
    stdout, stderr = program.captured()
    limit = _passed_limit(program, end)
    reported: dict[str, Any] = {wire.fact: wire.finished() for wire in program.wires.values()}
    now = code_stamps(work) if program.sealed else {}
    return Execution(
        stdout=stdout,
        stderr=outcome.message or stderr,
        status=outcome.status,
        signal=outcome.signal,
        limit=limit,
        limits=launch.limits,
        time=program.elapsed,
        cpu=program.peak.cpu,
        waited=program.waited,
        slept=program.delay.slept,
        memory=program.peak.memory,
        doubts=_doubts_of(program, limit, end),
        names=names_in(work) if launch.list_files else (),
        files=files,
        uncollected=uncollected,
        transcript=program.transcript.turns(stdout, stderr) if has_transcript else (),
        stop=end.stop,
        asked=end.asked,
        output_when_script_ended=end.output_when_script_ended,
        screen=launch.screen,
        is_code_changed=any(now.get(path) != stamp for path, stamp in program.sealed.items()),
        **reported,
    )


def _passed_limit(program: SandboxedProcess, end: DialogueEnd) -> LimitName | None:
    """Return the limit that a command passed, also when it ended by itself or by the kernel's count."""
    limits, peak = program.launch.limits, program.peak
    time = program.elapsed - program.time_credit
    ended_by = None if "killed_by_host" in program.doubts else program.outcome.signal
    is_killed = ended_by == signal.SIGKILL
    if program.limit not in {None, "time"}:
        return program.limit
    if peak.memory > limits.memory * (_NEAR if is_killed else 1):
        return "memory"
    # The time that we waited for a text is not the command's when it waited for us.
    if end.stop and not end.stop.ended and (end.asked or time < limits.time):
        return None
    if program.limit:
        return program.limit
    # Not by the signal alone, which anybody can send himself: when the kernel sends it, there was so much work.
    if peak.cpu > limits.cpu * (_NEAR if is_killed or ended_by == signal.SIGXCPU else 1):
        return "cpu"
    return "time" if time > limits.time else None


def _doubts_of(program: SandboxedProcess, limit: LimitName | None, end: DialogueEnd) -> frozenset[Doubt]:
    """Return the doubts about how a command ended; a limit that it certainly passed is not in doubt."""
    doubts = frozenset(doubt for doubt in program.doubts if _OF_ENDING.get(doubt, limit) == limit)
    is_starved = end.stop and end.stop.cpu_starved and limit in {None, "time"}
    return doubts | {"cpu_starved"} if is_starved else doubts
