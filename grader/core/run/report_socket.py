"""The report of a tool that wraps a command; the command can neither forge nor remove what was reported.

It comes through a socket, which cannot be opened by its name in /proc, as a pipe could. The kernel names the process
that wrote each piece. What keeps valgrind from writing more is marked by `CUT` at the end of each report.
"""

import fcntl
import os
import socket
import struct
from typing import Any

MAX_REPORTED = 4 * 2**20  # bytes of the report of one run that are stored
CUT = b"<cut>"  # the end of a report of which a part may be missing
_CREDENTIALS, _TIME = struct.Struct("3i"), struct.Struct("2l")
_CHUNK_BYTES = 65536
_CHUNKS_AT_ONCE = 64  # that are read before somebody looks at the limits of the program again


class ReportSocket:
    """The socket through which a tool that wraps a command reports to us."""

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
                data, credentials, _, _ = self._ours.recvmsg(_CHUNK_BYTES, socket.CMSG_SPACE(_CREDENTIALS.size))
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
