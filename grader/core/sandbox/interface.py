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
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from subprocess import Popen

from msgspec import Struct

from grader.core.model import SandboxInfo
from grader.core.sandbox.cgroup import ControlGroup

READY = b"\x01"
OPEN = b"\n"


class SandboxedCommand(ABC):
    """A command behind its gate, with what its level of protection knows about it."""

    process: Popen[bytes]
    """our child, which ends when the command has ended"""
    user: int | None = None
    """the owner of the files in the working folder; None when we own them"""
    group: ControlGroup | None = None
    """counts what the command uses as a whole; None where the machine lets us make none"""
    gate: int | None = None
    """a descriptor that can be written to as soon as the command waits; None where standard error reports that"""
    is_command = True
    """whether our child becomes the command, so that its account is the command's; else `settle` returns that"""
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


Start = Callable[..., SandboxedCommand]
"""`start(launch, stdin, stdout, stderr, *further)`: descriptors of ours, which stay open on our side"""


class Sandbox(Struct, frozen=True, kw_only=True):
    """A level of protection: what to say of it, and how to start a command in it."""

    info: SandboxInfo
    start: Start
