"""What a sandbox hands out: one command, set up and waiting at a gate.

Setting a sandbox up takes longer than starting a program, so the two are apart: `start` returns at once, the sandbox
comes up by itself, and the command is only run when the gate opens. Whoever has several commands to run starts the next
cage while the present command runs.

Where a level has no gate of its own, it is a line of shell in front of the command. It needs no descriptor of its own,
so none can leak: it reports on standard error with one byte, and waits for one line on standard input. Both happen
before the student's program exists; without the line, as when we are gone, nothing runs. Whatever else comes first on
standard error is the sandbox's own complaint. Limits are set from outside, while the command waits.
"""

import ctypes
import os
import pwd
import resource
import shutil
import socket
import stat
import struct
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache
from math import ceil
from pathlib import Path
from queue import SimpleQueue
from subprocess import Popen
from threading import Thread
from typing import TypeVar

from msgspec import Struct

from grader.core.errors import HostError
from grader.core.model import Launch, SandboxInfo
from grader.core.sandbox.cgroup import ControlGroup, new_group
from grader.core.sandbox.seccomp import call_number
from grader.core.thread_task import ThreadTask

READY = b"\x01"
OPEN = b"\n"
_GATE = r"""printf '\001' >&2; read -r _ && """
_COMMAND, _ON_SCREEN = 'exec "$@"', 'exec "$@" 2>&1'

WORK_BYTES = 128 * 2**20
"""what a command may leave in its working folder, and the size of its largest file"""
TEMPORARY_BYTES = 64 * 2**20
"""the size of each of /tmp and home"""
SHARED_BYTES = 16 * 2**20
FOLDER_BYTES = WORK_BYTES + 2 * TEMPORARY_BYTES + SHARED_BYTES
"""what all of them hold, in memory, beside the memory of the processes"""
PATH = "/usr/bin:/bin"
_ON_TERMINAL = [
    # The terminal of a session of its own, so that ctrl-c is a signal; it is nobody else's, so what a command can put
    # into its input reaches that command alone. In the background of a script, ctrl-c would be ignored from birth.
    *("/usr/bin/setsid", "--ctty"),
    *("/usr/bin/env", "--default-signal=INT,QUIT"),
]
LIBC = ctypes.CDLL(None, use_errno=True)
_STACK_BYTES = 64 * 2**20
_OPEN_FILES = 256
_SPARE_PROCESSES = 8
"""above the limit, so that the meter can tell one too many from exactly enough"""


Done = TypeVar("Done")


class SandboxedCommand(ABC):
    """A command behind its gate, and what its level of protection knows about it."""

    process: Popen[bytes]
    """our child, which ends when the command has ended"""
    user: int | None = None
    """who the files in the working folder belong to; None when that is ourselves"""
    group: ControlGroup | None = None
    """counts what the command uses as a whole; None where we can have none"""
    gate: int | None = None
    """what can be written to as soon as the command waits; None where that is reported on standard error"""
    tells_signals = True
    """whether our child ends as the command did; else a status of 128 and a number may be a signal of that number"""

    @abstractmethod
    def enter(self) -> int:
        """Set the limits, and return a descriptor of the working folder; called once, when the command waits.

        Raises HostError.
        """

    def open_gate(self, stdin: int) -> None:
        """Let the command run; `stdin` is our end of its standard input."""
        os.write(stdin, OPEN)

    def as_shell(self, status: int, errors: bytes) -> tuple[int, bytes]:
        """Return the status, and what was said on standard error, as if a shell had started the command."""
        return status, errors

    @abstractmethod
    def processes(self) -> tuple[int, Sequence[int]]:
        """Return a descriptor of a /proc, and the ids in it that belong to the command."""

    @abstractmethod
    def kill(self) -> None:
        """End the command and everything it started; may be called again."""

    @abstractmethod
    def settle(self) -> tuple[float, int]:
        """Wait, once the process has ended, until nothing of the command is alive.

        Returns of what it had to wait for the processor time, in seconds, and the most memory of any process, in bytes.
        """

    def close(self) -> None:
        """Free what the sandbox holds, once the process has ended; that of a level comes before."""
        if self.group:
            self.group.close()


Start = Callable[..., SandboxedCommand]
"""`start(launch, stdin, stdout, stderr, *further)`: descriptors of ours, which stay open on our side"""


class Sandbox(Struct, frozen=True, kw_only=True):
    """A level of protection: what to say of it, and how to start a command in it."""

    info: SandboxInfo
    start: Start


def gated(launch: Launch) -> list[str]:
    """Return the argument list that waits at the gate of shell and becomes the command."""
    terminal = _ON_TERMINAL if launch.terminal else []
    return [*terminal, "/bin/sh", "-c", _GATE + (_ON_SCREEN if launch.screen else _COMMAND), "sh", *launch.argv]


