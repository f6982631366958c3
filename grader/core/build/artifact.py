"""Staged -> Artifact: run the build in a sandbox of its own, and keep the sources and what it was to produce.

The commands run one after the other in one working folder, with both streams in one log. Only the named files leave
that folder, so a case never meets anything else of the build.

Work that cannot be built or started is repaired where the course says how. A repair is tried only for its own kind of
problem, in the order of the spec; the first that helps is taken. If none helps alone, repairs that brought the work
further are combined. If none of the results starts, the first that was built is taken.
"""

import os
import re
import shlex
import signal
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from grader.core.build.layout import commands_of, matches, missing_files, problem_with, started_files
from grader.core.build.staging import read_submission
from grader.core.build.tree import FileTree, TreeFile, folders_above, is_too_long, write_file, write_tree
from grader.core.cache import Cache
from grader.core.diagnosis import describe_failure, find_cause, line_reader, name_command
from grader.core.errors import HostError
from grader.core.kind import kinds_in
from grader.core.languages import find_tool, locate_tool
from grader.core.lazy import lazy_call
from grader.core.model.execution import (
    INCONCLUSIVE,
    MAX_COLLECTED_BYTES,
    MAX_COLLECTED_FILES,
    Execution,
    Launch,
    Runner,
)
from grader.core.model.layout import (
    Adjustment,
    Artifact,
    Build,
    BuildResult,
    Change,
    Commands,
    FailedRepair,
    FileRules,
    Finding,
    Repair,
    Repaired,
    Staged,
    java_class_path,
    matches_glob,
)
from grader.core.model.limits import Limits, exceeded_sentence
from grader.core.model.spec import Hello, Spec, Toolchain
from grader.core.text import count_points, full_sentence, joined, one_line, percent, quote, size

# Compilers that keep the lines of the source with `-g`; an option behind it, such as `-g0`, takes it back.
COMPILERS_WITH_LINES = ("gcc", "g++", "cc", "c++", "clang", "clang++", "gfortran")
_copy_tree, _remove_tree = lazy_call("shutil", "copytree"), lazy_call("shutil", "rmtree")
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
    message = _describe_end(build.run, execution, log, staged.folder, toolchain.errors)
    if not message and (fault := _describe_products(spec.build, execution, staged.folder)):
        message = f"{name_command(_argv_of(build.run))} {fault}"
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
    commands = tuple((name, *(["-g"] if name in COMPILERS_WITH_LINES else []), *words) for name, *words in build.run)
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
            _copy_tree(sources, target, dirs_exist_ok=True)
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
    return b"".join(line for line in lines if len(line) > _MAX_NOISE_BYTES or not any(find(line) for find in finds))


def cut_log(log: bytes) -> bytes:
    """Cut a log to its beginning and its end, and say so in between."""
    left_out = len(log) - _LOG_HEAD - _LOG_TAIL
    if left_out <= 0:
        return log
    return log[:_LOG_HEAD] + f"\n[... {left_out:,} bytes left out ...]\n".encode() + log[-_LOG_TAIL:]


def _argv_of(commands: Commands) -> Sequence[str]:
    return commands[0] if len(commands) == 1 else ("sh", "-c", "")  # which one of several failed is not known


def _describe_end(
    commands: Commands, execution: Execution, log: bytes, sources: Path, patterns: tuple[str, ...]
) -> str:
    """Say why the build failed, in a sentence; "" when it did not."""
    argv, log = _argv_of(commands), cut_log(log)
    if execution.limit:
        return f"the build {exceeded_sentence(execution.limit, execution.limits)}"
    if execution.signal is not None:
        ended = next((one.name for one in signal.Signals if one == execution.signal), f"signal {execution.signal}")
        error = find_cause(log, patterns).error
        return f"{name_command(argv)} was ended by {ended}" + (f": {error}" if error else "")
    return describe_failure(argv, execution.status, log, line_reader(sources), patterns) if execution.status else ""


