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
from grader.core.sandbox import choose, outer, self_test
from grader.core.sandbox.command import Sandbox
from grader.core.text import closing_line, joined, one_line

_GIB = 2**30


def diagnose(languages: Sequence[str] = ()) -> tuple[Requirement, ...]:
    """Check everything: the sandbox, each toolchain, what each kind needs, make, and the folders where grader writes.

    In a course, its own languages are checked as well; with `languages`, which must exist, only these are. Raises
    SpecError for mistakes in the course's file.
    """
    data = with_own(read_data(TOOLCHAINS_FILE), languages_of_course(root_at(Path.cwd())))
    toolchains = [toolchain(name, data) for name in dict.fromkeys(languages or data)]
    show = tuple(path for toolchain in toolchains for path in toolchain.show)

    confined = _try_sandbox("auto")  # without the folders that languages need, which are not the sandbox's fault
    if confined.state == "broken" and _try_sandbox("container").state == "ok":
        confined = replace(confined, remedy="level container works here: grade with `--sandbox container`")
    showing = (lambda paths: _runner(choose("auto", (*show, *paths)))) if confined.state == "ok" else None
    runner = showing and showing(())
    return (
        confined,
        *(_try_toolchain(tool, runner) for tool in (*toolchains, *(() if languages else (build.artifact.PYPY,)))),
        *(requirement for kind in KINDS.values() for requirement in kind.requirements(showing)),
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


def _requirement(name: str, found: str, fault: str = "", remedy: str = "", *, is_vital: bool = False) -> Requirement:
    """Return that all is well with what was `found`; with a fault instead that, and what to do about it."""
    if not fault:
        return Requirement(name=name, state="ok", found=found)
    return Requirement(name=name, state="broken" if is_vital else "missing", found=fault, remedy=remedy)


def _runner(sandbox: Sandbox) -> Runner:
    return partial(run.runner.execute, sandbox, cancelled=Event())


def _try_sandbox(named: str) -> Requirement:
    sandbox = choose(named)
    level = sandbox.info.level
    try:
        broken = "; ".join(self_test.failed_self_tests(level, _runner(sandbox)(self_test.trial(level))))
        fault = broken and f"it does not hold here: {broken}"
    except HostError as error:
        fault = str(error)
    user = ", under a user id of its own" if os.geteuid() == 0 else ""
    starter = f"; {outer.starter_origin()}" if level == "full" and not fault else ""
    return _requirement("sandbox", f"level {level}, by bubblewrap{user}{starter}", fault, is_vital=True)


# ---------------------------------------------------------------- toolchains


def _try_toolchain(toolchain: Toolchain, runner: Runner | None) -> Requirement:
    """Look a toolchain up, and try it if there is a runner."""
    program, found, fault = toolchain.version[0], "", ""
    if not (path := locate_tool(program)):
        fault = f"there is no {program}"
    elif runner is None:
        found = f"{path}, not tried"
    else:
        try:
            version = build.artifact.version(toolchain, runner)
            found = f"{version}; a small program works"
            if problem := _try_hello(toolchain, runner):
                fault = f"{version}, but a small program does not work: {problem}"
        except HostError as error:
            fault = str(error)
    return _requirement(toolchain.name, found, fault, f"apt-get install {toolchain.package}")


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
        if not (requires := read_key(spec, "requires")):
            continue
        found, fault = "", f"{joined(requires)}, which {one_line(spec.name)} requires, not installed"
        try:
            command = [str(find_tool("python3", "python3")), "--version"]
            text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
            if packages := find_packages(requires, version_of_python(text)):
                versions = joined(list(map(" ".join, packages.versions.items())))
                found, fault = f"{versions}, for {one_line(spec.name)}", ""
        except HostError as error:
            fault = str(error)
        yield _requirement("packages", found, fault, f"grader packages {one_line(spec.stem)}")


# ---------------------------------------------------------------- the machine


def machine_requirements() -> Iterator[Requirement]:
    """Check what every assignment needs: make, our own Python, and disk space."""
    make = locate_tool("make")
    yield _requirement("make", str(make), "" if make else "there is no make", "apt-get install make")
    yield _requirement("grader", f"Python {platform.python_version()}, {sys.prefix}, {os.cpu_count()} processors")
    yield _room("temporary", Path(tempfile.gettempdir()), "name another folder in TMPDIR", is_vital=True)
    cache, remedy = grader_cache_folder() / ANSWERS, "name another folder in XDG_CACHE_HOME"
    why = why_untrusted(cache)
    yield _requirement("cache", "", why, remedy) if why else _room("cache", cache, remedy)


def _room(name: str, folder: Path, remedy: str, *, is_vital: bool = False) -> Requirement:
    """Check that this user can write to a folder, and that there is room in it."""
    # `Path.exists` raises an error below a folder that this user may not enter.
    existing = next(path for path in (folder, *folder.parents) if os.access(path, os.F_OK))
    if not os.access(existing, os.W_OK | os.X_OK):
        why = "" if existing == folder else f", so {folder} cannot be used"
        return _requirement(name, "", f"this user cannot write to {existing}{why}", remedy, is_vital=is_vital)
    free = shutil.disk_usage(existing).free
    found = f"{folder}, {free / _GIB:.1f} GiB free"
    return _requirement(name, found, found if free < _GIB else "", f"make room, or {remedy}")  # less ends a class
