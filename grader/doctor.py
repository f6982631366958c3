"""Check what this machine has for grading, what is missing, and how to install it.

A toolchain is tried as submissions are: a small program is built and run in the sandbox. Nothing here is remembered
from earlier runs, and nothing is changed.
"""

import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import Literal

import msgspec
from msgspec.structs import replace

from grader.core import build, run
from grader.core.cache import ANSWERS, grader_cache_folder, why_untrusted
from grader.core.errors import HostError
from grader.core.kind import KINDS
from grader.core.languages import TOOLCHAINS_FILE, find_tool, locate_tool, toolchain, with_own
from grader.core.model.execution import Launch, Runner
from grader.core.model.limits import limit_sentence
from grader.core.model.spec import Requirement, Toolchain
from grader.core.python_packages import find_packages, version_of_python
from grader.core.reader.files import languages_of_course, read_data, read_key
from grader.core.reader.locate import root_at
from grader.core.sandbox import choose
from grader.core.sandbox.outer import starter_origin
from grader.core.sandbox.self_test import failed_self_tests, trial
from grader.core.text import closing_line, joined, one_line

_State = Literal["missing", "broken"]
_GIB = 2**30


def diagnose(languages: Sequence[str] = ()) -> tuple[Requirement, ...]:
    """Check everything: the sandbox, each toolchain, what each kind needs, make, and the folders where grader writes.

    In a course, its own languages are checked as well; with `languages`, which must exist, only these are. Raises
    SpecError for mistakes in the course's file.
    """
    data = with_own(read_data(TOOLCHAINS_FILE), languages_of_course(root_at(Path.cwd())))
    toolchains = [toolchain(name, data) for name in dict.fromkeys(languages or data)]
    show = tuple(path for toolchain in toolchains for path in toolchain.show)
    tried = toolchains if languages else [*toolchains, build.artifact.PYPY]

    # Without the folders that languages need, which are not the sandbox's fault.
    confined = _try("sandbox", partial(_find_sandbox, "auto"), state="broken")
    if confined.state == "broken" and _try("sandbox", partial(_find_sandbox, "container")).state == "ok":
        confined = replace(confined, remedy="level container works here: grade with `--sandbox container`")

    def showing(paths: Sequence[str]) -> Runner:
        return partial(run.runner.execute, choose("auto", (*show, *paths)), cancelled=Event())

    holds = confined.state == "ok"
    runner = showing(()) if holds else None
    return (
        confined,
        *(_try(tool.name, partial(_find_toolchain, tool, runner), f"apt-get install {tool.package}") for tool in tried),
        *(requirement for kind in KINDS.values() for requirement in kind.requirements(showing if holds else None)),
        *package_requirements(root_at(Path.cwd())),
        *machine_requirements(),
    )


def is_fit(requirements: Sequence[Requirement]) -> bool:
    """Whether submissions can be graded here, if only those in the languages that are installed."""
    return all(requirement.state != "broken" for requirement in requirements)


def requirements_to_text(requirements: Sequence[Requirement]) -> str:
    """Render them as a table for people."""
    width = max(len(requirement.name) for requirement in requirements)
    rows = ((row, "; ".join(filter(None, (row.found, row.remedy)))) for row in requirements)
    return "\n".join(f"{row.name:{width}}  {row.state:7}  {text}" for row, text in rows)


def requirements_to_json(requirements: Sequence[Requirement]) -> bytes:
    """Render them as JSON."""
    return msgspec.json.format(msgspec.json.encode({"ok": is_fit(requirements), "findings": requirements}), indent=2)


def _try(name: str, find: Callable[[], str], remedy: str = "", state: _State = "missing") -> Requirement:
    """Return what `find` returns; where it raises HostError, what is wrong, which makes that state, and the remedy."""
    try:
        return Requirement(name=name, state="ok", found=find())
    except HostError as error:
        return Requirement(name=name, state=state, found=str(error), remedy=remedy)


def _find_sandbox(named: str) -> str:
    sandbox = choose(named)
    level = sandbox.info.level
    if broken := failed_self_tests(level, run.runner.execute(sandbox, trial(level), Event())):
        raise HostError(f"it does not hold here: {'; '.join(broken)}")
    user = ", under a user id of its own" if os.geteuid() == 0 else ""
    starter = f"; {starter_origin()}" if level == "full" else ""
    return f"level {level}, by bubblewrap{user}{starter}"