def _describe_products(build: Build, execution: Execution, sources: Path) -> str:
    """Say, as a predicate, what is wrong with the files that a successful build created; "" when nothing is."""
    if names := [name for name in execution.files if is_too_long(name)]:
        return f"created a file with too long a name: {names[0][:40]}…"
    if len(execution.files) + len(execution.uncollected) > MAX_COLLECTED_FILES:
        return f"left more than {MAX_COLLECTED_FILES:,} files, the most that are kept of a build"
    for product, octets in execution.uncollected.items():
        source = sources / product
        if not (source.is_file() and source.stat().st_size == octets):  # what was handed in is there already
            most = f"the files of a build may have at most {size(MAX_COLLECTED_BYTES)} together"
            return f"created {one_line(product)} of {size(octets)}, but {most}"
    lacking = [p for p in build.produces if not any(matches_glob(name, p) for name in execution.files)]
    return f"succeeded but did not create {' or '.join(lacking)}" if lacking else ""


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
        _remove_tree(target / path)
    (target / path).unlink(missing_ok=True)
    write_file(target / path, TreeFile(content=content, executable=True))


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
    """Return the languages that a program started this way may be in: its interpreter's, or any compiled one."""
    name = PurePosixPath(command[0]).name if command else ""
    known = name in {toolchain.interpreter for toolchain in toolchains.values()}
    return {key: toolchain for key, toolchain in toolchains.items() if not known or toolchain.interpreter in ("", name)}


def add_crashes_of_interpreters(toolchain: Toolchain, spec: Spec, toolchains: Mapping[str, Toolchain]) -> Toolchain:
    """Add the crash patterns of further languages whose interpreters the spec starts, such as `python3 main.py`."""
    names = {PurePosixPath(command[0]).name for command in commands_of(spec)} - {toolchain.interpreter, ""}
    languages = (toolchain, *(language for language in toolchains.values() if language.interpreter in names))
    if len(languages) == 1:
        return toolchain
    statuses = [language.crash_status for language in languages if language.crash or language.unreadable]
    uncaught = [language.uncaught or (*language.crash, *language.unreadable) for language in languages]
    framed = next((language for language in languages if language.frames), toolchain)
    return replace(
        toolchain,
        crash=_merge_unique(language.crash for language in languages),
        unreadable=_merge_unique(language.unreadable for language in languages),
        load_errors=_merge_unique(language.load_errors for language in languages),
        uncaught=_merge_unique(uncaught) if any(language.uncaught for language in languages) else (),
        crash_status=_merge_unique(statuses) if all(statuses) else (),
        frames=framed.frames,
        frames_inwards=framed.frames_inwards,
    )


def add_crashes_by_name(toolchain: Toolchain, spec: Spec, folder: Path) -> Toolchain:
    """Add exceptions that begin with the name of the program, where no source in `folder` may write that itself."""
    words = {PurePosixPath(word).name for command in commands_of(spec) for word in command if word[:1] != "-"} - {""}
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


def _merge_unique(parts: Iterable[tuple[_Item, ...]]) -> tuple[_Item, ...]:
    return tuple(dict.fromkeys(item for part in parts for item in part))


def check_tools(spec: Spec, toolchain: Toolchain, cache: Cache, run: Runner, level: str) -> Mapping[str, str]:
    """Return the versions of the tools that `spec` needs, by name; `level` is that of the sandbox of `run`.

    Raises HostError that names the package of a tool that is missing. Without a tool that only watches the programs,
    the cases that ask for it are ungraded, and all others are graded.
    """
    repairing = (command for repair in spec.repairs for command in (*repair.change.prepare, *repair.change.run))
    building = (*(spec.build.run if spec.build else ()), *repairing)
    builders = {name: None for name, *_ in building if "/" not in name and name not in spec.files.required_names}
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


REPLACED = "replaced"  # the kind of finding of a file in whose place the course has put its own
_MAX_BUILDS, _MAX_ATTEMPTS = 8, 40  # of repairs, alone or combined, for one submission: not each comes to a build
_NO_START = "it was built, and cannot be started"


class Builder(Struct, frozen=True, kw_only=True):
    """What building takes: both may raise HostError."""

    build: Callable[[Spec, Staged, Path], Artifact]  # builds staged work into an empty folder
    starts: Callable[[Artifact], bool]  # whether what was built can be started


def adjust(staged: Staged, adjustment: Adjustment, rules: FileRules, target: Path) -> Staged:
    """Apply the adjustment decided for a submission, in a new folder. HostError where it does not fit the files."""
    changed = _changed_tree(read_submission(staged.folder), adjustment.change)
    if isinstance(changed, str):
        raise HostError("what `adjustments` says cannot be done with these files: look at its `rename` and `with`")
    write_tree(changed, _new_folder(target))
    return _check_tree(replace(staged, folder=target), changed, rules)


