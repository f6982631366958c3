"""The thread that forks: a `StartPlan` in, a process out.

What restricts a thread of Linux restricts all that it starts, and no other thread of ours. So a command is restricted
before its first instruction, without a program in between, and without a copy of our process. Everything that can be
decided before is in the plan: levels make plans, and `spawn` alone starts.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Literal

from msgspec import Struct

from grader.core.sandbox.identity import LIBC, become, restrict_files, restrict_system_calls
from grader.core.sandbox.seccomp import call_number
from grader.core.threads import FORK_LOCK, ThreadTask

_Process = subprocess.Popen[bytes]
_Request = tuple["StartPlan", SimpleQueue[_Process | BaseException]]
_JOIN_SESSION_KEYRING = 1  # keyctl(2)
_UMASK = 0o022  # of every command, whatever ours is
_REAL_TIME = (os.SCHED_FIFO, os.SCHED_RR)
"""policies that we may run under (`chrt -r 1`), and that the kernel lets into no group with shares of processors"""


class StartPlan(Struct, frozen=True, kw_only=True):
    """All that is known of a command before it is started."""

    argv: Sequence[str]
    env: Mapping[str, str]
    folder: str | Path  # where it starts
    streams: tuple[int, int, int]  # descriptors of ours that are its standard input, output and error
    passed: Sequence[int] = ()  # further descriptors that it keeps, under their numbers
    new_session: bool
    thread: Literal["shared", "own"]
    """which thread starts it, and is its parent for a command that has asked to die with its parent:

    - `shared`: one for all commands of the `user`, which lives as long as we do, and is not restricted further
    - `own`: it has ended when the command is there: as long as it lives, its user can signal us
    """
    user: int | None = None  # whose identity the thread takes; None for ours
    niceness: int = 0  # added to ours
    landlock: int | None = None  # a descriptor of the rules for files; None for no restriction
    filter: bytes | None = None  # of system calls; None for no restriction by the thread


def spawn(plan: StartPlan) -> _Process:
    """Start the command of a plan, with none of our keys. Raises OSError."""
    with FORK_LOCK:
        if plan.thread == "shared":
            replies: SimpleQueue[_Process | BaseException] = SimpleQueue()
            _shared_thread(plan.user).put((plan, replies))
            if isinstance(reply := replies.get(), BaseException):
                raise reply
            return reply
        task = ThreadTask(partial(_fork, plan))
        task.join()
        return task.result()


def _fork(plan: StartPlan) -> _Process:
    """Restrict this thread as the plan says, and start the command."""
    # Where that is refused, as in many containers, the filter of system calls keeps the command from every keyring.
    LIBC.syscall(call_number("keyctl"), _JOIN_SESSION_KEYRING, None)
    if os.sched_getscheduler(0) in _REAL_TIME:  # else a loop of a student's would get a processor before all others
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    if plan.niceness:
        os.setpriority(os.PRIO_PROCESS, 0, plan.niceness)
    if plan.user not in (None, os.geteuid()):  # a thread has its own; the shared one has given up ours before
        become(plan.user)
    if plan.landlock is not None:
        restrict_files(plan.landlock)
    if plan.filter is not None:
        restrict_system_calls(plan.filter)
    stdin, stdout, stderr = plan.streams
    return subprocess.Popen(
        plan.argv,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        env=plan.env,
        cwd=plan.folder,
        pass_fds=plan.passed,
        start_new_session=plan.new_session,
        umask=_UMASK,
    )


@cache
def _shared_thread(user: int | None) -> SimpleQueue[_Request]:  # noqa: ARG001 - each has its own
    """Return where the thread waits for plans that has given up our identity, or will for the first of them."""
    requests: SimpleQueue[_Request] = SimpleQueue()

    def serve() -> None:
        while True:
            plan, replies = requests.get()
            try:
                replies.put(_fork(plan))
            except BaseException as error:  # noqa: BLE001 - raised where the command was asked for
                replies.put(error)

    Thread(target=serve, daemon=True).start()
    return requests


os.register_at_fork(after_in_child=_shared_thread.cache_clear)
