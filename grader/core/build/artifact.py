"""Staged -> Artifact: run the build in a sandbox of its own, and keep the sources and what it was to produce.

The commands run one after the other in one working folder, with both streams in one log. Of what the build leaves
behind only the named files come out, so nothing else of it can be met by a case.
"""

import os
import re
import shlex
import shutil
import signal
import time
from collections.abc import Collection, Sequence
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from grader.core.build.layout import started_files
from grader.core.build.tree import TreeFile, is_too_long, write_file
from grader.core.diagnosis import ReadLine, describe_failure, find_cause, line_reader, name_command
from grader.core.errors import HostError
from grader.core.lazy import lazy_call
from grader.core.limits import exceeded_sentence
from grader.core.model.execution import (
    INCONCLUSIVE,
    MAX_COLLECTED_BYTES,
    MAX_COLLECTED_FILES,
    Execution,
    Launch,
    Runner,
)
from grader.core.model.layout import Build, Commands, java_class_path, matches_glob
from grader.core.model.limits import Limits
from grader.core.model.spec import Spec
from grader.core.model.submission import Artifact, BuildResult, Staged
from grader.core.model.toolchain import Toolchain
from grader.core.text import one_line, size

# Compilers that keep the lines of the source with `-g`; an option behind it, such as `-g0`, takes it back.
COMPILERS_WITH_LINES = ("gcc", "g++", "cc", "c++", "clang", "clang++", "gfortran")
_build_modules = lazy_call("grader.core.build.notebooks", "build_modules")
_LOG_HEAD, _LOG_TAIL = 48 * 2**10, 16 * 2**10  # bytes of a log: compilers print the cause first, make prints it last
_MAX_NOISE_BYTES = 1000  # of a line that settings of ours may have caused


def build_submission(  # noqa: PLR0917 - six, but no two of a type
    spec: Spec, staged: Staged, toolchain: Toolchain, limits: Limits, target: Path, run: Runner
) -> Artifact:
    """Build a staged submission into the empty folder `target`; a failure is `build` in it, HostError one of ours."""
    if staged.problem:
        refused = BuildResult(ok=False, message=staged.problem, is_readable=staged.is_readable)
        return Artifact(folder=target, build=refused)
    modules = BuildResult(ok=True)
    if spec.notebook:
        staged, modules = _build_modules(spec, staged, limits, target, run)
    if spec.build is None or not modules.ok:
        return Artifact(folder=staged.folder, build=modules)
    # What a command starts and is there already is asked for, or the course's.
    started = (name for name in started_files(spec) if not (staged.folder / name).exists())
    build = replace(spec.build, produces=spec.build.produces or tuple(started))
    execution = _run_build(build, staged, toolchain, limits, run)
    log = clean_log(execution.stdout + execution.stderr, toolchain.noise)
    message = _describe_end(build.run, execution, log, line_reader(staged.folder), toolchain.errors)
    message = message or _describe_products(spec.build, execution, staged.folder)
    if not message:
        _keep_produced(execution, staged.folder, target, build.jars)
    result = BuildResult(
        ok=not message,
        command=_script(build.run),
        log=cut_log(log),
        message=message,
        time=execution.time,
        limit=execution.limit,
        findings=modules.findings,
    )
    return Artifact(folder=target, build=result)


def _script(commands: Commands) -> str:
    return " && ".join(map(shlex.join, commands))


def _run_build(build: Build, staged: Staged, toolchain: Toolchain, limits: Limits, run: Runner) -> Execution:
    """Run the commands of a build; raises HostError when the machine did not let them end."""
    # `-g` keeps the lines of the source, by which a crash is explained, and makes the same code: GCC's manual, 3.10.
    commands = tuple((one[0], *(["-g"] if one[0] in COMPILERS_WITH_LINES else []), *one[1:]) for one in build.run)
    launch = Launch(
        argv=("/bin/sh", "-c", f"exec 2>&1; {_script(commands)}"),
        folder=staged.folder,
        env={**toolchain.build_env, **java_class_path(build)},
        permits=toolchain.permits,
        limits=limits,
        reserved=toolchain.reserves,
        collect=build.produces,
    )
    execution = run(launch)
    if execution.limit and toolchain.build_env:  # settings of ours make a build faster, and never fail it
        execution = run(replace(launch, env=java_class_path(build)))
    if not execution.doubts & INCONCLUSIVE:
        return execution
    lack = "ran out of memory while it was built"
    if "cpu_starved" in execution.doubts:
        used = f"{execution.time:.0f} s with {execution.cpu:.1f} s of processor time"
        lack = f"was too busy to build it: stopped after {used}"
    raise HostError(f"the machine {lack}; grade it again when fewer programs run")


