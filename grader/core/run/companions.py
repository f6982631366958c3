"""What runs together with a student's command: the interactor, and further starts of the same program.

An interactor speaks with a single program on its own standard streams. Of several programs, each has two named pipes in
the interactor's working folder: what it writes comes out of `NAME.out`, and it reads what is written into `NAME.in`.
No program has them in its own sandbox.
"""

import errno
import os
import select
from collections.abc import Iterator
from contextlib import suppress

from msgspec.structs import replace

from grader.core.model.execution import Launch
from grader.core.run.process import SandboxedProcess
from grader.core.sandbox.folder import make_pipe

_CHUNK_BYTES = 65536


class NamedPipes:
    """The two pipes between an interactor and one of several programs: our ends, which never block.

    The interactor may open them in any order, and when it likes: until then we queue what it is to read.
    """

    def __init__(self, name: str, work: int, user: int | None) -> None:
        """Make the pipes of the program `name` in the interactor's working folder `work`, for its `user`."""
        self._to_other = self._from_other = -1
        self._queue = bytearray()
        self._is_opened = self._is_at_end = False
        for path in (f"{name}.in", f"{name}.out"):
            make_pipe(path, work, user)
        # Not open for writing yet: the kernel then tells an end that was never opened from one that was closed.
        self._from_other = os.open(f"{name}.in", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=work)
        reader = os.open(f"{name}.out", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=work)
        try:
            self._to_other = os.open(f"{name}.out", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=work)
        finally:
            os.close(reader)

    @property
    def queued(self) -> int:
        """How many bytes the interactor has not taken yet, beyond what is in the pipe."""
        return len(self._queue)

    def events(self, *, reads: bool) -> Iterator[tuple[int, int]]:
        """Yield the descriptors to wait for, each with what to wait for; `reads` tells whether more may be read."""
        if reads and self._from_other >= 0:
            yield self._from_other, select.POLLIN
        if self._queue and self._is_opened and self._to_other >= 0:
            yield self._to_other, select.POLLOUT

    def read(self) -> bytes | None:
        """Return what the interactor wrote; None once, when it has closed its end."""
        if self._from_other < 0 or not _has_events(self._from_other, select.POLLIN):
            return b""
        try:
            chunk = os.read(self._from_other, _CHUNK_BYTES)
        except BlockingIOError:
            return b""
        if chunk:
            return chunk
        os.close(self._from_other)
        self._from_other = -1
        return None

    def write(self, data: bytes = b"") -> int:
        """Queue `data` for the interactor, and return how many bytes it takes now."""
        self._queue += data
        written = 0
        if self._to_other < 0 or not self._look_whether_opened():
            return written
        try:
            while self._queue:
                count = os.write(self._to_other, self._queue[:_CHUNK_BYTES])
                del self._queue[:count]
                written += count
        except BlockingIOError:
            return written
        except OSError as error:
            if error.errno != errno.EPIPE:
                raise
            self._queue.clear()  # it reads no more
        if self._is_at_end:
            self._close_output()
        return written

    def end(self) -> None:
        """Let the interactor read to an end of file, once it has taken everything."""
        self._is_at_end = True
        self.write()

    def _look_whether_opened(self) -> bool:
        """Whether the interactor has opened its end for reading, perhaps long ago."""
        self._is_opened = self._is_opened or not _has_events(self._to_other, select.POLLERR, only=True)
        return self._is_opened

    def _close_output(self) -> None:
        os.close(self._to_other)
        self._to_other = -1

    def close(self) -> None:
        """Close our ends; may be called again."""
        for descriptor in (self._to_other, self._from_other):
            if descriptor >= 0:
                with suppress(OSError):
                    os.close(descriptor)
        self._to_other = self._from_other = -1


def _has_events(descriptor: int, wanted: int, *, only: bool = False) -> bool:
    """Whether something happened at a descriptor: `wanted`, or without `only` also its end."""
    poll = select.poll()
    poll.register(descriptor, 0 if only else wanted)
    happened = dict(poll.poll(0)).get(descriptor, 0)
    return bool(happened & (wanted if only else wanted | select.POLLHUP))


class Companions:
    """The interactor of a command; and where the command is one of several, the others and the pipes of all."""

    def __init__(self, interactor: SandboxedProcess, names: tuple[str, ...] = ()) -> None:
        """Start with the interactor; `names` are those of all programs, the command's own first."""
        self.interactor = interactor
        self.names = names
        self.programs: list[SandboxedProcess] = []
        """the further starts, in their order"""
        self.pipes: list[NamedPipes] = []
        """of each of the `names`"""

    def make_pipes(self) -> None:
        """Make the pipes in the interactor's working folder, before it runs."""
        for name in self.names:
            self.pipes.append(NamedPipes(name, self.interactor.work, self.interactor.command.user))

    def close(self) -> None:
        """End what still runs, and free everything. May be called again."""
        for program in (self.interactor, *self.programs):
            program.close()
        for pipes in self.pipes:
            pipes.close()


def launches_of(launch: Launch) -> list[Launch]:
    """Return the starts of a command with an interactor: one, or one for each of its programs."""
    if not launch.roles:
        return [replace(launch, closes_at_once=True)]
    return [
        replace(
            launch,
            argv=launch.argv + role.args,
            argv_untuned=launch.argv_untuned + role.args if launch.argv_untuned else (),
            closes_at_once=True,
            is_private=True,
        )
        for role in launch.roles
    ]
