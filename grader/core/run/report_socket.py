"""The report of a tool that wraps a command; the command can neither forge nor remove what was reported.

The report comes through a socket. Valgrind protects its end from the program. A pipe or a file could be reopened by its
name in /proc, and a socket cannot. The kernel names the process that wrote each piece, so the reports of a program's
children are separate.
"""

import socket
import struct
from contextlib import suppress

from msgspec.structs import replace

from grader.core.model import Launch

REPORT = "{report}"
"""what stands for the number of the descriptor in the words of a tool"""
MAX_REPORTED = 4 * 2**20
"""bytes of the report of one run that are stored"""
_CREDENTIALS = struct.Struct("3i")
_CHUNK_BYTES = 65536


class ReportSocket:
    """The socket through which a tool that wraps a command reports to us."""

    def __init__(self) -> None:
        """Make a pair of sockets, of which `theirs` is for the tool."""
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._ours.setblocking(False)  # noqa: FBT003 - so it is called there
        self._free_bytes = MAX_REPORTED
        self.reports: dict[int, bytearray] = {}
        """process -> the report about it, in the order in which the processes started"""

    @property
    def theirs(self) -> int:
        """The descriptor for the tool."""
        return self._theirs.fileno()

    def fileno(self) -> int:
        """Return our own descriptor."""
        return self._ours.fileno()

    def close_theirs(self) -> None:
        """Close the tool's end on our side, once it has it."""
        self._theirs.close()

    def read(self) -> bool:
        """Read what is there; return False at the end."""
        with suppress(BlockingIOError):
            while True:
                data, credentials, _, _ = self._ours.recvmsg(_CHUNK_BYTES, socket.CMSG_SPACE(_CREDENTIALS.size))
                if not data:
                    return False
                process = _CREDENTIALS.unpack(credentials[0][2])[0] if credentials else 0
                self.reports.setdefault(process, bytearray()).extend(data[: self._free_bytes])
                self._free_bytes -= min(self._free_bytes, len(data))
        return True

    def close(self) -> None:
        """Close both ends."""
        self._ours.close()
        self._theirs.close()


def with_wire(launch: Launch, wire: ReportSocket) -> Launch:
    """Return the command with its tool in front of it, which reports through `wire`."""
    tool = tuple(word.replace(REPORT, str(wire.theirs)) for word in launch.tool)
    return replace(launch, argv=(*tool, *launch.argv), argv_untuned=())
