"""What is started for a `Launch`: argument list, environment, resource limits and control group."""

import resource
from math import ceil

from grader.core.errors import HostError
from grader.core.model.execution import Launch
from grader.core.sandbox.cgroup import ControlGroup, new_group
from grader.core.sandbox.identity import with_real_ids

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
_OPEN_FILES = 256
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
        resource.RLIMIT_NOFILE: (_OPEN_FILES,) * 2,
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


def raise_open_files() -> None:
    """Let this process, and so all that it starts, open as many files as a command may. Raises HostError."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= _OPEN_FILES:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (_OPEN_FILES, max(_OPEN_FILES, hard)))
    except (OSError, ValueError) as error:
        raise HostError(
            f"a program may open {_OPEN_FILES} files, and the grader itself only {hard}; raise the limit of open files "
            "(`ulimit -n -H`)"
        ) from error


def stack_bytes(launch: Launch) -> int:
    """Return how large the stack of a thread may become."""
    return max(_MIN_STACK_BYTES, launch.limits.memory // _STACK_SHARE)


def group_for(launch: Launch) -> ControlGroup | None:
    """Return a control group with the limits of `launch`, where we can have one. Raises HostError."""
    return new_group(memory=launch.limits.memory + FOLDER_BYTES, processes=launch.limits.processes)


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
