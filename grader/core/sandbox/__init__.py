"""Sandboxes for untrusted processes: a command in, a sandboxed command out.

The argument lists that the module of a level makes determine all of its protection.
"""

import resource
from collections.abc import Mapping, Sequence
from glob import glob

from msgspec.structs import replace

from grader.core.errors import HostError, UsageError
from grader.core.lazy import lazy_call
from grader.core.model.report import SandboxInfo
from grader.core.sandbox import outer
from grader.core.sandbox.cgroup import hierarchy
from grader.core.sandbox.command import OPEN_FILES, Sandbox

_IN_A_CONTAINER = (
    "Level container: the submission had no namespaces of its own. It shared the disk, could read what lies in /tmp "
    "for everybody, and had no network, not even its own. One submission ran at a time, whatever `--jobs` is."
)
_UNSANDBOXED = "The submission had all the rights of the user who graded it."

LEVELS: Mapping[str, Sandbox] = {
    "full": Sandbox(info=SandboxInfo(level="full"), start_with=outer.start_inside),
    "container": Sandbox(
        info=SandboxInfo(level="container", warnings=(_IN_A_CONTAINER,)),
        start_with=lazy_call("grader.core.sandbox.container", "start_contained"),
        allows_tracing=False,
        runs_in_parallel=False,
    ),
    "none": Sandbox(
        info=SandboxInfo(level="none", warnings=(_UNSANDBOXED,)),
        start_with=lazy_call("grader.core.sandbox.unsandboxed", "start_unconfined"),
        runs_in_parallel=False,
    ),
}


def choose(level: str, show: Sequence[str] = ()) -> Sandbox:
    """Return the sandbox of that name; `auto` is `full`, and never less.

    `show` names what the sandbox shows of the machine, read-only, besides /usr: absolute paths, or globs, which are
    resolved now and not for each command. Raises UsageError for another name, HostError for too few
    open files.
    """
    name = "full" if level == "auto" else level
    if name not in LEVELS:
        raise UsageError(f"there is no sandbox level {level!r}; choose one of: auto, {', '.join(LEVELS)}")
    raise_open_files()
    groups = hierarchy()
    info = replace(LEVELS[name].info, memory=groups.version if groups else "watchdog")
    return replace(LEVELS[name], info=info, show=_paths(show))


def start_ahead(level: str, show: Sequence[str] = ()) -> None:
    """Start setting up the sandbox for the first command, as `choose(level, show)` would, where that is possible.

    Raises HostError for too few open files, as `choose` does.
    """
    if level in {"auto", "full"}:
        raise_open_files()
        outer.start_idle(_paths(show))


def _paths(show: Sequence[str]) -> tuple[str, ...]:
    return tuple(path for pattern in show for path in sorted(glob(pattern)))


def raise_open_files() -> None:
    """Let this process, and so all that it starts, open as many files as a command may. Raises HostError."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= OPEN_FILES:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, max(OPEN_FILES, hard)))
    except (OSError, ValueError) as error:
        raise HostError(
            f"a program may open {OPEN_FILES} files, and the grader itself only {hard}; raise the limit of open files "
            "(`ulimit -n -H`)"
        ) from error
