"""Build programs of the course, in the sandbox, once for each content of their files."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec.structs import replace

from grader.core.cache import Cache, file_digests
from grader.core.diagnosis import describe_failure, no_lines
from grader.core.errors import CourseProgramError, HostError
from grader.core.languages import SYSTEM_PATH, locate_tool
from grader.core.lazy import lazy_regex
from grader.core.model import VERSION
from grader.core.model.execution import Launch, Runner
from grader.core.model.layout import ContentsByName, unread
from grader.core.model.limits import Limits, limit_sentence
from grader.core.model.spec import INTERACTOR_COMPILED, INTERACTOR_STARTS, MADE_PROGRAM, PROGRAM_KINDS, Interactor
from grader.core.text import size

_MAX_BUILT_BYTES = 64 * 2**20
_CLASSES = ".course-classes"
BUILD_SCRIPT = "build"  # a script beside a program in a shell, which is run once before that is started
_MAIN = lazy_regex(rb"\bmain\s*\(")
_PACKAGE = lazy_regex(rb"(?m)^[ \t]*package\s+[\w.]+\s*;")
_SHOWN_LINES = 12
INTERACTOR_LIMITS = Limits(time=60, cpu=60, memory=2 * 2**30, output=16 * 2**20, processes=256)  # while it works
FEEDBACK = "feedback"  # the folder in which an interactor leaves files for us
_MAX_FEEDBACK_BYTES = 16 * 2**20


def _recipe(program: str, files: Mapping[str, bytes]) -> tuple[tuple[str, ...], str, tuple[str, ...]] | None:
    """Return what builds a program that judges or scores, a glob of what is kept, and the tools of a shell, or None.

    In C and C++ a file is compiled alone, or else with those sources beside it that are no programs themselves.
    """
    path = PurePosixPath(program)
    folder = "" if path.parent == PurePosixPath() else f"{path.parent}/"
    kind = PROGRAM_KINDS.get(path.suffix, PROGRAM_KINDS[".sh"])
    endings = {ending for ending, candidate in PROGRAM_KINDS.items() if candidate.language == kind.language}
    beside = (file for file in map(PurePosixPath, files) if file.parent == path.parent and file.suffix in endings)
    sources = sorted(str(file) for file in beside if file != path)
    if path.suffix in INTERACTOR_COMPILED:
        alone = tuple(part.format(file=program) for part in kind.build)
        if not (parts := [name for name in sources if not _MAIN.search(files[name])]):
            return alone, MADE_PROGRAM, ()
        place = kind.build.index("{file}") + 1
        script = f"{shlex.join(alone)} 2>/dev/null || {shlex.join((*alone[:place], *parts, *alone[place:]))}"
        return ("sh", "-c", script), MADE_PROGRAM, alone[:1]
    if path.suffix == ".java" and sources and not _PACKAGE.search(files[program]):
        classes = ("javac", "-encoding", "UTF-8", "-sourcepath", folder or ".", "-d", _CLASSES, program)
        return classes, f"{_CLASSES}/*", ()
    if path.suffix == ".sh" and files.get(f"{folder}{BUILD_SCRIPT}", b"").startswith(b"#!"):
        script = f"cd {shlex.quote(folder or '.')} && chmod +x {BUILD_SCRIPT} && ./{BUILD_SCRIPT}"
        return ("sh", "-c", script), f"{folder}*", ()
    return None


def launch_interactor(interactor: Interactor) -> Launch:
    """Return what is started to speak with a student's program, where its built files are among its own."""
    path = PurePosixPath(interactor.program)
    if path.suffix in INTERACTOR_COMPILED:
        start: tuple[str, ...] = (f"./{MADE_PROGRAM}",)
    elif f"{_CLASSES}/{path.stem}.class" in interactor.files:
        start = (*INTERACTOR_STARTS[path.suffix], "-cp", _CLASSES, path.stem)
    else:
        start = (*INTERACTOR_STARTS[path.suffix], interactor.program)
    given = {name: unread(interactor, name) for name in ("input", "answer")}
    return Launch(
        argv=(*start, *interactor.args),
        files=ContentsByName({**interactor.files, **given, f"{FEEDBACK}/judgemessage.txt": b""}),  # it makes the folder
        limits=replace(INTERACTOR_LIMITS, **interactor.limits),
        collect=(f"{FEEDBACK}/*",),
        collect_limit=_MAX_FEEDBACK_BYTES,
    )


