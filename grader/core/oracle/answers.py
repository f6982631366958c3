"""The reference's execution in a case: run once, and cached by content."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from grader.core.cache import Cache, content_digest
from grader.core.course_programs import last_output_lines, program_identity
from grader.core.errors import CourseProgramError
from grader.core.limits import at_least, limit_sentence
from grader.core.model.execution import INTERACTOR_ACCEPTS, INTERACTOR_REFUSES, Execution, Launch, Runner
from grader.core.model.limits import LimitOverrides, Limits
from grader.core.model.toolchain import Toolchain
from grader.core.oracle.conditions import AskingConditions
from grader.core.text import closing_line, size

_WIDE_LIMITS = Limits(time=120, cpu=120, memory=2 * 2**30, output=64 * 2**20, processes=256)
"""wide, and the same for every case, but where a spec allows more: how long it takes is no student's concern"""
_STEP_PATIENCE = 10.0  # seconds for one step of a dialogue that sets no time itself
_PROMPT_LIMITS = Limits(time=10, cpu=5, memory=2 * 2**30, output=2**20, processes=256)  # of a run without any input
_DECISIVE = (  # the fields of a launch on which the answer depends, besides its files and environment
    *("argv", "stdin", "terminal", "dialogue", "screen", "interactor", "is_output_validator", "passes", "roles"),
    *("collect", "list_files", "limits"),
)
_NOT_STARTED = (126, 127)
_digest_of = lru_cache(maxsize=64)(content_digest)


def wide_limits(asked: LimitOverrides) -> Limits:
    """Return the limits of the reference, where a spec asks for some: never less than is wide."""
    return at_least(_WIDE_LIMITS, asked)


def ask_reference(
    launch: Launch,
    *,
    files: Mapping[str, bytes],
    before: Sequence[tuple[Launch, Mapping[str, bytes]]] = (),
    toolchains: Iterable[Toolchain] = (),
    may_crash: bool = False,
    run: Runner,
    level: str = "full",
    cache: Cache,
    conditions: AskingConditions | None = None,
) -> Execution:
    """Return what the reference does with the arguments, input and files of `launch`, perhaps under other conditions.

    `files` are the reference's own; `before` is run first, in the same working folder; `toolchains` recognise an
    uncaught exception, which is an answer where it `may_crash`; `level` is the sandbox's: an answer without one is not
    used within one. Raises HostError when the reference fails, with the place and what it wrote on standard error.
    """
    languages, steps = tuple(toolchains), [*before, (launch, files)]
    started = [_asked(one, own, conditions) for one, own in steps]
    keys = [
        _key_of_answer(asked, own, level, program=one.argv[0], may_crash=may_crash)
        for asked, (one, own) in zip(started, steps, strict=True)
    ]
    asked, key = started[-1], keys if before else keys[0]

    def find() -> Execution:
        execution = _run_in_order(started, [own for _, own in steps], run) if before else run(asked)
        execution = conditions.restore(execution) if conditions else execution
        if fault := _describe_fault(execution, languages, may_crash=may_crash):
            if crash := _describe_crash_of_interactor(execution, asked, languages):
                raise CourseProgramError(*crash)
            place = _own_line(execution.complaints, files, languages)
            output = last_output_lines(execution.complaints)
            raise CourseProgramError(f"the reference failed ({' '.join(asked.argv)}): {fault}{place}", output)
        return execution

    return cache.get_or_make([key, conditions.key] if conditions else key, Execution, find)


def _asked(launch: Launch, own: Mapping[str, bytes], conditions: AskingConditions | None) -> Launch:
    """Return what is started among the reference's own files, with much room, under the conditions."""
    dialogue = tuple(replace(step, within=step.within or _STEP_PATIENCE) for step in launch.dialogue)
    limits = wide_limits({name: getattr(launch.limits, name) for name in Limits.__struct_fields__})
    asked = replace(launch, folder=None, files={**launch.files, **own}, dialogue=dialogue, limits=limits)
    return conditions.apply(asked) if conditions else asked


def _run_in_order(launches: Sequence[Launch], own: Sequence[Mapping[str, bytes]], run: Runner) -> Execution:
    """Run commands in one working folder, each with its own files; return what the last, or an inconclusive one did."""
    there = dict[str, bytes]()  # with contents: another reference may have files of the same names
    with TemporaryDirectory(prefix="grader-") as folder:
        for place, (launch, files) in enumerate(zip(launches, own, strict=True)):
            given = {name: one for name, one in launch.files.items() if name not in files or there.get(name) != one}
            left, kept = (Path(folder, str(number % 2)) for number in (place - 1, place))
            found = run(replace(launch, files=given, folder=left if place else None, kept=kept))
            there |= given
            if found.is_inconclusive:
                break
    return found


