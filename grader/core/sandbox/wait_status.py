"""The wait status of a process that another process reaps, which tells a signal from an exit status.

Bubblewrap reaps the command inside its namespace, and passes 128 plus its number on for a signal, as shells do. A
kernel from 6.15 on keeps the status with a descriptor of the process (PIDFD_GET_INFO, linux/pidfd.h). That has to be
open before the process ends, and a short command ends before we would have found it. So its parent is traced while
it forks (ptrace(2)): the kernel then holds the child until we let it go, before its first instruction.
"""

import ctypes
import fcntl
import os
import struct
from functools import cache
from itertools import takewhile
from pathlib import Path

from grader.core.sandbox.identity import LIBC

_FIRST_KERNEL = (6, 15)
_INFO_BYTES, _STATUS_AT = 64, 60
_GET_INFO = 3 << 30 | _INFO_BYTES << 16 | 0xFF << 8 | 11
_WITH_STATUS = 1 << 3
"""PIDFD_INFO_EXIT"""
_PTRACE_DETACH, _PTRACE_SEIZE, _TRACE_FORKS = 17, 0x4206, 2 | 4 | 8
_ANY_CHILD = 0x40000000
"""__WALL: of waitpid(2), for a process that is traced"""


@cache
def keeps_wait_status() -> bool:
    """Whether this kernel tells how a process ended that another process has reaped."""
    first, second = os.uname().release.split(".")[:2]
    return (int(first), int("".join(takewhile(str.isdigit, second)))) >= _FIRST_KERNEL


def seize(parent: int) -> bool:
    """Begin to trace a process that has not forked yet; False where that is refused.

    The thread that calls this must call `hold_child` next.
    """
    return _ptrace(_PTRACE_SEIZE, parent, _TRACE_FORKS)


def hold_child(parent: int) -> int:
    """Wait until a seized process has forked, and let both go; return a descriptor of the child.

    Returns -1 when either has ended meanwhile, or no descriptor is to be had.
    """
    _, status = os.waitpid(parent, _ANY_CHILD)
    if not os.WIFSTOPPED(status):
        return -1
    try:
        return _let_child_go(int(Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii")))
    except (OSError, ValueError):
        return -1
    finally:
        _ptrace(_PTRACE_DETACH, parent, 0)


def _let_child_go(child: int) -> int:
    try:
        return os.pidfd_open(child)
    finally:
        os.waitpid(child, _ANY_CHILD)  # it is stopped, since the trace goes on in it
        _ptrace(_PTRACE_DETACH, child, 0)


def wait_status(process: int) -> int | None:
    """Return the status of the process of a descriptor, as of waitpid(2), once it was reaped; None where unknown."""
    answer = bytearray(_INFO_BYTES)
    struct.pack_into("=Q", answer, 0, _WITH_STATUS)
    try:
        fcntl.ioctl(process, _GET_INFO, answer)
    except OSError:
        return None
    (known,) = struct.unpack_from("=Q", answer, 0)
    return int(struct.unpack_from("=i", answer, _STATUS_AT)[0]) if known & _WITH_STATUS else None


def _ptrace(request: int, process: int, data: int) -> bool:
    done: int = LIBC.ptrace(request, process, ctypes.c_void_p(0), ctypes.c_void_p(data))
    return done == 0