def _keep_produced(execution: Execution, sources: Path, target: Path, jars: Collection[str]) -> None:
    """Keep the sources and what was produced, but for the course's archives.

    Only what a build changed is newer than the sources, so that `make` in a case makes nothing anew.
    """
    now = time.time_ns()
    try:
        if sources != target:
            shutil.copytree(sources, target, dirs_exist_ok=True)
        for name, content in execution.files.items():
            if name not in jars:
                source = sources / name
                is_as_before = source.is_file() and source.read_bytes() == content
                changed = source.stat().st_mtime_ns if is_as_before else now
                _put_produced(target, name, content)
                os.utime(target / name, ns=(changed, changed))
    except OSError as error:
        raise HostError(f"cannot keep what was built in {target}: {error}; is the disk full?") from error


def clean_log(log: bytes, noise: tuple[str, ...]) -> bytes:
    """Remove the lines that a toolchain's own settings cause."""
    finds = [re.compile(pattern.encode()).search for pattern in noise]
    lines = log.splitlines(keepends=True)
    return b"".join(one for one in lines if len(one) > _MAX_NOISE_BYTES or not any(find(one) for find in finds))


def cut_log(log: bytes) -> bytes:
    """Cut a log to its beginning and its end, and say so in between."""
    left_out = len(log) - _LOG_HEAD - _LOG_TAIL
    if left_out <= 0:
        return log
    return log[:_LOG_HEAD] + f"\n[... {left_out:,} bytes left out ...]\n".encode() + log[-_LOG_TAIL:]


def _argv_of(commands: Commands) -> Sequence[str]:
    return commands[0] if len(commands) == 1 else ("sh", "-c", "")  # which one of several failed is not known


def _describe_end(
    commands: Commands, execution: Execution, log: bytes, read_line: ReadLine, patterns: tuple[str, ...]
) -> str:
    """Say why the build failed, in a sentence; "" when it did not."""
    argv = _argv_of(commands)
    if execution.limit:
        return f"the build {exceeded_sentence(execution.limit, execution.limits)}"
    if execution.signal is not None:
        ended = next((one.name for one in signal.Signals if one == execution.signal), f"signal {execution.signal}")
        error = find_cause(cut_log(log), patterns).error
        return f"{name_command(argv)} was ended by {ended}" + (f": {error}" if error else "")
    return describe_failure(argv, execution.status, cut_log(log), read_line, patterns) if execution.status else ""


def _describe_products(build: Build, execution: Execution, sources: Path) -> str:
    """Say what is wrong with the files that a successful build created, in a sentence; "" when nothing is."""
    name = name_command(_argv_of(build.run))
    if names := [name for name in execution.files if is_too_long(name)]:
        return f"{name} created a file with too long a name: {names[0][:40]}…"
    if len(execution.files) + len(execution.uncollected) > MAX_COLLECTED_FILES:
        return f"{name} left more than {MAX_COLLECTED_FILES:,} files, the most that are kept of a build"
    for product, octets in execution.uncollected.items():
        source = sources / product
        if not (source.is_file() and source.stat().st_size == octets):  # what was handed in is there already
            most = f"the files of a build may have at most {size(MAX_COLLECTED_BYTES)} together"
            return f"{name} created {one_line(product)} of {size(octets)}, but {most}"
    lacking = [p for p in build.produces if not any(matches_glob(name, p) for name in execution.files)]
    return f"{name} succeeded but did not create {' or '.join(lacking)}" if lacking else ""


def _put_produced(target: Path, name: str, content: bytes) -> None:
    """Write a produced file; it wins over a source of that name, and over one where it needs a folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise HostError(f"the sandbox brought back a file with the name {name!r}, which leads out of its folder")
    for parent in (target / part for part in reversed(path.parents)):
        if parent.is_file():
            parent.unlink()
        if not parent.exists():
            parent.mkdir()
            parent.chmod(0o755)
    if (target / path).is_dir():
        shutil.rmtree(target / path)
    (target / path).unlink(missing_ok=True)
    write_file(target / path, TreeFile(content=content, executable=True))
