"""What a sandbox starts for a `Launch`, and hands out: its arguments, environment and limits, a command at a gate."""

import os
import re
import resource
import select
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from math import ceil
from pathlib import Path
from subprocess import Popen
from typing import Literal, Self

from msgspec import Struct

from grader.core.errors import HostError
from grader.core.model.execution import Launch
from grader.core.model.report import SandboxInfo
from grader.core.sandbox.cgroup import (
    LIBC,
    ControlGroup,
    become,
    restrict_files,
    restrict_system_calls,
    with_real_ids,
)
from grader.core.sandbox.seccomp import call_number
from grader.core.threads import FORK_LOCK, ThreadTask, shared_thread

_GATE = r"""printf '\001' >&2; read -r _ && """
_COMMAND, _ON_SCREEN = 'exec "$@"', 'exec "$@" 2>&1'

WORK_BYTES = 128 * 2**20  # what a command may leave in its working folder, and the size of its largest file
TEMPORARY_BYTES = 64 * 2**20  # the size of each of /tmp and home
SHARED_BYTES = 16 * 2**20
FOLDER_BYTES = WORK_BYTES + 2 * TEMPORARY_BYTES + SHARED_BYTES
"""their content, in memory, besides the memory of the processes"""
PATH = "/usr/bin:/bin"
_ON_TERMINAL = [
    # The terminal of a session of its own, so that Ctrl-C is a signal. No other process uses it, so what a command puts
    # into its input reaches that command alone. In the background of a script, Ctrl-C would be ignored from the start.
    *("/usr/bin/setsid", "--ctty"),
    *("/usr/bin/env", "--default-signal=INT,QUIT"),
]
_MIN_STACK_BYTES = 64 * 2**20
_STACK_SHARE = 8
"""an eighth of the memory, where that is more: deep recursion has room, and an endless one ends before the memory"""
OPEN_FILES = 256
_PENDING_SIGNALS = 1024  # queued signals and timers of all processes together, which lie in the kernel's memory
_ONE_THREAD = {
    f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "BLIS", "VECLIB", "NUMEXPR", "NUMBA", "RAYON")
} | {"POLARS_MAX_THREADS": "1"}
"""Libraries for numbers start a thread for each processor when they are imported. On a large machine these alone would
pass the limit of processes, and a program would take more processor time there than elsewhere."""
_SPARE_PROCESSES = 8  # above the limit, so that the meter can distinguish one too many from exactly enough


def gated(launch: Launch) -> list[str]:
    """Return the argument list that waits at the gate of shell and becomes the command."""
    terminal = _ON_TERMINAL if launch.terminal else []
    return [*terminal, "/bin/sh", "-c", _GATE + (_ON_SCREEN if launch.screen else _COMMAND), "sh", *launch.argv]


def ungated(launch: Launch) -> list[str]:
    """Return the argument list that becomes the command at once."""
    screen = ("/bin/sh", "-c", _ON_SCREEN, "sh") if launch.screen else ()
    return [*(_ON_TERMINAL if launch.terminal else ()), *screen, *launch.argv]


def resource_limits(launch: Launch, *, count_processes: bool) -> dict[int, tuple[int, int]]:
    """Return the resource limits of `launch` by their kind: the soft one, and the hard one.

    They are the backstop for each process; what is resident of the command as a whole is metered from outside. The data
    segment has room for what runtimes reserve and never touch, such as Go's arenas, and for the stacks of all threads,
    for which the C library takes the limit of the stack.
    """
    stack = stack_bytes(launch)
    # Far above the limit, since the kernel's count overshoots ours by some 15 %; and with a signal of its own first.
    backstop = 2 * ceil(launch.limits.cpu) + 5
    most = {
        resource.RLIMIT_CPU: (backstop, backstop + 1),
        resource.RLIMIT_DATA: (2 * launch.limits.memory + launch.reserved + launch.limits.processes * stack,) * 2,
        resource.RLIMIT_STACK: (stack,) * 2,
        resource.RLIMIT_FSIZE: (WORK_BYTES,) * 2,
        resource.RLIMIT_NOFILE: (OPEN_FILES,) * 2,
        resource.RLIMIT_CORE: (0, 0),
    }
    if count_processes:  # by a user of its own: else those of the whole desktop would be in the sum
        most[resource.RLIMIT_NPROC] = (launch.limits.processes + _SPARE_PROCESSES,) * 2
        most[resource.RLIMIT_SIGPENDING] = (_PENDING_SIGNALS,) * 2
    return most