def put_beside(staged: Staged, build: Build, rules: FileRules, target: Path) -> Staged:
    """Add the course's files of a build to staged work in a new folder, and say which of the student's they replace.

    What has a folder in the way of a file is not built; a file that is asked for and not there may be the course's.
    """
    if not build.files or (staged.problem and not staged.missing):
        return staged
    tree = read_submission(staged.folder)
    changed = _changed_tree(tree, Change(files=build.files))
    if isinstance(changed, str):
        names = joined([quote(name) for name in build.files], "or")
        problem = f"a file or folder is in the way of {names}, which the course puts there"
        return replace(staged, problem=problem, missing=())
    findings = tuple(
        Finding(kind=REPLACED, message=f"{one_line(name)} was replaced by the course's own")
        for name, file in tree.files.items()
        if build.files.get(name, file.content) != file.content
    )
    write_tree(changed, _new_folder(target))
    missing = missing_files(changed, rules)
    own = problem_with(tree, rules, missing, tree)  # of the student's own: what is forbidden may be put there
    return replace(staged, folder=target, findings=(*staged.findings, *findings), missing=missing, problem=own)


class _Attempt(Struct, frozen=True):
    """Work with some of the repairs made, and what became of it."""

    tree: FileTree
    work: Staged
    built: Artifact
    problem: str  # why it cannot be built or started; empty when it can
    repairs: tuple[Repair, ...] = ()


def build_with_repairs(spec: Spec, staged: Staged, folder: Path, builder: Builder) -> Artifact:
    """Build staged work as it is, or else, in folders below `folder`, with the fewest and first repairs that help."""
    best = as_it_is = builder.build(spec, staged, _new_folder(folder / "built"))
    problem = _problem_of(as_it_is, spec, builder)
    if not problem or not spec.repairs:
        return as_it_is
    first = _Attempt(read_submission(staged.folder), staged, as_it_is, problem)
    tried: list[FailedRepair] = []
    for attempt in islice(_attempts(spec, first, folder, builder), _MAX_ATTEMPTS):
        if not attempt.problem:
            return _as_repaired(attempt, first, tried)
        tried.append(FailedRepair(names=_names_of(attempt.repairs), message=attempt.problem))
        if attempt.built.build.ok and not best.build.ok:
            best = _as_repaired(attempt, first, ())
        elif attempt.built is not as_it_is:
            _remove_tree(attempt.built.folder, ignore_errors=True)
            _remove_tree(attempt.work.folder, ignore_errors=True)
    return replace(best, build=replace(best.build, tried=tuple(tried)))


def _attempts(spec: Spec, first: _Attempt, folder: Path, builder: Builder) -> Iterator[_Attempt]:
    """Try the repairs, then two of them together, and so on; yield what became of each attempt."""
    waiting, seen, builds = [first], set[frozenset[str]](), 0
    for before in waiting:  # which grows
        for repair in _repairs_for(spec, before):
            repairs = (*before.repairs, repair)
            if frozenset(_names_of(repairs)) in seen:
                continue
            tree = _changed_tree(before.tree, repair.change)
            if isinstance(tree, str):
                yield replace(first, repairs=repairs, problem=tree)
                continue
            seen.add(frozenset(_names_of(repairs)))
            work = _check_tree(first.work, tree, spec.files, [name for earlier in repairs for name in earlier.missing])
            after = replace(first, repairs=repairs, tree=tree, work=work, problem=work.problem or "")
            if not work.problem and builds == _MAX_BUILDS:
                return
            if not work.problem:
                builds += 1
                after = _build(spec, after, folder, builder, builds)
            yield after
            if after.problem != before.problem or after.problem == _NO_START:
                waiting.append(after)  # else it brought the work no further, and neither would it with others


def _build(spec: Spec, attempt: _Attempt, folder: Path, builder: Builder, number: int) -> _Attempt:
    """Write repaired work into a folder and build it with the repairs' commands; the last repair with `run` builds."""
    work = replace(attempt.work, folder=_new_folder(folder / f"mended-{number}"))
    write_tree(attempt.tree, work.folder)
    changes = [repair.change for repair in attempt.repairs]
    together = Change(
        prepare=tuple(command for change in changes for command in change.prepare),
        run=next((change.run for change in reversed(changes) if change.run), ()),
        leave_out=next((change.leave_out for change in changes if change.leave_out), ""),
    )
    built = builder.build(spec_for(spec, together), work, _new_folder(folder / f"built-{number}"))
    return replace(attempt, work=work, built=built, problem=_problem_of(built, spec, builder))


