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
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from grader.core import build, run
from grader.core.cache import ANSWERS, grader_cache_folder, user_cache, why_untrusted
from grader.core.errors import HostError
from grader.core.kind import KINDS
from grader.core.languages import TOOLCHAINS_FILE, find_tool, toolchain, with_own
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.limits import limit_sentence
from grader.core.model.spec import Requirement, Toolchain
from grader.core.python_packages import find_packages, version_of_python
from grader.core.reader.files import languages_of_course, read_data, read_key
from grader.core.reader.locate import root_at
from grader.core.sandbox import choose
from grader.core.sandbox.command import Sandbox
from grader.core.sandbox.outer import starter_origin
from grader.core.sandbox.self_test import failed_self_tests, trial
from grader.core.text import joined

_GIB = 2**30


def diagnose(languages: Sequence[str] = ()) -> tuple[Requirement, ...]:
    """Check everything: the sandbox, each toolchain, what each kind needs, make, and the folders where grader writes.

    In a course, its own languages are checked as well; with `languages`, which must exist, only these are. Raises
    SpecError for mistakes in the course's file.
    """
    data = with_own(read_data(TOOLCHAINS_FILE), languages_of_course(root_at(Path.cwd())))
    toolchains = [toolchain(name, data) for name in dict.fromkeys(languages or data)]
    show = tuple(path for toolchain in toolchains for path in toolchain.show)

    def runner_showing(paths: Sequence[str]) -> Runner:
        return partial(run.runner.execute, choose("auto", (*show, *paths)), cancelled=Event())

    bare = choose("auto")  # without the folders that languages need, which are not the sandbox's fault
    confined = _try_sandbox(bare, partial(run.runner.execute, bare, cancelled=Event()))
    if confined.state == "broken":
        confined = replace(confined, remedy=_what_works_instead())
    showing = runner_showing if confined.state == "ok" else None
    runner = showing and showing(())
    return (
        confined,
        *(
            _try_toolchain(toolchain, runner)
            for toolchain in (*toolchains, *(() if languages else (build.artifact.PYPY,)))
        ),
        *(one for kind in KINDS.values() for one in kind.requirements(showing)),
        *package_requirements(root_at(Path.cwd())),
        *machine_requirements(),
    )


def is_fit(requirements: Sequence[Requirement]) -> bool:
    """Whether submissions can be graded here, if only those in the languages that are installed."""
    return all(one.state != "broken" for one in requirements)


def requirements_to_text(requirements: Sequence[Requirement]) -> str:
    """Render them as a table for people."""
    width = max(len(one.name) for one in requirements)
    lines = [
        f"{one.name:{width}}  {one.state:7}  {'; '.join(filter(None, (one.found, one.remedy)))}" for one in requirements
    ]
    return "\n".join(lines)


def requirements_to_json(requirements: Sequence[Requirement]) -> bytes:
    """Render them as JSON."""
    content: dict[str, Any] = {"ok": is_fit(requirements), "findings": requirements}
    return msgspec.json.format(msgspec.json.encode(content), indent=2)


def _try_sandbox(sandbox: Sandbox, runner: Runner) -> Requirement:
    try:
        broken = failed_self_tests(sandbox.info.level, runner(trial(sandbox.info.level)))
    except HostError as error:
        return Requirement(name="sandbox", state="broken", found=str(error))
    if broken:
        return Requirement(name="sandbox", state="broken", found=f"it does not hold here: {'; '.join(broken)}")
    user = ", under a user id of its own" if os.geteuid() == 0 else ""
    level = sandbox.info.level
    starter = f"; {starter_origin()}" if level == "full" else ""
    return Requirement(name="sandbox", state="ok", found=f"level {level}, by bubblewrap{user}{starter}")


def _what_works_instead() -> str:
    """Return whether level container holds here, as advice; "" when it does not."""
    other = choose("container")
    works = _try_sandbox(other, partial(run.runner.execute, other, cancelled=Event())).state == "ok"
    return "level container works here: grade with `--sandbox container`" if works else ""


# ---------------------------------------------------------------- toolchains