def set_limits(pid: int, launch: Launch, user: int | None, *, count_processes: bool) -> None:
    """Set the resource limits of `launch` for a process of `user` that waits at its gate, and so of all that it starts.

    Raises HostError.
    """
    try:
        with with_real_ids(user):
            for kind, values in resource_limits(launch, count_processes=count_processes).items():
                resource.prlimit(pid, kind, values)
    except OSError as error:
        raise HostError(f"the limits of a program cannot be set: {error.strerror}; see `ulimit -a -H`") from error


def stack_bytes(launch: Launch) -> int:
    """Return how large the stack of a thread may become."""
    return max(_MIN_STACK_BYTES, launch.limits.memory // _STACK_SHARE)


def environment(launch: Launch, *, home: str, temporary: str, packages: str = "") -> dict[str, str]:
    """Return the whole environment of the command: nothing of ours, the same on every machine.

    `packages` is a virtual environment of Python whose interpreter comes first.
    """
    base = {"PATH": PATH, "HOME": home, "TMPDIR": temporary, "LANG": "C.UTF-8", "TZ": "UTC"}
    base |= {"USER": launch.place.name, "LOGNAME": launch.place.name}
    if packages:
        base |= {"PATH": f"{packages}/bin:{PATH}", **_ONE_THREAD}
    if launch.terminal:
        # A dialogue reads the output as text: no colours, no moves of the cursor, no editing of the line.
        base["TERM"] = "dumb" if launch.dialogue else "xterm"
    return base | dict(launch.env)


# ---------------- What a sandbox hands out: one command, set up and waiting at a gate


READY = b"\x01"
OPEN = b"\n"
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
GONE_SECONDS = 60.0  # after which a process that was killed is gone; the kernel needs a few thousandths
_COUNTER_ERROR_BYTES = 2**24 + 4 * max(32, 2 * (os.cpu_count() or 1)) * (os.cpu_count() or 1) * resource.getpagesize()
"""by how much the kernel's counts of resident pages may differ, which each processor gathers (percpu_counter.c)"""


class Ended(Struct, frozen=True, kw_only=True):
    """How a command ended, and what its processes used, as far as their end reports it."""

    status: int | None = None  # its exit status; None where a signal ended it
    signal: int | None = None
    time: float  # when it ended (`time.monotonic`)
    cpu: float = 0.0  # seconds of processor time
    memory: int = 0  # bytes of the largest process
    message: bytes = b""  # what a shell would say of a program that cannot be started, which then wrote nothing itself


def ended_as(wait_status: int, *, cpu: float = 0.0, memory: int = 0, time: float) -> Ended:
    """Return how a process ended with this status (waitpid(2))."""
    code = os.waitstatus_to_exitcode(wait_status)
    status, signal = (code, None) if code >= 0 else (None, -code)
    return Ended(status=status, signal=signal, time=time, cpu=cpu, memory=memory)


def becomes_readable(descriptor: int, seconds: float) -> bool:
    """Wait until a descriptor can be read, or is at its end; return whether that is so in time."""
    poll = select.poll()  # select(2) takes no number above 1023
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(1000 * seconds))


