"""What a sandbox hands out: one command, set up and waiting at a gate.

Setting a sandbox up takes longer than starting a program, so the two are apart: `start` returns at once, the sandbox
comes up by itself, and the command only runs when the gate opens. A caller with several commands starts the next
sandbox while the present command runs.

Where a level has no gate of its own, it is a line of shell in front of the command (`command.gated`). It needs no
descriptor of its own, so none can leak: it reports on standard error with one byte, and waits for one line on standard
input. Both happen before the student's program exists. Without the line, as when we are gone, nothing runs. Anything
else that comes first on standard error is the sandbox's own complaint. Limits are set from outside, while the command
waits.
"""

import os
import resource
import select
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from subprocess import Popen
from typing import Self

from msgspec import Struct

from grader.core.errors import HostError
from grader.core.model.execution import Launch
from grader.core.model.judgement import SandboxInfo
from grader.core.sandbox.cgroup import ControlGroup
from grader.core.sandbox.command import set_limits

READY = b"\x01"
OPEN = b"\n"
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
GONE_SECONDS = 60.0  # after which a process that was killed is gone; the kernel needs a few thousandths
_COUNTER_ERROR_BYTES = 2**24 + 4 * max(32, 2 * (os.cpu_count() or 1)) * (os.cpu_count() or 1) * resource.getpagesize()
"""by how much the kernel's counts of resident pages may differ, which each processor gathers (percpu_counter.c)"""


class Ended(Struct, frozen=True, kw_only=True):
    """How a command ended, and what all of its processes used of which the end tells."""

    status: int | None = None  # its exit status; None where a signal ended it
    signal: int | None = None
    time: float  # when it ended (`time.monotonic`)
    cpu: float = 0.0  # seconds of processor time
    memory: int = 0  # bytes of the largest process
    message: bytes = b""  # what a shell would say of a program that cannot be started, which then wrote nothing itself


def ended_as(wait_status: int, *, cpu: float = 0.0, memory: int = 0, time: float) -> Ended:
    """Return how a process ended with this status (waitpid(2))."""
    code = os.waitstatus_to_exitcode(wait_status)
    status, signal = (code, None) if code >= 0 else (None, -code)
    return Ended(status=status, signal=signal, time=time, cpu=cpu, memory=memory)


def becomes_readable(descriptor: int, seconds: float) -> bool:
    """Wait until a descriptor can be read, or is at its end; return whether that is so in time."""
    poll = select.poll()  # select(2) takes no number above 1023
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(1000 * seconds))


class SandboxedCommand(ABC):
    """A command behind its gate, with what its level of protection knows about it."""

    pid = 0  # the process that is the command, or that waits for it; 0 until it is known
    end: int  # a descriptor that can be read once the command has ended
    gate: int | None = None
    """a descriptor that can be read as soon as the command waits; None where standard error reports that"""
    user: int | None = None  # the owner of the files in the working folder; None when we own them
    group: ControlGroup | None = None
    """counts what the command uses as a whole; None where the machine lets us make none"""
    has_network = False  # whether it has a network of its own, to be seen in the /proc of `processes`
    _ended: Ended | None = None

    def __init__(self, launch: Launch, held: ExitStack) -> None:
        """Begin with what is `held` for the command, and is freed by `close` once `own` was called."""
        self._launch, self._held = launch, held

    def own(self) -> Self:
        """Take over what is held, from a start that succeeded."""
        self._held = self._held.pop_all()
        return self

    def _hold(self, descriptor: int) -> int:
        self._held.callback(os.close, descriptor)
        return descriptor

    @abstractmethod
    def enter(self) -> int:
        """Set the limits, and return a descriptor of the working folder; called once, when the command waits.

        Raises HostError or OSError.
        """

    def wait_for_turn(self, check: Callable[[], None]) -> None:  # noqa: B027 - most levels have nothing to wait for
        """Wait until the command may run beside others; `check` is called meanwhile, and ends the wait by raising."""

    def open_gate(self, stdin: int) -> None:
        """Let the command run; `stdin` is our end of its standard input."""
        os.write(stdin, OPEN)

    def complaint(self) -> bytes:
        """Return what the sandbox said elsewhere than on standard error, when it did not come up."""
        return b""

    @abstractmethod
    def processes(self) -> tuple[int, Sequence[int]]:
        """Return a descriptor of a /proc, and the ids in it that belong to the command."""

    @abstractmethod
    def kill(self) -> None:
        """End the command and everything it started; may be called again."""

    def wait(self) -> Ended:
        """Wait until the command has ended and nothing of it is alive; return how it ended, each time the same.

        Raises HostError when it does not end, or when nobody knows how it ended.
        """
        if self._ended is None:
            if not becomes_readable(self.end, GONE_SECONDS):
                raise HostError(f"a program is still alive {GONE_SECONDS:.0f} s after it was killed")
            self._ended = Ended(status=1, time=time.monotonic())  # if what follows fails, it is not tried again
            self._ended = self._settle()
        return self._ended

    @abstractmethod
    def _settle(self) -> Ended:
        """Reap the command, which has ended, and wait until nothing of it is alive. Raises HostError."""

    def close(self) -> None:
        """Free what the sandbox holds, all of it, once the command has ended; never raises."""
        with suppress(OSError, HostError):
            self._held.close()