def build_program(
    what: str,
    commands: Sequence[Sequence[str]],
    files: Mapping[str, bytes],
    *,
    produces: tuple[str, ...],
    limits: Limits,
    level: str,
    cache: Cache,
    run: Runner,
    env: Mapping[str, str] | None = None,
    tools: Sequence[str] = (),
) -> Mapping[str, bytes]:
    """Run commands in a folder with `files`, and return what matches `produces`, cached by files, tools and `level`.

    Raises HostError, which begins with `what` the program is, when a command fails.
    """
    used = [*(command[0] for command in commands), *tools]
    around = ([program_identity(tool) for tool in used], limits, level, env)

    def build() -> Mapping[str, bytes]:
        failed, script = f"{what} cannot be built", " && ".join(map(shlex.join, commands))
        if missing := next((tool for tool in used if "/" not in tool and not locate_tool(tool)), ""):
            raise HostError(f"{failed}: there is no {missing}; grader doctor shows what to install")
        argv, most = ("/bin/sh", "-c", f"exec 2>&1; {script}"), _MAX_BUILT_BYTES
        done = run(Launch(argv=argv, files=files, env=env or {}, limits=limits, collect=produces, collect_limit=most))
        if done.limit:
            raise HostError(f"{failed}: {script} {limit_sentence(done.limit)}")
        if done.status != 0:
            why = describe_failure(commands[0] if len(commands) == 1 else argv, done.status or 0, done.stdout, no_lines)
            raise CourseProgramError(f"{failed}: {why}", last_output_lines(done.stdout))
        for name, octets in done.uncollected.items():
            limit = f"its files may have at most {size(most)} together"
            raise HostError(f"{failed}: {script} created {name} of {size(octets)}, but {limit}")
        if lacking := [pattern for pattern in produces if not any(fnmatchcase(name, pattern) for name in done.files)]:
            raise HostError(f"{failed}: {script} left no {' and no '.join(lacking)}")
        return done.files

    key = ("course program", VERSION, commands, produces, file_digests(files), *around)
    return cache.get_or_make(key, dict[str, bytes], build)


def program_maker(cache: Cache, run: Runner) -> Callable[[Interactor], Interactor]:
    """Return what builds programs of the course, once for their files, the same at each level, or raises HostError."""
    built: dict[tuple[str, int], Mapping[str, bytes]] = {}
    around: dict[str, Any] = {"limits": INTERACTOR_LIMITS, "level": "", "cache": cache, "run": run}

    def ready(interactor: Interactor) -> Interactor:
        if (recipe := _recipe(interactor.program, interactor.files)) is None:
            return interactor
        command, produces, tools = recipe
        key = interactor.program, hash(tuple(interactor.files.items()))  # most cases share it
        if key not in built:
            what = f"{interactor.program} of the course"
            built[key] = build_program(what, (command,), interactor.files, produces=(produces,), tools=tools, **around)
        return replace(interactor, files={**interactor.files, **built[key]})

    return ready


def last_output_lines(output: bytes) -> str:
    """Return the last lines of a program's output; empty for a single line, which the error message quotes already."""
    lines = output.decode(errors="backslashreplace").rstrip().splitlines()
    return "\n".join(lines[-_SHOWN_LINES:]) if len(lines) > 1 else ""


def program_identity(program: str) -> list[str | int]:
    """Return facts that change with the program: its folder, inode, size and time of modification."""
    for folder in SYSTEM_PATH.split(":"):
        with suppress(OSError):  # not in this folder
            facts = Path(folder, program).stat()  # of the target, if it is a link
            return [folder, facts.st_ino, facts.st_size, facts.st_mtime_ns]
    return [program]
