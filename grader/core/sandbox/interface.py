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

import errno
import math
import os
import select
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from subprocess import Popen, TimeoutExpired
from typing import Any

from msgspec import Struct

from grader.core.errors import HostError
from grader.core.model.judgement import SandboxInfo
from grader.core.sandbox.cgroup import ControlGroup

READY = b"\x01"
OPEN = b"\n"
_GONE = 60.0
"""seconds; the kernel needs a few thousandths"""
_NOT_FOUND, _NOT_EXECUTABLE = 127, 126
"""as shells report it: POSIX, XCU 2.8.2"""


class SandboxedCommand(ABC):
    """A command behind its gate, with what its level of protection knows about it."""

    process: "Popen[bytes] | Descendant"
    """our child, or a descendant, which ends when the command has ended"""
    user: int | None = None
    """the owner of the files in the working folder; None when we own them"""
    group: ControlGroup | None = None
    """counts what the command uses as a whole; None where the machine lets us make none"""
    gate: int | None = None
    """a descriptor that can be written to as soon as the command waits; None where standard error reports that"""
    gate_event = select.EPOLLOUT
    """what epoll(7) tells of that descriptor then"""
    is_command = True
    """whether our child becomes the command, so that its account is the command's; else `settle` returns that"""
    ended = math.inf
    """when the command ended (`time.monotonic`), once our child has, where the level knows"""
    has_network = False
    """whether it has a network of its own, to be seen in the /proc of `processes`"""
    tells_signals = True
    """whether our child ends as the command did; else a status of 128 and a number may be a signal of that number,
    unless `signal_of_status` knows"""

    @abstractmethod
    def enter(self) -> int:
        """Set the limits, and return a descriptor of the working folder; called once, when the command waits.

        Raises HostError.
        """

    def wait_for_turn(self, check: Callable[[], None]) -> None:  # noqa: B027 - most levels have nothing to wait for
        """Wait until the command may run beside others; `check` is called meanwhile, and ends the wait by raising."""

    def open_gate(self, stdin: int) -> None:
        """Let the command run; `stdin` is our end of its standard input."""
        os.write(stdin, OPEN)

    def as_shell(self, status: int, errors: bytes) -> tuple[int, bytes]:
        """Return the status and the standard error, as if a shell had started the command."""
        return status, errors

    def complaint(self) -> bytes:
        """Return what the sandbox said elsewhere than on standard error, when it did not come up."""
        return b""

    def signal_of_status(self) -> int | None:
        """Return the signal that ended a command, once all is settled; 0 where it ended by itself, None if unknown."""
        return None

    @abstractmethod
    def processes(self) -> tuple[int, Sequence[int]]:
        """Return a descriptor of a /proc, and the ids in it that belong to the command."""

    @abstractmethod
    def kill(self) -> None:
        """End the command and everything it started; may be called again."""

    @abstractmethod
    def settle(self) -> tuple[float, int]:
        """Wait, once the process has ended, until nothing of the command is alive.

        Returns of what it had to wait for the processor time, in seconds, and the most memory of any process, in bytes.
        """

    def close(self) -> None:
        """Free what the sandbox holds, once the process has ended; that of a level comes before."""
        if self.group:
            self.group.close()


class Descendant(ABC):
    """A process that is no child of ours: another one waits for it, and tells."""

    pid: int
    """0 until it is known"""
    returncode: "int | Any" = None

    @abstractmethod
    def watch(self) -> int:
        """Return a new descriptor that can be read once it has ended."""

    @abstractmethod
    def kill(self) -> None:
        """End it."""

    @abstractmethod
    def poll(self) -> int | None:
        """Return its status if that was asked for before; else None."""

    @abstractmethod
    def wait(self, timeout: float) -> int:
        """Wait for its end and return its status, as `Popen.wait` does. Raises HostError when nobody knows it."""


def watch_end(process: Popen[bytes] | Descendant) -> int:
    """Return a new descriptor that can be read once a process has ended."""
    return process.watch() if isinstance(process, Descendant) else os.pidfd_open(process.pid)


def wait_for_end(process: Popen[bytes] | Descendant) -> None:
    """Wait until a process that was ended is gone. Raises HostError when it is not for long, or nobody knows."""
    try:
        process.wait(_GONE)
    except TimeoutExpired as error:
        raise HostError(f"a program is still alive {_GONE:.0f} s after it was killed") from error


def reap(process: Popen[bytes] | Descendant) -> tuple[float, int]:
    """Wait for a process, and return its processor time, in seconds, and its memory at the most, in bytes.

    For a descendant both are 0: `settle` has them.
    """
    if isinstance(process, Descendant):
        wait_for_end(process)
        return 0.0, 0
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def failure_as_shell(name: bytes, reason: bytes) -> tuple[int, bytes]:
    """Return the status and the message of a shell for a program that could not be started."""
    if reason == os.strerror(errno.ENOENT).encode():
        return _NOT_FOUND, b"sh: %s: not found\n" % name
    return _NOT_EXECUTABLE, b"sh: %s: %s\n" % (name, reason)


Start = Callable[..., SandboxedCommand]
"""`start(launch, stdin, stdout, stderr, *further)`: descriptors of ours, which stay open on our side"""


class Sandbox(Struct, frozen=True, kw_only=True):
    """A level of protection: what to say of it, and how to start a command in it."""

    info: SandboxInfo
    start: Start
