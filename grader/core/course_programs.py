"""Build programs of the course, in the sandbox, once for each content of their files."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from grader.core.cache import Cache, file_digests
from grader.core.diagnosis import describe_failure, no_lines
from grader.core.errors import CourseProgramError, HostError
from grader.core.find_tool import SYSTEM_PATH, locate_tool
from grader.core.model import VERSION, Execution, Launch, Limits, Runner
from grader.core.text import limit_sentence, size

_MAX_BUILT_BYTES = 64 * 2**20
_SHOWN_LINES = 12


def build_program(
    what: str,
    commands: Sequence[Sequence[str]],
    files: Mapping[str, bytes],
    *,
    produces: Iterable[str],
    limits: Limits,
    level: str,
    cache: Cache,
    run: Runner,
    env: Mapping[str, str] | None = None,
) -> Mapping[str, bytes]:
    """Run the commands in a folder with `files`, and return the files that match the names or globs in `produces`.

    The result is cached by the files, the tools and the `level` of the sandbox. Raises HostError, which begins with
    `what` the program is, when a command fails.
    """
    patterns = tuple(produces)
    script = " && ".join(shlex.join(command) for command in commands)

    def build() -> Mapping[str, bytes]:
        if missing := next((one[0] for one in commands if "/" not in one[0] and not locate_tool(one[0])), ""):
            raise HostError(f"{what} cannot be built: there is no {missing}; grader doctor shows what to install")
        launch = Launch(
            argv=("/bin/sh", "-c", f"exec 2>&1; {script}"),
            files=files,
            env=env or {},
            limits=limits,
            collect=patterns,
            collect_limit=_MAX_BUILT_BYTES,
        )
        done = run(launch)
        _check_built(what, commands, script, patterns, done)
        return done.files

    tools = [program_identity(command[0]) for command in commands]
    key = ["course program", VERSION, commands, patterns, file_digests(files), tools, limits, level, env]
    return cache.get_or_make(key, dict[str, bytes], build)


def _check_built(
    what: str, commands: Sequence[Sequence[str]], script: str, patterns: Sequence[str], done: Execution
) -> None:
    """Raise HostError when a build failed, or did not make all its files."""
    if done.limit:
        raise HostError(f"{what} cannot be built: {script} {limit_sentence(done.limit)}")
    if done.status != 0:
        argv = commands[0] if len(commands) == 1 else ("sh", "-c", "")  # it is not known which one failed
        why = describe_failure(argv, done.status or 0, done.stdout, no_lines)
        raise CourseProgramError(f"{what} cannot be built: {why}", last_output_lines(done.stdout))
    for name, octets in done.uncollected.items():
        most = f"its files may have at most {size(_MAX_BUILT_BYTES)} together"
        raise HostError(f"{what} cannot be built: {script} created {name} of {size(octets)}, but {most}")
    if missing_files := [one for one in patterns if not any(fnmatchcase(name, one) for name in done.files)]:
        raise HostError(f"{what} cannot be built: {script} left no {' and no '.join(missing_files)}")


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