def ungated(launch: Launch) -> list[str]:
    """Return the argument list that becomes the command at once."""
    screen = ("/bin/sh", "-c", _ON_SCREEN, "sh") if launch.screen else ()
    return [*(_ON_TERMINAL if launch.terminal else ()), *screen, *launch.argv]


def set_limits(pid: int, launch: Launch, user: int | None, *, count_processes: bool) -> None:
    """Set the resource limits of `launch` for a process of `user` that waits at its gate, and so of all that it starts.

    They are the backstop for each process; what the command uses as a whole is metered from outside. The data segment
    is limited and never the address space: a Java machine reserves far more than it uses. Raises HostError.
    """
    # Far above the limit, since the kernel's count overshoots ours by some 15 %; and with a signal of its own first.
    backstop = 2 * ceil(launch.limits.cpu) + 5
    most = {
        resource.RLIMIT_CPU: (backstop, backstop + 1),
        resource.RLIMIT_DATA: (2 * launch.limits.memory + launch.reserved,) * 2,
        resource.RLIMIT_STACK: (_STACK_BYTES,) * 2,
        resource.RLIMIT_FSIZE: (WORK_BYTES,) * 2,
        resource.RLIMIT_NOFILE: (_OPEN_FILES,) * 2,
        resource.RLIMIT_CORE: (0, 0),
    }
    if count_processes:
        most[resource.RLIMIT_NPROC] = (launch.limits.processes + _SPARE_PROCESSES,) * 2

    try:
        with _really(user):
            for kind, values in most.items():
                resource.prlimit(pid, kind, values)
    except OSError as error:
        raise HostError(f"the limits of a program cannot be set: {error.strerror}; see `ulimit -a -H`") from error


def group_for(launch: Launch) -> ControlGroup | None:
    """Return a control group with the limits of `launch`, where we can have one. Raises HostError."""
    return new_group(memory=launch.limits.memory + FOLDER_BYTES, processes=launch.limits.processes)


def entered(group: ControlGroup | None) -> AbstractContextManager[None]:
    """Be in `group`, if there is one, while a command is started."""
    return group.entered() if group else nullcontext()


def environment(launch: Launch, *, home: str, temporary: str) -> dict[str, str]:
    """Return the whole environment of the command: nothing of ours, the same on every machine."""
    base = {"PATH": PATH, "HOME": home, "TMPDIR": temporary, "LANG": "C.UTF-8", "TZ": "UTC"}
    if launch.terminal:
        # A dialogue reads what is said: no colours, no moves of the cursor, no editing of the line.
        base["TERM"] = "dumb" if launch.dialogue else "xterm"
    return base | dict(launch.env)


def remove_tree(folder: Path) -> None:
    """Remove what a program left, a folder or not, however deep it is, without following a link."""
    try:
        if stat.S_ISDIR(folder.lstat().st_mode):
            shutil.rmtree(folder)
        else:
            folder.unlink()  # the other one would open a pipe, and wait for whoever writes
    except (OSError, RecursionError):
        subprocess.run(["/bin/rm", "-rf", "--", folder], check=False, stderr=subprocess.DEVNULL)


# ---------------------------------------------------------------- what a command is bound by from its start

_PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 22, 38
_SECCOMP_MODE_FILTER = 2
_INSTRUCTION_BYTES = 8
_JOIN_SESSION_KEYRING = 1


def start_in_restricted_thread(
    start: Callable[[], Popen[bytes]], *bonds: Callable[[], None], stay: bool = True
) -> Popen[bytes]:
    """Bind a thread, let it start a command, and return that. Raises what `start` and the bonds raise.

    What binds a thread of Linux binds all that it starts, and no other thread of ours; so a command is bound before its
    first instruction, without a program in between, and without a copy of our process. The thread is to `stay` for
    as long as a command that has asked to die with its parent: that is the thread.
    """

    def bound() -> Popen[bytes]:
        for bind in bonds:
            bind()
        return start()

    def wait(process: Popen[bytes]) -> None:
        with suppress(ChildProcessError):  # somebody was quicker
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)

    return run_apart(bound, wait if stay else None)


def start_as(user: int | None, start: Callable[[], Popen[bytes]]) -> Popen[bytes]:
    """Start a command as `user` (None: as we are), with no keys of ours, and return it. Raises what `start` raises.

    That is done by one thread for all, which has given up our identity and lives as long as we do: a command that has
    asked to die with its parent dies with us.
    """

    def started() -> Popen[bytes]:
        join_new_keyring()
        if user not in (None, os.geteuid()):  # which a thread has of its own
            become(user)
        return start()

    return ThreadTask(started, send=_starter(user).put).result()


@cache
def _starter(user: int | None) -> SimpleQueue[Callable[[], None]]:  # noqa: ARG001 - each has its own
    """Return where the thread that has given up our identity, or will for the first of them, waits for commands."""
    waiting: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def serve() -> None:
        while True:
            waiting.get()()

    Thread(target=serve, daemon=True).start()
    return waiting


