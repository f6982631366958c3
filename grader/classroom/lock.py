"""One grader at a time on one folder: two would mix their reports."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.errors import HostError, UsageError

NAME = "grades.lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder; raises UsageError when another grader does. The kernel lets go when we end, however we do."""
    path = folder / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    except OSError as error:
        raise HostError(f"{path}: {error.strerror}; choose a folder that you may write to with --out") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        other = os.read(descriptor, 20).decode(errors="replace").strip()
        raise UsageError(
            f"another grader (process {other or 'unknown'}) is at work in {folder}; wait for it, or choose --out"
        ) from None
    else:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(descriptor)
