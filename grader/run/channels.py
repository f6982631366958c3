"""The descriptors between us and a command: pipes, or a pseudo-terminal for standard input and output.

Standard error always has a pipe of its own, also beside a terminal: a terminal would mix the two streams for good.
"""

import fcntl
import os
import pty
import re
import struct
import termios
from dataclasses import dataclass

_ROWS, _COLUMNS = 24, 80
_CONTROL_CHARACTERS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Channels:
    """Our ends (all non-blocking) and the command's ends. On a terminal `stdin` and `stdout` are one descriptor."""

    stdin: int
    stdout: int
    stderr: int
    theirs: tuple[int, int, int]
    terminal: bool

    def close_ours(self) -> None:
        """Close our own ends, when nobody came to use them."""
        for descriptor in {self.stdin, self.stdout, self.stderr}:
            os.close(descriptor)

    def close_theirs(self) -> None:
        """Close the command's ends on our side, once it has them: without that there is no end of file."""
        for descriptor in set(self.theirs):
            os.close(descriptor)


def open_pipes() -> Channels:
    """Return three pipes."""
    stdin, ours_in = os.pipe()
    ours_out, stdout = os.pipe()
    ours_error, stderr = os.pipe()
    theirs = (stdin, stdout, stderr)
    return _unblocked(Channels(stdin=ours_in, stdout=ours_out, stderr=ours_error, theirs=theirs, terminal=False))


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
    return _unblocked(
        Channels(stdin=ours, stdout=ours, stderr=ours_error, theirs=(theirs, theirs, stderr), terminal=True)
    )


class Screen:
    """What is read from a terminal, put right: LF for CR LF, and without the echo of what we typed.

    We ask for neither; a program may ask for both. Its terminal then echoes what we type as soon as we type it, before
    the program has read it, so that nothing but what it had still to say can come between.
    """

    def __init__(self, descriptor: int) -> None:
        """Watch the terminal whose our end is `descriptor`."""
        self._descriptor = descriptor
        self._echo = b""
        self._kept = b""

    def typed(self, data: bytes) -> None:
        """Take note of what is about to be typed."""
        modes = termios.tcgetattr(self._descriptor)[3]
        if modes & termios.ECHO:
            self._echo += _CONTROL_CHARACTERS.sub(_caret, data) if modes & termios.ECHOCTL else data

    def seen(self, data: bytes, *, last: bool = False) -> bytes:
        """Return what there is to see of the `data` that was read; a part may come later, with the `last` all does."""
        data = (self._kept + data).replace(b"\r\n", b"\n")
        self._kept = b""
        if data.endswith(b"\r") and not last:
            data, self._kept = data[:-1], b"\r"
        if data != self._echo and self._echo.startswith(data) and not last:
            self._kept = data + self._kept
            return b""
        data = data.removeprefix(self._echo)
        self._echo = b""
        return data


def _caret(match: re.Match[bytes]) -> bytes:
    return b"" if match[0] == b"\x04" else b"^" + bytes([match[0][0] ^ 0x40])


def _unblocked(channels: Channels) -> Channels:
    for descriptor in {channels.stdin, channels.stdout, channels.stderr}:
        os.set_blocking(descriptor, False)
    return channels