os.register_at_fork(after_in_child=_starter.cache_clear)


def run_apart(action: Callable[[], Done], then: Callable[[Done], None] | None = None) -> Done:
    """Return what `action` returns, or raise what it raises, run in a thread of its own.

    The thread has ended then; or it goes on with `then`.
    """
    errand = ThreadTask(action, then)
    if then is None:
        errand.join()
    return errand.result()


def join_new_keyring() -> None:
    """Leave the session keyring that we have of whoever started us, for an empty one (keyctl(2)).

    Where that is refused, as in many containers, the filter of system calls keeps the command from any.
    """
    LIBC.syscall(call_number("keyctl"), _JOIN_SESSION_KEYRING, None)


def restrict_system_calls(program: bytes) -> None:
    """Give up new privileges, and every system call that the filter refuses; for good. Raises OSError."""
    loaded = ctypes.create_string_buffer(program, len(program))
    described = struct.pack("HxxxxxxP", len(program) // _INSTRUCTION_BYTES, ctypes.addressof(loaded))
    deny_privileges()
    _control(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, described)


def deny_privileges() -> None:
    """Let no program that is started give more rights than we have (prctl(2), PR_SET_NO_NEW_PRIVS). Raises OSError."""
    _control(_PR_SET_NO_NEW_PRIVS, 1, 0)


def _control(option: int, first: int, second: int | bytes) -> None:
    if LIBC.prctl(option, ctypes.c_ulong(first), second, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


# ---------------------------------------------------------------- who runs it, when we are root

# Bubblewrap started as real root leaves the files of /proc/sys writable, and resource limits do not bind root. So root
# gives up its identity before bubblewrap starts, for an id that belongs to nobody. Files for the working folder are
# then created under that id too: the folder lies in a user namespace that knows no other.
_PR_SET_CHILD_SUBREAPER = 36
_FREE_IDS: Sequence[int] = range(60578, 61184)
"""assigned to nobody by Debian and by systemd (systemd.io/UIDS-GIDS)"""


@cache
def sandbox_user() -> int | None:
    """Return the id to run as: None (our own) unless we are root; one for each process of ours.

    Raises HostError as `claim_user` does.
    """
    if os.geteuid() != 0:
        return None
    user, claim = claim_user()
    _CLAIMED.append(claim)
    return user


_CLAIMED: list[socket.socket] = []
"""what keeps our own user ours, for as long as we live"""


def claim_user() -> tuple[int, socket.socket]:
    """Return a user id that nobody has, and what keeps others of us from it until it is closed, or we end.

    Raises HostError when every id of the range has an owner.
    """
    for number in range(len(_FREE_IDS)):
        candidate = _FREE_IDS[(os.getpid() + number) % len(_FREE_IDS)]
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            pwd.getpwuid(candidate)
        except KeyError:
            with suppress(OSError):  # another of us has it
                claim.bind(f"\0grader-user-{candidate}")
                return candidate, claim
        claim.close()
    raise HostError(f"every user id from {_FREE_IDS[0]} to {_FREE_IDS[-1]} is taken; free one for the sandbox")


def become(user: int) -> None:
    """Give up our identity for that of `user`, in this thread alone: the library would do it to all. Raises OSError."""
    for name, *ids in (("setgroups", 0, None), ("setresgid", user, user, user), ("setresuid", user, user, user)):
        if LIBC.syscall(call_number(str(name)), *ids) != 0:
            number = ctypes.get_errno()
            raise OSError(number, f"{name}: {os.strerror(number)}")
    if os.getresuid() != (user, user, user):
        raise OSError(f"the kernel gives nobody the user id {user}")


@contextmanager
def creating_as(user: int | None) -> Iterator[None]:
    """Let this thread, and only this one, create files as `user` (setfsuid(2), a property of the thread)."""
    if user is None:
        yield
        return
    LIBC.setfsgid(user)
    LIBC.setfsuid(user)
    try:
        yield
    finally:
        LIBC.setfsuid(os.geteuid())
        LIBC.setfsgid(os.getegid())


@contextmanager
def _really(user: int | None) -> Iterator[None]:
    """Let this thread, and only this one, have the real ids of `user`, which is whose limits it may set (prlimit(2)).

    Root could without, but not in a container that has taken this right away.
    """
    if user is None:
        yield
        return
    for name in ("setresgid", "setresuid"):
        LIBC.syscall(call_number(name), user, -1, -1)
    try:
        yield
    finally:
        for name, real in (("setresuid", os.geteuid()), ("setresgid", os.getegid())):
            LIBC.syscall(call_number(name), real, -1, -1)


@cache
def adopt_orphans() -> None:
    """Become the parent of our children's orphans (prctl(2), PR_SET_CHILD_SUBREAPER), so as to wait for them."""
    LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
