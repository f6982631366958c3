"""What programs are started with, and what this machine has of the tools that a spec needs.

A missing tool is our fault, never a student's. Only the system's own folders count, since a sandbox shows nothing else.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeVar

from msgspec.structs import replace

from grader.core.build.artifact import clean_log
from grader.core.build.layout import commands_of
from grader.core.cache import Cache
from grader.core.errors import HostError
from grader.core.kind import kinds_in
from grader.core.languages import find_tool, locate_tool
from grader.core.model.execution import Launch, Runner
from grader.core.model.spec import Spec
from grader.core.model.toolchain import Hello, Toolchain

# Debian packages of what builds and programs are started with, beyond the languages.
PACKAGES = {"make": "make", "cmake": "cmake", "ant": "ant", "sh": "dash", "bash": "bash", "pypy3": "pypy3"}
# Another interpreter for programs in Python, which a spec starts by its name.
PYPY = Toolchain(
    name="pypy",
    version=("pypy3", "--version"),
    package="pypy3",
    hello=Hello(files={"hello.py": 'print("hello")'}, run=("pypy3", "hello.py")),
)
# What a build should not start -> why, and what to do instead.
_NOT_FOR_BUILDS = {
    "sudo": "nobody is root in a sandbox: leave out `sudo`, and name packages of Python under `requires`",
    **dict.fromkeys(("pip", "pip3"), "a sandbox has no network: name the packages of Python under `requires`"),
}
NO_TOOL = "missing, or it does not work"  # for the version of a tool, in the digest of a grade: graded again with it
_MAX_SOURCES, _MAX_SOURCE_BYTES = 200, 2**18
_Item = TypeVar("_Item")


def candidate_toolchains(command: Sequence[str], toolchains: Mapping[str, Toolchain]) -> Mapping[str, Toolchain]:
    """Return the languages in which a program may be that is started so: that of an interpreter, or a compiled one."""
    name = PurePosixPath(command[0]).name if command else ""
    known = name in {one.interpreter for one in toolchains.values()}
    return {key: one for key, one in toolchains.items() if not known or one.interpreter in ("", name)}


def add_crashes_of_interpreters(toolchain: Toolchain, spec: Spec, toolchains: Mapping[str, Toolchain]) -> Toolchain:
    """Add how crashes look in the other languages whose interpreters the spec starts, such as `python3 main.py`."""
    names = {PurePosixPath(command[0]).name for command in commands_of(spec)} - {toolchain.interpreter, ""}
    every = (toolchain, *(one for one in toolchains.values() if one.interpreter in names))
    if len(every) == 1:
        return toolchain
    statuses = [one.crash_status for one in every if one.crash or one.unreadable]
    uncaught = [one.uncaught or (*one.crash, *one.unreadable) for one in every]
    framed = next((one for one in every if one.frames), toolchain)
    return replace(
        toolchain,
        crash=_joined(one.crash for one in every),
        unreadable=_joined(one.unreadable for one in every),
        load_errors=_joined(one.load_errors for one in every),
        uncaught=_joined(uncaught) if any(one.uncaught for one in every) else (),
        crash_status=_joined(statuses) if all(statuses) else (),
        frames=framed.frames,
        frames_inwards=framed.frames_inwards,
    )


def add_crashes_by_name(toolchain: Toolchain, spec: Spec, folder: Path) -> Toolchain:
    """Add exceptions that begin with the name of the program, where no source in `folder` may write that itself."""
    words = {PurePosixPath(word).name for one in commands_of(spec) for word in one if word[:1] != "-"} - {""}
    if not toolchain.crash_by_name or not words:
        return toolchain
    named = "(?:" + "|".join(map(re.escape, sorted(words))) + ")"
    own = [re.compile(pattern.replace("{program}", named).encode()) for pattern in toolchain.names_program]
    if any(pattern.search(text) for text in _texts_in(folder) for pattern in own):
        return toolchain
    patterns = tuple(pattern.replace("{program}", named) for pattern in toolchain.crash_by_name)
    return replace(toolchain, crash=(*toolchain.crash, *patterns))


def _texts_in(folder: Path) -> Iterator[bytes]:
    """Yield the beginnings of the files in a folder that are no compiled programs."""
    for path in sorted(folder.rglob("*"))[:_MAX_SOURCES]:
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                text = file.read(_MAX_SOURCE_BYTES)
            if b"\0" not in text:
                yield text


def _joined(parts: Iterable[tuple[_Item, ...]]) -> tuple[_Item, ...]:
    return tuple(dict.fromkeys(item for part in parts for item in part))


def check_tools(spec: Spec, toolchain: Toolchain, cache: Cache, run: Runner, level: str) -> Mapping[str, str]:
    """Return the versions of the tools that `spec` needs, by name; `level` is that of the sandbox of `run`.

    Raises HostError that names the package of a tool that is missing. Without a tool that only watches the programs,
    the cases that ask for it are ungraded, and all others are graded.
    """
    changes = [one.change for one in spec.repairs]
    built = [*(spec.build.run if spec.build else ()), *(line for one in changes for line in (*one.prepare, *one.run))]
    builders = {one[0]: None for one in built if "/" not in one[0] and one[0] not in spec.files.required_names}
    started = {command[0] for command in commands_of(spec) if "/" not in command[0]}
    for name in (*builders, *sorted(started)):
        if name in builders and name in _NOT_FOR_BUILDS and not locate_tool(name):
            raise HostError(f"the build starts `{name}`, but {_NOT_FOR_BUILDS[name]}")
        is_own = name in (*toolchain.version[:1], toolchain.interpreter)
        find_tool(name, PACKAGES.get(name, toolchain.package if is_own else ""))
    tools = [*([toolchain] if toolchain.version else []), *([PYPY] if PYPY.version[0] in started else [])]
    versions = {tool.version[0]: _known_version(tool, cache, run, level) for tool in tools}
    for name in filter(None, (toolchain.memory_tool for kind in kinds_in(spec) if kind.runs == "watcher")):
        try:
            tool = Toolchain(name=name, version=(name, "--version"), package=name)
            versions[name] = _known_version(tool, cache, run, level)
        except HostError:
            versions[name] = NO_TOOL
    return versions


def _known_version(toolchain: Toolchain, cache: Cache, run: Runner, level: str) -> str:
    program = find_tool(toolchain.version[0], toolchain.package).resolve()
    facts = program.stat()
    # What works at one level need not at another: mono looks into /proc.
    key = ["version", level, toolchain.version, str(program), facts.st_size, facts.st_mtime_ns]
    return cache.get_or_make(key, str, lambda: version(toolchain, run))


def version(toolchain: Toolchain, run: Runner) -> str:
    """Return the first line of a toolchain's version; raises HostError when it does not work."""
    execution = run(Launch(argv=toolchain.version))
    output = clean_log(execution.stdout + execution.stderr, toolchain.noise)
    lines = output.decode(errors="backslashreplace").strip().splitlines()
    if execution.status != 0 or not lines:
        raise HostError(
            f"{' '.join(toolchain.version)} does not work in the sandbox: {lines[0] if lines else 'it says nothing'}; "
            f"is {toolchain.package} installed as a whole?"
        )
    return lines[0]