# ---------------------------------------------------------------- toolchains


def _find_toolchain(toolchain: Toolchain, runner: Runner | None) -> str:
    """Look a toolchain up, and try it if there is a runner."""
    program = toolchain.version[0]
    if not (path := locate_tool(program)):
        raise HostError(f"there is no {program}")
    if runner is None:
        return f"{path}, not tried"
    version = build.artifact.version(toolchain, runner)
    if fault := _try_hello(toolchain, runner):
        raise HostError(f"{version}, but a small program does not work: {fault}")
    return f"{version}; a small program works"


def _try_hello(toolchain: Toolchain, runner: Runner) -> str:
    """Build and run the toolchain's `hello`; return the failure, "" when it works."""
    if not (hello := toolchain.hello):
        return "there is none in toolchains.yaml"
    limits = run.runner.limits_of(toolchain.build_limits, {})
    script = shlex.join(run.runner.add_options(toolchain, hello.run, limits))
    if hello.build:
        script = f"{shlex.join(hello.build)} >&2 && {script}"  # a compiler's output is not the program's
    files, env = {name: text.encode() for name, text in hello.files.items()}, {**toolchain.env, **toolchain.build_env}
    argv = ("/bin/sh", "-c", script)
    execution = runner(Launch(argv=argv, files=files, env=env, permits=toolchain.permits, limits=limits))
    if (execution.status, execution.stdout) == (0, b"hello\n"):
        return ""
    if execution.limit:
        return f"it {limit_sentence(execution.limit)}"
    last = closing_line(execution.stdout + execution.stderr)
    return last.decode(errors="backslashreplace") or "it says nothing"


def package_requirements(root: Path) -> Iterator[Requirement]:
    """Look for the packages that the specs of the course at `root` require; an entry for each that requires any."""
    for spec in sorted(filter(Path.is_file, (root / "specs").glob("*.yaml"))):
        if requires := read_key(spec, "requires"):
            find = partial(_find_packages, requires, one_line(spec.name))
            yield _try("packages", find, f"grader packages {one_line(spec.stem)}")


def _find_packages(requires: Sequence[str], spec: str) -> str:
    command = [str(find_tool("python3", "python3")), "--version"]
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    if packages := find_packages(requires, version_of_python(text)):
        return f"{joined(list(map(' '.join, packages.versions.items())))}, for {spec}"
    raise HostError(f"{joined(requires)}, which {spec} requires, not installed")


# ---------------------------------------------------------------- the machine


def machine_requirements() -> Iterator[Requirement]:
    """Check what every assignment needs: make, our own Python, and disk space."""
    make = locate_tool("make")
    no_make = Requirement(name="make", state="missing", found="there is no make", remedy="apt-get install make")
    yield Requirement(name="make", state="ok", found=str(make)) if make else no_make
    yield _try("grader", lambda: f"Python {platform.python_version()}, {sys.prefix}, {os.cpu_count()} processors")
    yield _room("temporary", Path(tempfile.gettempdir()), "broken", "name another folder in TMPDIR")
    cache, remedy = grader_cache_folder() / ANSWERS, "name another folder in XDG_CACHE_HOME"
    why = why_untrusted(cache)
    untrusted = Requirement(name="cache", state="missing", found=why, remedy=remedy)
    yield untrusted if why else _room("cache", cache, "missing", remedy)


def _room(name: str, folder: Path, state: _State, remedy: str) -> Requirement:
    """Check that there is room in a folder, and that this user can write to it; else it is in that `state`."""
    # `Path.exists` raises an error below a folder that this user may not enter.
    existing = next(path for path in (folder, *folder.parents) if os.access(path, os.F_OK))
    if not os.access(existing, os.W_OK | os.X_OK):
        why = "" if existing == folder else f", so {folder} cannot be used"
        found = f"this user cannot write to {existing}{why}"
        return Requirement(name=name, state=state, found=found, remedy=remedy)
    free = shutil.disk_usage(existing).free
    found = f"{folder}, {free / _GIB:.1f} GiB free"
    if free >= _GIB:
        return Requirement(name=name, state="ok", found=found)
    return Requirement(name=name, state="missing", found=found, remedy=f"make room, or {remedy}")  # less ends a class
