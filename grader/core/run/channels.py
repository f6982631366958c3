"""The pipes or the terminal between us and a command."""

import os
import pty
import termios
from collections.abc import Sequence
from contextlib import ExitStack

from msgspec import Struct

END_OF_FILE = b"\x04"
"""what a terminal takes for the end of input"""
_ROWS_AND_COLUMNS = (24, 80)


class Channels(Struct, frozen=True, kw_only=True):
    """Our ends and the command's ends."""

    stdin: int
    stdout: int
    stderr: int
    theirs: tuple[int, int, int]
    terminal: bool

    def close_ours(self) -> None:
        """Close our own ends, when no program uses them."""
        for descriptor in {self.stdin, self.stdout, self.stderr}:
            os.close(descriptor)

    def close_theirs(self) -> None:
        """Close the command's ends on our side, once it has them: without that there is no end of file."""
        for descriptor in set(self.theirs):
            os.close(descriptor)


def open_channels(*, terminal: bool) -> Channels:
    """Return three pipes; or a pseudo-terminal that neither echoes nor writes CR LF, and a pipe for standard error."""
    with ExitStack() as on_failure:

        def opened(*descriptors: int) -> Sequence[int]:
            for descriptor in descriptors:
                on_failure.callback(os.close, descriptor)
            return descriptors

        stderr, their_error = opened(*os.pipe())
        if terminal:
            stdin, theirs = opened(*pty.openpty())
            (stdout,), their_output = opened(os.dup(stdin)), theirs
            modes = termios.tcgetattr(theirs)
            modes[1] &= ~termios.OPOST
            modes[3] &= ~termios.ECHO
            termios.tcsetattr(theirs, termios.TCSANOW, modes)
            termios.tcsetwinsize(theirs, _ROWS_AND_COLUMNS)
        else:
            theirs, stdin = opened(*os.pipe())
            stdout, their_output = opened(*os.pipe())
        on_failure.pop_all()
    ends = (theirs, their_output, their_error)
    return Channels(stdin=stdin, stdout=stdout, stderr=stderr, theirs=ends, terminal=terminal)
