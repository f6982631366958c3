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
from typing import Literal

import msgspec
from msgspec.structs import replace

from grader.core import build, run
from grader.core.cache import ANSWERS, grader_cache_folder, user_cache, why_untrusted
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
from grader.core.sandbox.command import Sandbox
from grader.core.sandbox.outer import starter_origin
from grader.core.sandbox.self_test import failed_self_tests, trial
from grader.core.text import closing_line, joined

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


def _ok(name: str, found: str) -> Requirement:
    return Requirement(name=name, state="ok", found=found)


def _missing(name: str, found: str, remedy: str) -> Requirement:
    return Requirement(name=name, state="missing", found=found, remedy=remedy)


def _runner(sandbox: Sandbox) -> Runner:
    return partial(run.runner.execute, sandbox, cancelled=Event())


def _try_sandbox(named: str) -> Requirement:
    sandbox = choose(named)
    level = sandbox.info.level
    try:
        broken = failed_self_tests(level, _runner(sandbox)(trial(level)))
    except HostError as error:
        return Requirement(name="sandbox", state="broken", found=str(error))
    if broken:
        return Requirement(name="sandbox", state="broken", found=f"it does not hold here: {'; '.join(broken)}")
    user = ", under a user id of its own" if os.geteuid() == 0 else ""
    starter = f"; {starter_origin()}" if level == "full" else ""
    return _ok("sandbox", f"level {level}, by bubblewrap{user}{starter}")


# ---------------------------------------------------------------- toolchains


def _try_toolchain(toolchain: Toolchain, runner: Runner | None) -> Requirement:
    """Look a toolchain up, and try it if there is a runner."""
    lacks = partial(_missing, toolchain.name, remedy=f"apt-get install {toolchain.package}")
    program = toolchain.version[0]
    if not (path := locate_tool(program)):
        return lacks(f"there is no {program}")
    if runner is None:
        return _ok(toolchain.name, f"{path}, not tried")
    try:
        version = build.artifact.version(toolchain, runner)
        fault = _try_hello(toolchain, runner)
    except HostError as error:
        return lacks(str(error))
    if fault:
        return lacks(f"{version}, but a small program does not work: {fault}")
    return _ok(toolchain.name, f"{version}; a small program works")


def _try_hello(toolchain: Toolchain, runner: Runner) -> str:
    """Build and run the toolchain's `hello`; return the failure, "" when it works."""
    hello = toolchain.hello
    if hello is None:
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
    for spec in sorted((root / "specs").glob("*.yaml")):
        if not (requires := read_key(spec, "requires")):
            continue
        why = f"{joined(requires)}, which {spec.name} requires, not installed"
        try:
            command = [str(find_tool("python3", "python3")), "--version"]
            text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
            packages = find_packages(requires, version_of_python(text))
        except HostError as error:
            packages, why = None, str(error)
        if packages:
            versions = joined([f"{package} {version}" for package, version in packages.versions.items()])
            yield _ok("packages", f"{versions}, for {spec.name}")
        else:
            yield _missing("packages", why, f"grader packages {spec.stem}")


# ---------------------------------------------------------------- the machine


def machine_requirements() -> Iterator[Requirement]:
    """Check what every assignment needs: make, our own Python, and disk space."""
    make = locate_tool("make")
    yield _ok("make", str(make)) if make else _missing("make", "there is no make", "apt-get install make")
    yield _ok("grader", f"Python {platform.python_version()}, {sys.prefix}, {os.cpu_count()} processors")
    yield _writable("temporary", Path(tempfile.gettempdir()), "broken", "name another folder in TMPDIR")
    remedy = "name another folder in XDG_CACHE_HOME"
    why = why_untrusted(grader_cache_folder() / ANSWERS)
    yield _missing("cache", why, remedy) if why else _writable("cache", user_cache().folder, "missing", remedy)


def _writable(name: str, folder: Path, state: Literal["missing", "broken"], remedy: str) -> Requirement:
    # `Path.exists` raises an error below a folder that this user may not enter.
    existing = next(path for path in (folder, *folder.parents) if os.access(path, os.F_OK))
    if not os.access(existing, os.W_OK | os.X_OK):
        why = "" if existing == folder else f", so {folder} cannot be used"
        found = f"this user cannot write to {existing}{why}"
        return Requirement(name=name, state=state, found=found, remedy=remedy)
    free = shutil.disk_usage(existing).free
    found = f"{folder}, {free / _GIB:.1f} GiB free"
    return _ok(name, found) if free >= _GIB else _missing(name, found, f"make room, or {remedy}")  # less ends a class
