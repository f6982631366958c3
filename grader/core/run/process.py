"""A running command with its pipes or its terminal: one event loop over these, the process, and the limits.

What goes over them is recorded as turns, in the order in which we saw them, with times.
"""

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
from tempfile import SpooledTemporaryFile
from threading import Event
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.errors import GradingStoppedError, HostError
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Doubt, Execution, FailedStep, Launch, TranscriptEntry
from grader.core.model.limits import LimitName
from grader.core.run.meter import MeteredCommand, ReportSocket, asleep
from grader.core.sandbox.command import SandboxedCommand, becomes_readable
from grader.core.sandbox.folder import code_stamps, collect, copy_out, names_in

if TYPE_CHECKING:
    from grader.core.run.conversation import NamedPipes

_END_OF_FILE = b"\x04"  # what a terminal takes for the end of input
_CONTROL_CHARACTERS = lazy_regex(rb"[\x00-\x08\x0b-\x1f\x7f]")
_CHUNK_BYTES = 65536
_LOOK_EVERY = 0.05
_MAX_MARKS = 1000
_MAX_TURN_BYTES, _MIN_SHOWN, _MAX_JOINED = 64 * 2**10, 200, 4096
"""bytes: of a single turn, of each of many, and of one to which more is joined"""


class Channels(Struct, frozen=True, kw_only=True):
    """Our ends of the pipes or the terminal between us and a command, and the command's ends."""

    stdin: int
    stdout: int
    stderr: int
    theirs: tuple[int, int, int]
    terminal: bool


class DialogueEnd(Struct, frozen=True, kw_only=True):
    """How a dialogue went; the fields are those of `Execution`."""

    stop: FailedStep | None = None
    asked: bool = False
    output_when_script_ended: tuple[int, int] | None = None


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
            data = data.replace(_END_OF_FILE, b"")
            data = _CONTROL_CHARACTERS.sub(lambda one: b"^" + bytes([one[0][0] ^ 0x40]), data)
        self._echo += data if modes & termios.ECHO else b""

    def seen(self, data: bytes, *, last: bool = False) -> bytes:
        """Return what there is to see of the `data` that was read; a part may come later, with the `last` all does."""
        data, self._kept = (self._kept + data).replace(b"\r\n", b"\n"), b""
        if data.endswith(b"\r") and not last:
            data, self._kept = data[:-1], b"\r"
        if data != self._echo and self._echo.startswith(data) and not last:
            self._kept = data + self._kept
            return b""
        data, self._echo = data.removeprefix(self._echo), b""
        return data


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
        """Add input from another program, which we passed on: to its turn, until another writer's turn begins."""
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
        found: list[TranscriptEntry] = []
        for mark in reversed(self._marks):
            text = mark.text
            if mark.stream != "stdin":
                text = texts[mark.stream][mark.start : ends[mark.stream]]
                ends[mark.stream] = mark.start
            if len(text) > most:
                half = most // 2
                text = text[:half] + b"\n[%d bytes left out]\n" % (len(text) - 2 * half) + text[-half:]
            time = mark.at if self.role else mark.time
            found.append(TranscriptEntry(time=time, stream=mark.stream, role=self.role, text=text))
        return tuple(found[::-1])


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
        wires: Sequence[ReportSocket] = (),
    ) -> None:
        """Take over `command`, `channels` and `wires`; the command does not run before `open_gate`."""
        super().__init__(launch, command)
        self._poll = select.epoll()
        self.events = self._poll.fileno()  # a descriptor that can be read when there is something for `step` to do
        self.channels, self._cancelled = channels, cancelled
        self.beside: list[SandboxedProcess] = []  # its interactor, and then its further starts; closed with it
        self.wires = {wire.fileno(): wire for wire in wires}
        self.output, self.errors = (SpooledTemporaryFile(_CHUNK_BYTES, buffering=0) for _ in range(2))  # noqa: SIM115
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
            self._put(_END_OF_FILE if self._at_line_start else _END_OF_FILE * 2)
        self._feed()

    def _put(self, data: bytes) -> None:
        self._at_line_start = data.endswith((b"\n", _END_OF_FILE)) if data else self._at_line_start
        self._waiting += data
        self._feed()

    def _feed(self) -> None:
        """Write what the command's input takes now; an event tells when it takes more."""
        if not self.started or self.channels.stdin not in self._open:
            return
        try:
            while self._waiting:
                del self._waiting[: os.write(self.channels.stdin, self._waiting[:_CHUNK_BYTES])]
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
        self.output.seek(0)
        self.errors.seek(0)
        return self.output.read(), self.errors.read()

    def drain(self) -> None:
        """Read to the end of the command, not only of its output: a command may close its output and live on."""
        self._put(self.launch.stdin)
        self.end_input(is_noted=False)
        while not self.ended or self._open & {self.channels.stdout, self.channels.stderr}:
            self.step(_CHUNK_BYTES, None)

    def wait_until_idle(self, seconds: float, within: float = math.inf) -> bool:
        """Read until the command has slept in silence for some `seconds`; return False when it ended or did not."""
        heard, since, deadline = -1, 0.0, time.monotonic() + within - self.time_credit
        while not self.ended and (now := time.monotonic()) < deadline + self.time_credit:
            if self.heard != heard or not asleep(*self.command.processes()):
                heard, since = self.heard, now
            elif now - since >= seconds and not becomes_readable(self.events, 0):
                return True  # nor has anything come since the last step
            self.step(_CHUNK_BYTES, now + _LOOK_EVERY)
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
            self._read(channels.stderr, self.errors, _CHUNK_BYTES)
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

    def _read(self, descriptor: int, file: IO[bytes], size: int) -> bytes:
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
            for one in (*self.beside, *([self.pipes] if self.pipes else ())):
                freeing.callback(one.close)


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
    """Return the doubts that matter for how a command ended: a limit that it passed for certain is not in doubt."""
    doubts = frozenset(doubt for doubt in program.doubts if _OF_ENDING.get(doubt, limit) == limit)
    is_starved = end.stop and end.stop.cpu_starved and limit in {None, "time"}
    return doubts | {"cpu_starved"} if is_starved else doubts
