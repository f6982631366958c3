"""What the reference does in a case: asked once, and kept by content."""

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from grader.cache import Cache
from grader.errors import HostError
from grader.model import Execution, Launch, Limits, Runner, Spec
from grader.text import size

_WIDE_LIMITS = Limits(time=120, cpu=120, memory=2 * 2**30, output=64 * 2**20, processes=256)
"""wide, and the same for every case, but for more output where a spec allows that: how long the reference takes is no
student's concern"""
_STEP_PATIENCE = 10.0
"""seconds for one step of a dialogue that sets no time itself"""
_MOST_REFERENCE_BYTES = 32 * 2**20
_NOT_STARTED = (126, 127)
_PROGRAM_PATH = "/usr/bin:/bin"


def reference_files(spec: Spec) -> Mapping[str, bytes]:
    """Return the files of the reference: all that lie in the folders of the files that its command names.

    Names are relative to the course root. Raises HostError when a file is missing, unreadable or far too large.
    """
    found: dict[str, bytes] = {}
    room = _MOST_REFERENCE_BYTES
    for path in _named_files(spec):
        try:
            content = path.read_bytes()
        except OSError as error:
            raise HostError(f"{path}, a file of the reference, cannot be read: {error.strerror}") from error
        room -= len(content)
        if room < 0:
            most = f"{_MOST_REFERENCE_BYTES >> 20} MiB"
            raise HostError(f"{path.parent} holds more than {most}; a reference needs a folder of its own")
        found[path.relative_to(spec.root).as_posix()] = content
    return found


def _named_files(spec: Spec) -> Iterable[Path]:
    folders: set[Path] = set()
    for word in spec.reference or ():
        path = Path(os.path.normpath(spec.root / word))
        if "/" in word and not path.exists() and path.is_relative_to(spec.root):
            raise HostError(f"the reference is missing: there is no {word} in {spec.root}")
        if path.is_file() and path.is_relative_to(spec.root):
            if path.parent == spec.root:
                yield path
            else:
                folders.add(path.parent)
    for folder in sorted(folders):
        yield from (
            path
            for path in sorted(folder.rglob("*"))
            if stat.S_ISREG(path.lstat().st_mode) and "__pycache__" not in path.parts
        )


def ask_reference(
    launch: Launch,
    *,
    files: Mapping[str, bytes],
    crash: Iterable[str],
    run: Runner,
    level: str = "full",
    cache: Cache,
) -> Execution:
    """Return what the reference does with the arguments, input and files of `launch`.

    `files` are the reference's own, `crash` the patterns of an uncaught exception, `level` is the sandbox's: what was
    answered without one is no answer for those within. Raises HostError when the reference
    fails: then nobody knows what is expected.
    """
    dialogue = tuple(replace(step, within=step.within or _STEP_PATIENCE) for step in launch.dialogue)
    limits = replace(_WIDE_LIMITS, output=max(_WIDE_LIMITS.output, launch.limits.output))
    asked = replace(launch, folder=None, files={**launch.files, **files}, dialogue=dialogue, limits=limits)

    def find() -> Execution:
        execution = run(asked)
        fault = _tell_fault(execution, crash)
        if fault:
            raise HostError(f"the reference failed ({' '.join(asked.argv)}): {fault}")
        return execution

    key = {
        "argv": asked.argv,
        "stdin": asked.stdin,
        "env": dict(asked.env),
        "terminal": asked.terminal,
        "dialogue": asked.dialogue,
        "screen": asked.screen,
        "interactor": asked.interactor,
        "passes": asked.passes,
        "collect": asked.collect,
        "survey": asked.survey,
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in asked.files.items()},
        "level": level,
        "interpreter": _program_identity(asked.argv[0]),
    }
    return cache.remember(key, Execution, find)


def _tell_fault(execution: Execution, crash: Iterable[str]) -> str | None:
    execution = execution.at_leave  # what comes of our ending its input, when all is done, is no failure
    last = execution.complaints.decode(errors="backslashreplace").strip().rpartition("\n")[2]
    if execution.stop:
        step = execution.stop.step
        awaited = "the end of its output" if step.do == "eof" else f"`{step.text}`"
        return f"step {execution.stop.number} of the dialogue failed: {awaited} did not come"
    if execution.limit == "output":
        most = size(execution.limits.output)
        last = f"it wrote more than {most}; set `output` under the test's `limits` to what it is to write"
    if execution.limit:
        return last if execution.limit == "output" else f"it went over the limit of {execution.limit}"
    if execution.signal is not None:
        told = f"ended with status {execution.told_status}, as after" if execution.by_status else "ended by"
        return f"{told} signal {execution.signal}"
    if execution.status in _NOT_STARTED:
        return last or "it could not be started"
    if execution.status and any(re.search(pattern.encode(), execution.complaints, re.MULTILINE) for pattern in crash):
        return last
    return None


def _program_identity(program: str) -> list[str | int]:
    """Return what changes when the program is another one: where it is found, and its size and time of change."""
    for folder in _PROGRAM_PATH.split(":"):
        with suppress(OSError):  # it is in another one, or nowhere
            facts = Path(folder, program).stat()  # a link has those of its target
            return [folder, facts.st_ino, facts.st_size, facts.st_mtime_ns]
    return [program]
