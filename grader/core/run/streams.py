"""What a command reads and writes: its pipes or its terminal, and the socket of a tool that wraps it."""

import fcntl
import os
import socket
import struct
import termios
from typing import Any

from msgspec import Struct

from grader.core.lazy import lazy_regex

CHUNK_BYTES = 65536  # that are read or written at once
END_OF_FILE = b"\x04"  # what a terminal takes for the end of input
_CONTROL_CHARACTERS = lazy_regex(rb"[\x00-\x08\x0b-\x1f\x7f]")


class Channels(Struct, frozen=True, kw_only=True):
    """Our ends of the pipes or the terminal between us and a command, and the command's ends."""

    stdin: int
    stdout: int
    stderr: int
    theirs: tuple[int, int, int]
    terminal: bool


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
            data = data.replace(END_OF_FILE, b"")
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


MAX_REPORTED = 4 * 2**20  # bytes of the report of one run that are stored


CUT = b"<cut>"  # the end of a report of which a part may be missing


_CREDENTIALS, _TIME = struct.Struct("3i"), struct.Struct("2l")


_CHUNKS_AT_ONCE = 64  # that are read before somebody looks at the limits of the program again


class ReportSocket:
    """The socket for the report of a tool that wraps a command, which can neither forge nor remove reports."""

    fact = "reported"  # the field of an execution that has what was `finished`

    def __init__(self) -> None:
        """Make a pair of sockets, of which `theirs` is for the tool."""
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._ours.setblocking(False)  # noqa: FBT003 - so it is called there
        self.theirs, self.fileno = self._theirs.fileno(), self._ours.fileno
        self._free_bytes = MAX_REPORTED
        self._is_cut = self._is_drained = False
        self.reports: dict[int, bytearray] = {}
        """process -> the report about it, in the order in which the processes started"""

    def read(self) -> bool:
        """Read what is there, if that is not too much at once; return False where the program shut the socket."""
        for _ in range(_CHUNKS_AT_ONCE):
            try:
                data, credentials, _, _ = self._ours.recvmsg(CHUNK_BYTES, socket.CMSG_SPACE(_CREDENTIALS.size))
            except BlockingIOError:
                self._is_drained = True
                break
            if not data:
                self._is_cut = self._is_drained = True
                return False
            self.take(_CREDENTIALS.unpack(credentials[0][2])[0] if credentials else 0, data)
        return True

    def take(self, process: int, data: bytes) -> None:
        """Keep what a process wrote, up to the limit."""
        self._is_cut = self._is_cut or len(data) > self._free_bytes
        if self._free_bytes:
            self.reports.setdefault(process, bytearray()).extend(data[: self._free_bytes])
            self._free_bytes -= min(self._free_bytes, len(data))

    def finished(self) -> dict[int, Any]:
        """Return what was reported of each process, once all have ended."""
        end = CUT if self.read_rest() else b""
        return {process: bytes(report) + end for process, report in self.reports.items()}

    def read_rest(self) -> bool:
        """Read all that is there, once nobody writes any more; return whether a part may be missing."""
        self._is_drained = False
        while not self._is_drained:
            self.read()
        # A program may have asked that the tool's end gives up what it cannot write at once.
        timeout = self._theirs.getsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _TIME.size)
        flags = fcntl.fcntl(self.theirs, fcntl.F_GETFL)
        return self._is_cut or bool(flags & os.O_NONBLOCK) or any(_TIME.unpack(timeout))

    def close(self) -> None:
        """Close both ends."""
        self._ours.close()
        self._theirs.close()
