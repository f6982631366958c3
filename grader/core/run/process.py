"""A running command with its pipes or its terminal: one event loop over these, the process, and the limits."""

import fcntl
import math
import os
import select
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from tempfile import SpooledTemporaryFile
from threading import Event
from typing import IO

from grader.core.errors import GradingStoppedError, HostError
from grader.core.lazy import lazy_call
from grader.core.model.execution import Launch
from grader.core.run.channels import END_OF_FILE, Channels
from grader.core.run.companions import NamedPipes
from grader.core.run.meter import MeteredCommand
from grader.core.run.proc_stats import asleep
from grader.core.run.report_socket import ReportSocket
from grader.core.run.transcript import Transcript
from grader.core.sandbox.interface import SandboxedCommand, becomes_readable

_new_screen = lazy_call("grader.core.run.screen", "Screen")
_CHUNK_BYTES = 65536
_LOOK_EVERY = 0.05


class SandboxedProcess(MeteredCommand, AbstractContextManager["SandboxedProcess"]):
    """One command between its start and its end. Use it as a context manager: leaving it ends the command."""

    failure: HostError | None = None
    """why it could not be made ready, if that was tried before its turn"""
    pipes: NamedPipes | None = None
    """between it and the interactor, where it is one of several programs"""
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
        self.events = self._poll.fileno()
        """a descriptor that can be read when there is something for `step` to do"""
        self.channels, self._cancelled = channels, cancelled
        self.beside: list[SandboxedProcess] = []
        """its interactor, and then its further starts; closed with it"""
        self.wires = {wire.fileno(): wire for wire in wires}
        self.output, self.errors = (SpooledTemporaryFile(_CHUNK_BYTES, buffering=0) for _ in range(2))  # noqa: SIM115
        self.transcript = Transcript()
        self._screen = _new_screen(channels.stdout) if channels.terminal else None
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
