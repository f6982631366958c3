"""Reading a submission that is a folder, by descriptor, so that nothing a student plants leads out of it.

Every folder is opened from the top, part by part, without following links: one descriptor at a time, no recursion,
whatever the depth. Files are opened without waiting, which a pipe would make us do, and looked at again after opening.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase

from grader.build.tree import Intake, StagingLimits, Tree

SKIPPED = (".git", ".svn", ".hg", "__pycache__", ".#*")
"""Never part of the work, and never looked at: version control, Python's cache, Emacs' locks (links to nowhere)."""

NO_LINKS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def is_skipped(part: str) -> bool:
    """Whether a name is one of `SKIPPED`."""
    return any(fnmatchcase(part, pattern) for pattern in SKIPPED)


def read_folder(descriptor: int, limits: StagingLimits) -> Tree:
    """Read the folder open as `descriptor`; `Refused` over a limit, `OSError` for what cannot be read."""
    intake = Intake(limits=limits)
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        parts = waiting.pop()
        with _opened(descriptor, parts) as folder, os.scandir(folder) as entries:
            for entry in entries:
                if is_skipped(entry.name):
                    continue
                below = (*parts, entry.name)
                if entry.is_dir(follow_symlinks=False):
                    intake.folder(below)
                    waiting.append(below)
                elif entry.is_file(follow_symlinks=False):
                    _take_file(intake, folder, below)
                else:
                    intake.leave_out(below)
    return intake.tree()


@contextmanager
def _opened(top: int, parts: tuple[str, ...]) -> Iterator[int]:
    descriptor = os.dup(top)
    try:
        for part in parts:
            below = os.open(part, NO_LINKS | os.O_DIRECTORY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def _take_file(intake: Intake, folder: int, parts: tuple[str, ...]) -> None:
    descriptor = os.open(parts[-1], NO_LINKS, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            intake.leave_out(parts)
            return
        intake.reserve(status.st_size)
        content = stream.read(status.st_size)
    intake.file(parts, content, executable=bool(status.st_mode & stat.S_IXUSR))
