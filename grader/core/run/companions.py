"""What runs together with a student's command: the interactor, and further starts of the same program.

Each of several programs has two named pipes in the interactor's folder, `NAME.in` and `NAME.out`, which it cannot see.
"""

import os
import select
from collections.abc import Iterator
from io import FileIO

from msgspec.structs import replace

from grader.core.model.execution import Launch
from grader.core.model.spec import Role
from grader.core.sandbox.folder import make_pipe

_CHUNK_BYTES = 65536


class NamedPipes:
    """The pipes between an interactor, which opens them when it likes, and one of several programs: our ends."""

    def __init__(self, name: str, work: int, user: int | None) -> None:
        """Make the pipes of the program `name` in the interactor's working folder `work`, for its `user`."""
        self._queue = bytearray()
        self._is_opened = self._is_at_end = False

        def opened(ending: str, flags: int, mode: str) -> FileIO:
            return FileIO(os.open(name + ending, flags | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=work), mode)

        for ending in (".in", ".out"):
            make_pipe(name + ending, work, user)
        self._source = opened(".in", os.O_RDONLY, "r")
        # Writing needs a reader to begin with. It goes, so that the kernel shows an end that was never opened.
        with opened(".out", os.O_RDWR, "r"):
            self._sink = opened(".out", os.O_WRONLY, "w")

    @property
    def queued(self) -> int:
        """How many bytes the interactor has not taken yet, beyond what is in the pipe."""
        return len(self._queue)

    def events(self, *, reads: bool) -> Iterator[tuple[int, int]]:
        """Yield the descriptors to wait for, each with what to wait for; `reads` tells whether more may be read."""
        if reads and not self._source.closed:
            yield self._source.fileno(), select.POLLIN
        if self._queue and self._is_opened and not self._sink.closed:
            yield self._sink.fileno(), select.POLLOUT

    @property
    def is_hung_up(self) -> bool:
        """Whether the interactor has closed its end for writing, and everything was read."""
        return self._source.closed

    def read(self) -> bytes:
        """Return what the interactor wrote."""
        # A pipe that nobody has opened for writing yet reads as one at its end; only the other one has an event.
        if self._source.closed or not _has_event(self._source, select.POLLIN | select.POLLHUP):
            return b""
        chunk = self._source.read(_CHUNK_BYTES)
        if chunk == b"":
            self._source.close()
        return chunk or b""

    def pass_on(self, data: bytes = b"") -> None:
        """Queue `data` for the interactor, and write what it takes now."""
        self._queue += data
        # It may have opened its end for reading long ago.
        self._is_opened = self._is_opened or not _has_event(self._sink, select.POLLERR)
        if self._sink.closed or not self._is_opened:
            return
        try:
            while self._queue and (count := self._sink.write(self._queue[:_CHUNK_BYTES])):  # None where it is full
                del self._queue[:count]
        except BrokenPipeError:
            self._queue.clear()  # it reads no more
        if self._is_at_end and not self._queue:
            self._sink.close()

    def end_input(self) -> None:
        """Let the interactor read to an end of file, once it has taken everything."""
        self._is_at_end = True
        self.pass_on()

    def close(self) -> None:
        """Close our ends; may be called again."""
        self._source.close()
        self._sink.close()


def _has_event(file: FileIO, wanted: int) -> bool:
    poll = select.poll()
    poll.register(file, wanted)
    return any(event & wanted for _, event in poll.poll(0))


def launches_of(launch: Launch) -> list[Launch]:
    """Return the starts of a command: it alone, or it and its interactor, and then its further programs."""
    if not launch.interactor or launch.is_output_validator:
        return [launch]
    around = replace(launch, closes_at_once=True, is_private=launch.is_private or bool(launch.roles))
    first, *further = [
        replace(
            around, argv=launch.argv + one.args, argv_untuned=launch.argv_untuned and launch.argv_untuned + one.args
        )
        for one in launch.roles or (Role(name=""),)
    ]
    return [first, replace(launch.interactor, closes_at_once=True, is_private=around.is_private), *further]