def _describe_crash_of_interactor(
    execution: Execution, asked: Launch, languages: Iterable[Toolchain]
) -> tuple[str, str] | None:
    """Return how the interactor crashed, and what it wrote, where that ended the reference; None where it did not."""
    found, interactor = execution.interaction, asked.interactor
    decided = (INTERACTOR_ACCEPTS, INTERACTOR_REFUSES, None)  # or was ended
    if not found or not interactor or found.first != "interactor" or found.status in decided:
        return None
    last = found.stderr.decode(errors="backslashreplace").strip().rpartition("\n")[2]
    name = next((word for word in interactor.argv if word in interactor.files), interactor.argv[0])
    told = f"the interactor {name} crashed: {last or f'it ended with status {found.status}'}"
    return told + _own_line(found.stderr, interactor.files, languages), last_output_lines(found.stderr)


def output_without_input(
    launch: Launch, *, files: Mapping[str, bytes], run: Runner, level: str = "full", cache: Cache
) -> bytes:
    """Return what the reference writes where it has no input at all; nothing if it does not come to an end then."""
    asked = replace(launch, folder=None, files={**launch.files, **files}, stdin=b"", limits=_PROMPT_LIMITS)

    def find() -> bytes:
        execution = run(asked)
        if execution.limit or execution.is_inconclusive:
            raise CourseProgramError("the reference does not end without input", "")
        return execution.stdout

    try:
        key = _key_of_answer(asked, files, level, program=asked.argv[0], may_crash=True)
        return cache.get_or_make(["prompt", key], bytes, find)
    except CourseProgramError:
        return b""


def _key_of_answer(asked: Launch, own: Mapping[str, bytes], level: str, *, program: str, may_crash: bool) -> object:
    """Return everything on which the reference's answer depends; `program` is what is started in the end."""
    return {
        **{name: getattr(asked, name) for name in _DECISIVE},
        "env": dict(asked.env),
        # The reference's own files are there for all cases: their digests are stored.
        "files": {name: (_digest_of if name in own else content_digest)(one) for name, one in asked.files.items()},
        "level": level,
        "interpreter": program_identity(program),
        "may_crash": may_crash,
    }


def _own_line(errors: bytes, files: Mapping[str, bytes], toolchains: Iterable[Toolchain]) -> str:
    """Return the innermost line of its files that an exception names: ", in line 7 of reference/a.py"."""
    names = {name.rpartition("/")[2]: name for name in files}
    for toolchain in toolchains:
        frames = [found for pattern in toolchain.frames for found in re.finditer(pattern.encode(), errors)]
        for frame in reversed(frames) if toolchain.frames_inwards else frames:
            if name := names.get(frame["file"].decode(errors="replace")):
                return f", in line {frame['line'].decode()} of {name}"
    return ""


def _describe_fault(execution: Execution, toolchains: Iterable[Toolchain], *, may_crash: bool) -> str | None:
    execution = execution.truncated_to_script_end  # what comes of our ending its input, when all is done, is no failure
    last = closing_line(execution.complaints.strip()).decode(errors="backslashreplace")
    if stop := execution.stop:
        awaited = "the end of its output" if stop.step.do == "eof" else f"`{stop.step.text}`"
        return f"step {stop.number} of the dialogue failed: {awaited} did not come"
    if execution.limit:
        most = size(execution.limits.output)
        told = f"wrote more than {most}; set `output` under the test's `limits` to what it needs"
        return f"it {told if execution.limit == 'output' else limit_sentence(execution.limit)}"
    if execution.signal is not None:
        return f"ended by signal {execution.signal}"
    if execution.status in _NOT_STARTED:
        return last or "it could not be started"
    errors = execution.complaints if execution.status else b""
    patterns = (pattern for one in toolchains for pattern in (one.unreadable if may_crash else one.crash))
    found = next((one for pattern in patterns if (one := re.search(pattern.encode(), errors, re.MULTILINE))), None)
    if not found or not last[:1].isspace():
        return last if found else None
    # If an exception begins with its name, and not with its place, that line is reported.
    return errors[errors.rfind(b"\n", 0, found.start()) + 1 :].partition(b"\n")[0].decode(errors="backslashreplace")
