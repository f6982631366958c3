"""Sandboxes for untrusted processes: a command in, a sandboxed command out.

The protection of a level is wholly determined by the argument lists that its module makes.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from glob import glob

from msgspec.structs import replace

from grader.core.errors import UsageError
from grader.core.model.judgement import SandboxInfo
from grader.core.sandbox import bubblewrap, container, outer
from grader.core.sandbox import unsandboxed as bare
from grader.core.sandbox.cgroup import hierarchy
from grader.core.sandbox.command import raise_open_files
from grader.core.sandbox.interface import Sandbox
from grader.core.sandbox.turns import Party

_IN_A_CONTAINER = (
    "Level container: the submission had no namespaces of its own. It shared the disk, could read what lies in /tmp "
    "for everybody, and had no network, not even its own. One submission ran at a time, whatever `--jobs` is."
)

LEVELS: Mapping[str, Sandbox] = {
    "full": Sandbox(info=SandboxInfo(level="full"), start=outer.start_inside),
    "container": Sandbox(
        info=SandboxInfo(level="container", warnings=(_IN_A_CONTAINER,)),
        start=container.start_contained,
    ),
    "none": Sandbox(
        info=SandboxInfo(
            level="none",
            warnings=("No sandbox: the submission ran with all the rights of the user who graded it.",),
        ),
        start=bare.start_unconfined,
    ),
}

EACH = "full:each"
"""the level `full` with a bubblewrap for each command, where `full` has one for many"""

_SHOWING = {
    "full": outer.start_inside,
    "container": container.start_contained,
}


def choose(level: str, show: Sequence[str] = ()) -> Sandbox:
    """Return the sandbox of that name; `auto` is `full`, and never less.

    `show` names what the sandbox shows of the machine, read-only, besides /usr: absolute paths, or globs, which are
    resolved now and not for each command. Raises UsageError for another name, HostError for too few
    open files.
    """
    name = "full" if level in {"auto", EACH} else level
    if name not in LEVELS:
        raise UsageError(f"there is no sandbox level {level!r}; choose one of: auto, {', '.join(LEVELS)}, {EACH}")
    raise_open_files()
    groups = hierarchy()
    found = replace(LEVELS[name], info=replace(LEVELS[name].info, memory=groups.version if groups else "watchdog"))
    if name not in _SHOWING:
        return found
    start = bubblewrap.start_confined if level == EACH else _SHOWING[name]
    return replace(found, start=partial(start, show=_paths(show)))


def start_ahead(level: str, show: Sequence[str] = ()) -> None:
    """Start what the first command in the sandbox `choose(level, show)` takes, where that comes up by itself.

    Raises HostError for too few open files, as `choose` does.
    """
    if level in {"auto", "full"}:
        raise_open_files()
        outer.start_idle(_paths(show))


def _paths(show: Sequence[str]) -> tuple[str, ...]:
    return tuple(path for pattern in show for path in sorted(glob(pattern)))


def with_packages(sandbox: Sandbox, folder: str) -> Sandbox:
    """Return the sandbox with a virtual environment of Python, read-only, whose interpreter its commands get."""
    return replace(sandbox, start=partial(sandbox.start, packages=folder)) if folder else sandbox


def with_party(sandbox: Sandbox, party: Party) -> Sandbox:
    """Return the sandbox whose commands may run beside one another also where all commands share something."""
    is_shared = sandbox.info.level == "container"
    return replace(sandbox, start=partial(sandbox.start, party=party)) if is_shared else sandbox


def with_shown(sandbox: Sandbox, path: str) -> Sandbox:
    """Return the sandbox that shows another path of the machine, read-only; level `none` hides nothing."""
    if not isinstance(sandbox.start, partial) or "show" not in sandbox.start.keywords:
        return sandbox
    return replace(sandbox, start=partial(sandbox.start, show=(*sandbox.start.keywords["show"], path)))
