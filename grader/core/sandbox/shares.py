"""What the kernel gives to each user, where commands have none of their own: whether it is used up."""

import fcntl
import os
import resource
from contextlib import suppress
from pathlib import Path

from grader.core.sandbox.identity import LIBC

_PIPE_PAGES = 16  # the room of a pipe, until its user has too many (pipe(7))
_TERMINALS = ("nr", "max", "reserve")


def is_share_used_up() -> bool:
    """Whether the kernel gives our user smaller pipes than usual, no watch of files, or a sandbox no terminal.

    It counts them by user (pipe(7), inotify(7)) or for the machine, so a command that runs as we do lacks them too.
    """
    with suppress(OSError):
        used, most, reserved = (int(Path(f"/proc/sys/kernel/pty/{name}").read_bytes()) for name in _TERMINALS)
        if used >= most - reserved - 1:  # the kernel counts the one that it refuses; some are the machine's own
            return True
    ends = os.pipe2(os.O_CLOEXEC)
    watch = int(LIBC.inotify_init1(os.O_CLOEXEC))
    try:
        return watch < 0 or fcntl.fcntl(ends[0], fcntl.F_GETPIPE_SZ) < _PIPE_PAGES * resource.getpagesize()
    finally:
        for descriptor in (*ends, watch):
            if descriptor >= 0:
                os.close(descriptor)