def _try_toolchain(toolchain: Toolchain, runner: Runner | None) -> Requirement:
    """Look a toolchain up, and try it if there is a runner."""
    requirement = partial(Requirement, name=toolchain.name)
    install = f"apt-get install {toolchain.package}"
    program = toolchain.version[0]
    try:
        path = find_tool(program, toolchain.package)
    except HostError:
        return requirement(state="missing", found=f"there is no {program}", remedy=install)
    if runner is None:
        return requirement(state="ok", found=f"{path}, not tried")
    try:
        version = build.artifact.version(toolchain, runner)
        fault = _try_hello(toolchain, runner)
    except HostError as error:
        return requirement(state="missing", found=str(error), remedy=install)
    if fault:
        return requirement(
            state="missing", found=f"{version}, but a small program does not work: {fault}", remedy=install
        )
    return requirement(state="ok", found=f"{version}; a small program works")


def _try_hello(toolchain: Toolchain, runner: Runner) -> str:
    """Build and run the toolchain's `hello`; return the failure, "" when it works."""
    hello = toolchain.hello
    if hello is None:
        return "there is none in toolchains.yaml"
    limits = run.runner.limits_of(toolchain.build_limits, {})
    script = shlex.join(run.runner.add_options(toolchain, hello.run, limits))
    if hello.build:
        script = f"{shlex.join(hello.build)} >&2 && {script}"  # a compiler's output is not the program's
    execution = runner(
        Launch(
            argv=("/bin/sh", "-c", script),
            files={name: text.encode() for name, text in hello.files.items()},
            env={**toolchain.env, **toolchain.build_env},
            permits=toolchain.permits,
            limits=limits,
        )
    )
    return "" if (execution.status, execution.stdout) == (0, b"hello\n") else _last_words(execution)


def _last_words(execution: Execution) -> str:
    """Return the last line of a program's output."""
    if execution.limit:
        return f"it {limit_sentence(execution.limit)}"
    lines = (execution.stdout + execution.stderr).decode(errors="backslashreplace").split("\n")
    return next((line for line in reversed(lines) if line.strip()), "it says nothing")


def package_requirements(root: Path) -> Iterator[Requirement]:
    """Look for the packages that the specs of the course at `root` require; an entry for each that requires any."""
    for spec in sorted((root / "specs").glob("*.yaml")):
        if not (requires := read_key(spec, "requires")):
            continue
        name, remedy = "packages", f"grader packages {spec.stem}"
        try:
            command = [str(find_tool("python3", "python3")), "--version"]
            text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
            found = find_packages(requires, version_of_python(text))
        except HostError as error:
            yield Requirement(name=name, state="missing", found=str(error), remedy=remedy)
            continue
        if found is None:
            absent = f"{joined(requires)}, which {spec.name} requires, not installed"
            yield Requirement(name=name, state="missing", found=absent, remedy=remedy)
        else:
            versions = joined([f"{package} {version}" for package, version in found.versions.items()])
            yield Requirement(name=name, state="ok", found=f"{versions}, for {spec.name}")


# ---------------------------------------------------------------- the machine


def machine_requirements() -> Iterator[Requirement]:
    """Check what every assignment needs: make, our own Python, and disk space."""
    try:
        yield Requirement(name="make", state="ok", found=str(find_tool("make", "make")))
    except HostError:
        yield Requirement(name="make", state="missing", found="there is no make", remedy="apt-get install make")
    yield Requirement(
        name="grader",
        state="ok",
        found=f"Python {platform.python_version()}, {sys.prefix}, {os.cpu_count()} processors",
    )
    yield _writable("temporary", Path(tempfile.gettempdir()), "broken", "name another folder in TMPDIR")
    remedy = "name another folder in XDG_CACHE_HOME"
    if why := why_untrusted(grader_cache_folder() / ANSWERS):
        yield Requirement(name="cache", state="missing", found=why, remedy=remedy)
    else:
        yield _writable("cache", user_cache().folder, "missing", remedy)


def _writable(name: str, folder: Path, state: Literal["missing", "broken"], remedy: str) -> Requirement:
    # `Path.exists` raises an error below a folder that this user may not enter.
    existing = next(path for path in (folder, *folder.parents) if os.access(path, os.F_OK))
    if not os.access(existing, os.W_OK | os.X_OK):
        why = "" if existing == folder else f", so {folder} cannot be used"
        found = f"this user cannot write to {existing}{why}"
        return Requirement(name=name, state=state, found=found, remedy=remedy)
    free = shutil.disk_usage(existing).free
    found = f"{folder}, {free / _GIB:.1f} GiB free"
    if free < _GIB:  # a class may not get through
        return Requirement(name=name, state="missing", found=found, remedy=f"make room, or {remedy}")
    return Requirement(name=name, state="ok", found=found)