def _problem_of(built: Artifact, spec: Spec, builder: Builder) -> str:
    """Say why a build failed, or why its result cannot be started where a repair asks; empty when all is well."""
    if not built.build.ok:
        return built.build.message or "the build failed"
    return _NO_START if "cannot-start" in {repair.when for repair in spec.repairs} and not builder.starts(built) else ""


def _names_of(repairs: Collection[Repair]) -> tuple[str, ...]:
    return tuple(repair.name for repair in repairs)


def spec_for(spec: Spec, change: Change) -> Spec:
    """Return the spec with the commands that build changed work; without a build, these make the required files."""
    if change.leave_out and spec.notebook:
        spec = replace(spec, notebook=replace(spec.notebook, leaves_out_broken=True))
    if spec.build:
        return replace(spec, build=replace(spec.build, run=(*change.prepare, *(change.run or spec.build.run))))
    required = (file.names[0] for file in spec.files.required if file.costs is None and len(file.names) == 1)
    return replace(spec, build=Build(run=change.prepare, produces=tuple(required))) if change.prepare else spec


def _new_folder(path: Path) -> Path:
    try:
        path.mkdir()
    except OSError as error:
        raise HostError(f"cannot make {path}: {error.strerror}; is the disk full?") from error
    return path


def _repairs_for(spec: Spec, before: _Attempt) -> list[Repair]:
    """List the repairs for what is wrong with the work, of those that were not made yet."""
    work, trouble = before.work, "cannot-start"
    if work.problem:
        trouble = "missing" if work.missing else ""
    elif not before.built.build.ok:
        trouble = "" if before.built.build.limit else "build-failed"
    repairs = before.repairs
    lacking = {name for file in work.missing for name in file.names}.difference(*(repair.missing for repair in repairs))
    fitting = (repair for repair in spec.repairs if repair.when == trouble and lacking.issuperset(repair.missing))
    return [repair for repair in fitting if repair not in repairs and len(repairs) < spec.max_repairs]


def _as_repaired(attempt: _Attempt, first: _Attempt, tried: Collection[FailedRepair]) -> Artifact:
    built, as_it_was = attempt.built, first.built
    repairs, done = attempt.repairs, built.build
    messages = tuple(map(describe_repair, repairs))
    repaired = Repaired(repairs=repairs, messages=messages, command=done.command, log=done.log, time=done.time)
    handed_in = as_it_was.folder if as_it_was.build.ok else first.work.folder
    if all(repair.change == Change(leave_out=repair.change.leave_out) for repair in repairs):
        handed_in = built.folder  # the same notebook without its broken cells
    why = as_it_was.build.message or "the build succeeded, but its result cannot be started"
    changed = {"ok": True, "message": why, "repaired": repaired, "tried": tuple(tried), "findings": done.findings}
    return Artifact(folder=built.folder, build=replace(as_it_was.build, **changed), handed_in=handed_in)


def describe_repair(repair: Repair) -> str:
    """Say what is repaired, and what that costs."""
    keeps = [f"keeps {percent(repair.keeps)} of the credit"] if repair.keeps < 1 else []
    costs = [f"costs {count_points(repair.costs)}"] if repair.costs else []
    return f"{full_sentence(repair.about)} This {' and '.join([*keeps, *costs]) or 'costs nothing'}."


def _changed_tree(tree: FileTree, change: Change) -> FileTree | str:
    """Return the tree with other names and the course's files; or why a name fits no file, or none alone."""
    files = dict(tree.files)
    for pattern, wanted in change.rename.items():
        names = [name for name in files if matches(name, pattern)]
        if len(names) != 1:
            fitting = f"{len(names)} files fit" if names else "no file fits"
            return f"{fitting} {quote(pattern)}, and one is needed"
        if wanted in files and names != [wanted]:
            return f"{one_line(names[0])} cannot be renamed: there is {one_line(wanted)} already"
        files[wanted] = files.pop(names[0])
    files |= {name: TreeFile(content=content) for name, content in change.files.items()}
    folders = tree.folders | folders_above(files)
    if hidden := sorted(folders & files.keys()):
        return f"a file and a folder would have the name {one_line(hidden[0])}"
    return tree._replace(files=files, folders=folders)


def _check_tree(staged: Staged, tree: FileTree, rules: FileRules, excused: Collection[str] = ()) -> Staged:
    """Say what is wrong with a changed tree, but for the missing files that are `excused`."""
    missing = missing_files(tree, rules)
    unexcused = [file for file in missing if not set(file.names) & set(excused)]
    return replace(staged, missing=missing, problem=problem_with(tree, rules, unexcused, tree))