class ChildCommand(SandboxedCommand):
    """A command that is a child of ours, in a folder of the machine, at whose gate stands a shell."""

    def __init__(
        self, launch: Launch, held: ExitStack, process: Popen[bytes], work: Path, group: ControlGroup | None
    ) -> None:
        """Take over a process, which is ended if that fails."""
        super().__init__(launch, held)
        held.callback(process.wait)
        held.callback(process.kill)
        self.group, self.pid, self._process = group, process.pid, process
        self.end = self._hold(os.pidfd_open(process.pid))
        self._proc, self._work = (self._hold(os.open(folder, FOLDER)) for folder in ("/proc", work))
        if group:
            group.admit(process.pid)

    def enter(self) -> int:
        """Set the limits; that of processes only of a user of its own, else all that we run would be counted."""
        set_limits(self.pid, self._launch, self.user, count_processes=self.user is not None)
        return self._work

    def processes(self) -> tuple[int, list[int]]:
        """Return a descriptor of the machine's /proc, and the ids in it that belong to the command."""
        return self._proc, self._running()

    @abstractmethod
    def _running(self) -> list[int]:
        """Return the ids of all that is alive of the command."""


def reap(process: Popen[bytes]) -> Ended:
    """Wait for a process that was started from ours, and return how it ended.

    Its account begins with our memory, since the two were one until it began: only what is more is its own.
    """
    _, status, used = os.wait4(process.pid, 0)
    now = time.monotonic()
    process.returncode = os.waitstatus_to_exitcode(status)
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    memory = used.ru_maxrss * 1024 if used.ru_maxrss * 1024 > ours + _COUNTER_ERROR_BYTES else 0
    return ended_as(status, cpu=used.ru_utime + used.ru_stime, memory=memory, time=now)


class Sandbox(Struct, frozen=True, kw_only=True):
    """A level of protection: what to say of it, how to start a command in it, and what commands can do there."""

    info: SandboxInfo
    start_with: Callable[..., SandboxedCommand]
    """`start_with(launch, stdin, stdout, stderr, *further, show=..., packages=...)`"""
    show: tuple[str, ...] = ()  # paths of the machine that can be read, besides /usr
    packages: str = ""  # a virtual environment of Python, read-only, whose interpreter commands get; empty without one
    allows_tracing: bool = True  # whether a program may trace its own, as valgrind and sanitizers do
    runs_in_parallel: bool = True  # whether two commands of one submission may run at the same time

    def start(self, launch: Launch, *streams: int) -> SandboxedCommand:
        """Start a command: `streams` are descriptors of ours, its first three streams and those that it keeps."""
        return self.start_with(launch, *streams, show=self.show, packages=self.packages)
