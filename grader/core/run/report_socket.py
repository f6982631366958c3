"""The report of a tool that wraps a command; the command can neither forge nor remove what was reported.

The report comes through a socket, whose end the program shares with valgrind. It cannot take back what was written, and
it cannot open the socket by its name in /proc, as it could a pipe or a file. The kernel names the process that
wrote each piece, so the reports of a program's children are separate. What the program adds is for the reader of the
report to notice. What keeps valgrind from writing more is noticed here, and marked by `CUT` at the end of each report.
"""

import fcntl
import os
import socket
import struct
from collections.abc import Mapping

from msgspec.structs import replace

from grader.core.model.execution import Launch

REPORT = "{report}"
"""what stands for the number of the descriptor in the words of a tool"""
MAX_REPORTED = 4 * 2**20
"""bytes of the report of one run that are stored"""
CUT = b"<cut>"
"""the end of a report of which a part may be missing"""
_CREDENTIALS, _TIME = struct.Struct("3i"), struct.Struct("2l")
_CHUNK_BYTES = 65536
_CHUNKS_AT_ONCE = 64
"""that are read before somebody looks at the limits of the program again"""


class ReportSocket:
    """The socket through which a tool that wraps a command reports to us."""

    def __init__(self) -> None:
        """Make a pair of sockets, of which `theirs` is for the tool."""
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._ours.setblocking(False)  # noqa: FBT003 - so it is called there
        self._free_bytes = MAX_REPORTED
        self._is_cut = self._is_drained = False
        self.reports: dict[int, bytearray] = {}
        """process -> the report about it, in the order in which the processes started"""

    @property
    def theirs(self) -> int:
        """The descriptor for the tool."""
        return self._theirs.fileno()

    def fileno(self) -> int:
        """Return our own descriptor."""
        return self._ours.fileno()

    def read(self) -> bool:
        """Read what is there, if that is not too much at once; return False at the end.

        Our own copy of the tool's end is open until `close`, so there is an end only if the program shut the socket.
        """
        self._is_drained = False
        for _ in range(_CHUNKS_AT_ONCE):
            try:
                data, credentials, _, _ = self._ours.recvmsg(_CHUNK_BYTES, socket.CMSG_SPACE(_CREDENTIALS.size))
            except BlockingIOError:
                self._is_drained = True
                return True
            if not data:
                self._is_cut = self._is_drained = True
                return False
            self.take(_CREDENTIALS.unpack(credentials[0][2])[0] if credentials else 0, data)
        return True

    def read_rest(self) -> None:
        """Read all that is there, once nobody writes any more."""
        self.read()
        while not self._is_drained:
            self.read()

    def take(self, process: int, data: bytes) -> None:
        """Keep what a process wrote, up to the limit."""
        self._is_cut = self._is_cut or len(data) > self._free_bytes
        if self._free_bytes:
            self.reports.setdefault(process, bytearray()).extend(data[: self._free_bytes])
            self._free_bytes -= min(self._free_bytes, len(data))

    def finished_reports(self) -> dict[int, bytes]:
        """Return what was reported of each process, once all have ended."""
        self.read_rest()
        is_cut = self.may_be_cut()
        return {process: bytes(report) + (CUT if is_cut else b"") for process, report in self.reports.items()}

    def may_be_cut(self) -> bool:
        """Whether a part of what the tool wrote may be missing."""
        return self._is_cut or self._may_lose()

    def _may_lose(self) -> bool:
        """Whether the tool's end gives up what it cannot write at once, which a program may ask for."""
        timeout = self._theirs.getsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _TIME.size)
        return bool(fcntl.fcntl(self._theirs, fcntl.F_GETFL) & os.O_NONBLOCK) or any(_TIME.unpack(timeout))

    def close(self) -> None:
        """Close both ends."""
        self._ours.close()
        self._theirs.close()


def with_wire(launch: Launch, wires: Mapping[str, ReportSocket]) -> Launch:
    """Return the command with its tool in front of it, which reports through the wires by their names in its words."""
    tool = launch.tool
    for name, wire in wires.items():
        tool = tuple(word.replace(name, str(wire.theirs)) for word in tool)
    return replace(launch, argv=(*tool, *launch.argv), argv_untuned=())