class SandboxedCommand(ABC):
    """A command behind its gate, with what its level of protection knows about it."""

    pid = 0  # the process that is the command, or that waits for it; 0 until it is known
    end: int  # a descriptor that can be read once the command has ended
    gate: int | None = None
    """a descriptor that can be read as soon as the command waits; None where standard error reports that"""
    user: int | None = None  # the owner of the files in the working folder; None when we own them
    group: ControlGroup | None = None
    """counts what the command uses as a whole; None where the machine lets us make none"""
    has_network = False  # whether it has a network of its own, to be seen in the /proc of `processes`
    _ended: Ended | None = None

    def __init__(self, launch: Launch, held: ExitStack) -> None:
        """Begin with what is `held` for the command, and is freed by `close` once `own` was called."""
        self._launch, self._held = launch, held

    def own(self) -> Self:
        """Take over what is held, from a start that succeeded."""
        self._held = self._held.pop_all()
        return self

    def _hold(self, descriptor: int) -> int:
        self._held.callback(os.close, descriptor)
        return descriptor

    @abstractmethod
    def enter(self) -> int:
        """Set the limits, and return a descriptor of the working folder; called once, when the command waits.

        Raises HostError or OSError.
        """

    def wait_for_turn(self, check: Callable[[], None]) -> None:  # noqa: B027 - most levels have nothing to wait for
        """Wait until the command may run beside others; `check` is called meanwhile, and ends the wait by raising."""

    def open_gate(self, stdin: int) -> None:
        """Let the command run; `stdin` is our end of its standard input."""
        os.write(stdin, OPEN)

    def complaint(self) -> bytes:
        """Return what the sandbox said elsewhere than on standard error, when it did not come up."""
        return b""

    @abstractmethod
    def processes(self) -> tuple[int, Sequence[int]]:
        """Return a descriptor of a /proc, and the ids in it that belong to the command."""

    @abstractmethod
    def kill(self) -> None:
        """End the command and everything it started; may be called again."""

    def wait(self) -> Ended:
        """Wait until the command has ended and nothing of it is alive; return how it ended, each time the same.

        Raises HostError when it does not end, or when nobody knows how it ended.
        """
        if self._ended is None:
            if not becomes_readable(self.end, GONE_SECONDS):
                raise HostError(f"a program is still alive {GONE_SECONDS:.0f} s after it was killed")
            self._ended = Ended(status=1, time=time.monotonic())  # if what follows fails, it is not tried again
            self._ended = self._settle()
        return self._ended

    @abstractmethod
    def _settle(self) -> Ended:
        """Reap the command, which has ended, and wait until nothing of it is alive. Raises HostError."""

    def close(self) -> None:
        """Free what the sandbox holds, all of it, once the command has ended; never raises."""
        with suppress(OSError, HostError):
            self._held.close()


class ChildCommand(SandboxedCommand):
    """A command that is a child of ours, in a folder of the machine, at whose gate stands a shell."""

    def __init__(
        self, launch: Launch, held: ExitStack, process: Popen[bytes], work: Path, group: ControlGroup | None
    ) -> None:
        """Take over a process, which is ended if that fails."""
        super().__init__(launch, held)
        held.callback(process.wait)
        held.callback(process.kill)
        self.group, self.pid, self._process = group, process.pid, process
        self.end = self._hold(os.pidfd_open(process.pid))
        self._proc, self._work = (self._hold(os.open(folder, FOLDER)) for folder in ("/proc", work))
        if group:
            group.admit(process.pid)

    def enter(self) -> int:
        """Set the limits; the limit of processes only for a user of its own, or all our processes would count."""
        set_limits(self.pid, self._launch, self.user, count_processes=self.user is not None)
        return self._work

    def processes(self) -> tuple[int, list[int]]:
        """Return a descriptor of the machine's /proc, and the ids in it that belong to the command."""
        return self._proc, self._running()

    @abstractmethod
    def _running(self) -> list[int]:
        """Return the ids of all that is alive of the command."""


