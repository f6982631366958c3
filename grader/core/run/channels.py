"""The pipes or the terminal between us and a command."""

import fcntl
import itertools
import os
import pty
import struct
import termios

from msgspec import Struct

END_OF_FILE = b"\x04"
"""what a terminal takes for the end of input"""
_ROWS, _COLUMNS = 24, 80


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


def open_pipes() -> Channels:
    """Return three pipes."""
    pipes: list[tuple[int, int]] = []
    try:
        pipes.extend(os.pipe() for _ in range(3))
    except OSError:
        for descriptor in itertools.chain(*pipes):
            os.close(descriptor)
        raise
    (stdin, ours_in), (ours_out, stdout), (ours_error, stderr) = pipes
    theirs = (stdin, stdout, stderr)
    return Channels(stdin=ours_in, stdout=ours_out, stderr=ours_error, theirs=theirs, terminal=False)


def open_terminal() -> Channels:
    """Return a pseudo-terminal of 24 lines by 80, and a pipe for standard error.

    It neither echoes what we type nor writes CR LF for LF, so that output compares like that of a pipe; the command
    still sees a terminal, with line editing and the control characters.
    """
    ours, theirs = pty.openpty()
    modes = termios.tcgetattr(theirs)
    modes[1] &= ~termios.OPOST
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(theirs, termios.TCSANOW, modes)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
    ours_error, stderr = os.pipe()
    return Channels(stdin=os.dup(ours), stdout=ours, stderr=ours_error, theirs=(theirs, theirs, stderr), terminal=True)