def reap(process: Popen[bytes]) -> Ended:
    """Wait for a process that was started from ours, and return how it ended.

    Its account begins with our memory, since the two were one until it began: only what is more is its own.
    """
    _, status, used = os.wait4(process.pid, 0)
    now = time.monotonic()
    process.returncode = os.waitstatus_to_exitcode(status)
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    memory = used.ru_maxrss * 1024 if used.ru_maxrss * 1024 > ours + _COUNTER_ERROR_BYTES else 0
    return ended_as(status, cpu=used.ru_utime + used.ru_stime, memory=memory, time=now)


class Sandbox(Struct, frozen=True, kw_only=True):
    """A level of protection: how it is described, how a command is started in it, and what commands can do there."""

    info: SandboxInfo
    start_with: Callable[..., SandboxedCommand]
    """`start_with(launch, stdin, stdout, stderr, *further, show=..., packages=...)`"""
    show: tuple[str, ...] = ()  # paths of the machine that can be read, besides /usr
    packages: str = ""  # a virtual environment of Python, read-only, whose interpreter commands get; empty without one
    allows_tracing: bool = True  # whether a program may trace its own, as valgrind and sanitizers do
    runs_in_parallel: bool = True  # whether two commands of one submission may run at the same time


# ---------------- A start by a thread of ours, which gives up rights before


_Process = subprocess.Popen[bytes]
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
        task = ThreadTask(partial(_fork, plan), start=shared_thread(plan.user) if plan.thread == "shared" else None)
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


# ---------------- What to do where bubblewrap cannot be started


# Ubuntu 24.04 and later lets only programs with an AppArmor profile make user namespaces.
_APPARMOR = (
    "AppArmor keeps bubblewrap from making user namespaces, as on Ubuntu 24.04: write the profile "
    "`profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }` to /etc/apparmor.d/bwrap and load it with `sudo "
    "apparmor_parser -r /etc/apparmor.d/bwrap`, or run `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
)
# Docker's default profile refuses them too, and masks parts of /proc. A kernel can have them switched off, or a limit
# on their number.
_DOCKER = "--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined"

_CONTAINER = "; or, as root in a container, grade with `--sandbox container`, which needs none of that"

# bubblewrap's complaint -> what to do about it, in one sentence.
_REMEDIES: Mapping[str, str] = {
    r"setting up uid map: Permission denied|loopback: Failed RTM_NEWADDR|loopback: Failed RTM_NEWLINK": _APPARMOR,
    r"No permissions to creat\w+ (a )?new namespace": (
        f"the kernel or the container allows no user namespaces: start a container with `{_DOCKER}`; elsewhere run "
        "`sudo sysctl -w kernel.unprivileged_userns_clone=1`" + _CONTAINER
    ),
    r"Function not implemented": f"the container refuses a system call: start it with `{_DOCKER}`{_CONTAINER}",
    r"Can't mount proc": f"the container masks /proc: start it with `{_DOCKER}`{_CONTAINER}",
    r"user_namespaces: Read-only file system": f"the container masks /proc/sys: start it with `{_DOCKER}`{_CONTAINER}",
    r"max_\*_namespaces exceeded|\(ENOSPC\)": "run `sudo sysctl -w user.max_user_namespaces=15000`",
    r"kernel does not support user namespaces": "this needs a kernel with CONFIG_USER_NS",
    r"Unknown option --disable-userns": "bubblewrap is older than 0.8.0: install a newer one",
    r"^set(groups|resgid|resuid): ": (
        "root is not root here, as in a container with one user id: give it a range of ids (/etc/subuid), or grade as "
        f"an ordinary user; if it allows no user namespaces either, start it with `{_DOCKER}`"
    ),
    r"failed to execute|execvp": "is the package util-linux installed as a whole?",
    r"Can't find source path .*: Permission denied": (
        "bubblewrap starts as another user, who cannot get at that path: let others pass through its folders "
        "(chmod o+x), or keep it below /usr"
    ),
}


def remedy(complaint: str) -> str:
    """Return what to do about an error message of bubblewrap; "" for an unknown one."""
    return next((advice for pattern, advice in _REMEDIES.items() if re.search(pattern, complaint)), "")
