"""The judgement of one case, facts in, verdict and sentence out.

In this order: a limit that ended the program, a crash, and only then what it wrote, returned and left behind. What
deviates is named even when it costs nothing. A kind of deviation is charged once, on however many streams it is seen.
"""

import re
import signal
from collections.abc import Mapping
from fractions import Fraction

from grader.comparators import COMPARATORS
from grader.comparators.base import WRONG
from grader.comparators.text import TEXT_DEVIATIONS
from grader.deviations.explanation import Kinds, credit
from grader.diagnosis import LONGEST_ERROR, find_cause, name_command
from grader.judge.calls import Compared, answer_to, broken_off, compare_calls, where_stopped
from grader.judge.outputs import (
    compare_exit,
    compare_files,
    compare_with_nearest,
    deviation_in,
    no_checks,
    shell_status,
    stands_beside,
    wanted_streams,
)
from grader.model import (
    Case,
    CaseResult,
    Checks,
    Deviation,
    Execution,
    Expected,
    Step,
    Stop,
    Stream,
    Toolchain,
    Verdict,
)
from grader.text import capital, joined, percent, quote, seconds, size

_LAST_SAID = 2**20
"""bytes of standard error in which an exception is looked for: it is the last that a program says"""
_LONGEST_EXCEPTION = 200
_LONGEST_FLAW, _LONGEST_NAME, _LONGEST_SOURCE = 66, 24, 40
"""characters of what is wrong with a program, of its file's name and of its line"""
_ASKED = "It waits for more input, which the assignment does not send."


def judge(
    case: Case,
    execution: Execution,
    expected: Execution | None,
    *,
    toolchain: Toolchain,
    command: str,
    checks: Checks = no_checks,
) -> CaseResult:
    """Judge what happened in `case`. `expected` is the reference's execution; None when the case does not ask for it.

    Never raises on what a student's program did; raises HostError when the reference's answer, a pattern or
    one of the instructor's `checks` is unusable.
    """
    wanted = wanted_streams(case, expected, checks)
    nearest = wanted[0]
    answer = None
    end = _stopped(execution)
    if case.functions:
        answer = answer_to(case, expected)
        if end:
            end = end[0], end[1] + where_stopped(case, execution)
        else:
            end = broken_off(case, execution, answer, toolchain) or _crashed(case, execution, toolchain)
    elif end := end or _crashed(case, execution, toolchain):
        end = _told_with_dialogue(execution, *end)
    deviations: tuple[Deviation, ...] = ()
    called: tuple[Compared, ...] = ()
    if end:
        verdict, message = end
        share = Fraction(0)
    else:
        if case.functions:
            called = tuple(compare_calls(case, execution, answer, checks))
        deviations = tuple(deviation for deviation, _ in called)
        if not (execution.calls and execution.calls.missing):
            stop = execution.stop
            if stop:
                kind = "unflushed" if stop.late else "wrong"
                deviations += (deviation_in(case, kind, "stdout", _where_dialogue_stopped(execution, stop)),)
            # All that follows from a dialogue that went wrong would be told again.
            if not stop or stop.late:
                outputs: Mapping[Stream, bytes] = {"stdout": execution.stdout, "stderr": execution.stderr}
                nearest, streamed = compare_with_nearest(outputs, wanted, case.tolerate)
                deviations += streamed
                deviations += (*compare_exit(case, execution, expected), *compare_files(case, execution, expected))
        share = credit({deviation.kind for deviation in deviations}, case.tolerate)
        verdict = verdict_of(share)
        reason = _tell_failed_command(case, execution, deviations)
        message = reason + " ".join(deviation.message for deviation in deviations)
        if message and share:
            message += tell_credit(share)
    shown = {stream: want.values[0] for stream, want in nearest.items() if stands_beside(want)}
    return CaseResult(
        id=case.id,
        verdict=verdict,
        credit=share,
        command=command,
        message=message,
        deviations=deviations,
        execution=execution,
        expected_stdout=shown.get("stdout"),
        expected_stderr=shown.get("stderr"),
        contrasts=tuple(contrast for _, contrast in called if contrast),
    )


def verdict_of(share: Fraction) -> Verdict:
    """Return the verdict of a share of the credit, or of the points."""
    if share == 1:
        return Verdict.PASSED
    return Verdict.PARTIAL if share else Verdict.FAILED


def tell_credit(share: Fraction) -> str:
    """Say, behind what deviates, what that leaves of the credit."""
    return " This costs nothing." if share == 1 else f" This keeps {percent(share)} of the credit."


# ---------------------------------------------------------------- how it ended


def _stopped(execution: Execution) -> tuple[Verdict, str] | None:
    """Return verdict and sentence of an execution that was ended at a limit."""
    limits = execution.limits
    match execution.limit:
        case "time" if execution.starved:
            runs = execution.measured or (execution,)
            told = joined([f"in {seconds(run.time)} ({seconds(run.cpu)} on a processor)" for run in runs])
            limit = f"the limit is {seconds(limits.time)}"
            return Verdict.UNGRADED, (
                f"The machine was too busy to measure it, {told}; {limit}. Grade it again when less runs beside it."
            )
        case "time" | "cpu":
            if execution.limit == "time":
                used = f"{seconds(execution.time)} (it had used {seconds(execution.cpu)} of processor time)"
            else:
                used = f"{seconds(execution.cpu)} of processor time ({seconds(execution.time)} by the clock)"
            message = f"It was stopped after {used}; the limit is {seconds(getattr(limits, execution.limit))}."
            if any(run.limit != execution.limit for run in execution.measured):
                message += f" It was run {len(execution.measured)} times; the last run counts."
            return Verdict.TIMEOUT, message
        case "memory":
            return Verdict.MEMORY, f"It was stopped because it used more than {size(limits.memory)} of memory."
        case "output":
            where = "standard error" if len(execution.stderr) > len(execution.stdout) else "standard output"
            return Verdict.OUTPUT, f"It was stopped because it wrote more than {size(limits.output)} to {where}."
        case "processes":
            return Verdict.CRASHED, f"It was stopped because it started more than {limits.processes} processes at once."
        case None:
            return None


def _tell_failed_command(case: Case, execution: Execution, deviations: tuple[Deviation, ...]) -> str:
    """Say what a command complained of when it failed, before what that left wrong.

    "" where it did not fail, where its status is the one asked for, and where its words are themselves judged.
    """
    if case.command is None or not deviations or not execution.status or not execution.stderr.strip():
        return ""
    if case.expect.exit != "any" and all(deviation.kind != "exit-status" for deviation in deviations):
        return ""
    if case.expect.stderr and case.expect.stderr.is_checked:
        return ""
    found = find_cause(execution.stderr[:_LAST_SAID])
    error = f": {quote(found.error, most=LONGEST_ERROR)}" if found.error else ""
    return f"{capital(name_command(case.command))} failed{error}{f' ({found.place})' if found.place else ''}. "


def _crashed(case: Case, execution: Execution, toolchain: Toolchain) -> tuple[Verdict, str] | None:
    """Return verdict and sentence of an execution that ran out of memory, or that a signal or an exception ended."""
    if execution.status == 0:
        return None
    said = execution.stderr[-_LAST_SAID:]
    if (found := _first_match(toolchain.out_of_memory, said)) is not None:
        return Verdict.MEMORY, f"It ran out of memory, of which it may use {size(execution.limits.memory)}: {found}."
    if isinstance(case.expect.exit, tuple) and shell_status(case, execution) in case.expect.exit:
        return None
    exception = _first_match(toolchain.crash, said)
    if execution.signal is not None:
        try:
            name = signal.Signals(execution.signal).name
            told = f"{(signal.strsignal(execution.signal) or 'signal').lower()} ({name})"
        except ValueError:
            told = f"signal {execution.signal}"
        return Verdict.CRASHED, f"It crashed: {told}{f', {exception}' if exception else ''}."
    if exception is not None:
        unreadable = _tell_unreadable(toolchain, said)
        return Verdict.CRASHED, unreadable or f"It ended with an uncaught exception: {exception}."
    return None


def _first_match(patterns: tuple[str, ...], said: bytes) -> str | None:
    """Quote the line that tells of an exception, which the first pattern that matches has found."""
    for pattern in patterns:
        if found := re.search(pattern.encode(), said, re.MULTILINE):
            line = said[said.rfind(b"\n", 0, found.start()) + 1 :]
            if line.startswith(b"Traceback"):
                # Python names the exception last, in the line after the last frame.
                last = re.search(rb"\n(?=[^\s])([^\n]*)", line[line.rfind(b"\nTraceback") + 1 :])
                line = last[1] if last else b"Traceback"
            return quote(line.partition(b"\n")[0], most=_LONGEST_EXCEPTION)
    return None


def _tell_unreadable(toolchain: Toolchain, said: bytes) -> str:
    """Say where a program is not in its language at all, "" when it is not known to be so."""
    for pattern in toolchain.unreadable:
        if found := re.search(pattern.encode(), said):
            parts = {name: part or b"" for name, part in found.groupdict().items()}
            error = quote(parts["error"], most=_LONGEST_FLAW)
            file = quote(parts["file"].rpartition(b"/")[2], most=_LONGEST_NAME)
            place = f"line {parts['line'].decode()} of {file}"
            if source := parts.get("source", b"").strip():
                place += f", {quote(source, most=_LONGEST_SOURCE)}"
            return f"{capital(toolchain.name)} cannot read the program: {error} in {place}."
    return ""


# ---------------------------------------------------------------- dialogues


def _told_with_dialogue(execution: Execution, verdict: Verdict, message: str) -> tuple[Verdict, str] | None:
    """Return verdict and sentence of an end at a limit or in a crash, with what the dialogue has to do with it.

    What happened after we had closed the input in the middle of a dialogue is our doing, and no crash of the program's.
    """
    stop = execution.stop
    if stop and not stop.ended and execution.limit is None:
        return None
    if stop and stop.ended and execution.limit:
        message += f" {capital(_awaited_step(stop.step))} was still expected."
    elif stop:
        message += f" {_where_dialogue_stopped(execution, stop)}"
    elif execution.asked:
        message += f" {_ASKED}"
    return verdict, message


def _where_dialogue_stopped(execution: Execution, stop: Stop) -> str:
    wanted = _awaited_step(stop.step)
    if stop.late:
        return (
            f"{wanted} came only after the input was closed: flush standard output after writing what a person is to "
            f"read before answering."
        )
    waited, last = seconds(stop.waited), stop.before.rstrip(b"\r\n").rpartition(b"\n")[2]
    if last:
        instead = f"the program had printed {quote(last)}"
    else:
        instead = f"the program had printed nothing{' more' if execution.stdout or execution.stderr else ''}"
    if stop.ended:
        end = f"signal {execution.signal}" if execution.status is None else f"status {execution.status}"
        return f"The program ended ({end}) while {wanted} was still expected; {instead}."
    if stop.step.do == "eof":
        waits = f" {_ASKED}" if execution.asked else ""
        return f"The program should have ended, but had not after {waited}; {instead}.{waits}"
    waits = " and was waiting for input" if execution.asked else ""
    return f"Waited {waited} for {wanted}; {instead}{waits}."


def _awaited_step(step: Step) -> str:
    if step.do == "eof":
        return "the end of the output"
    return f"{'the pattern ' if step.do == 'regex' else ''}{quote(step.text)}"


# ---------------------------------------------------------------- what can deviate at all


def reachable(case: Case) -> Kinds:
    """Return the deviations that a program can have in a case; none when nothing that it does can be wrong."""
    streams = [stream for stream in (case.expect.stdout, case.expect.stderr) if stream and stream.is_checked]
    found = Kinds().union(*map(_reachable_in, streams))
    if any(all(COMPARATORS[one.how].asks(one) for one in stream.alternatives) for stream in streams):
        found |= {"wrong-stream"}
        if all(any(_is_every_line(one) for one in stream.alternatives) for stream in streams):
            found |= {"split-streams"}
    if case.expect.exit != "any":
        found |= {"exit-status"}
    if case.expect.files:
        found |= TEXT_DEVIATIONS if case.expect.files.same else WRONG
    if any(step.waits for step in case.dialogue):
        found |= {"wrong", "unflushed"}
    if case.functions:
        found |= WRONG
        found |= Kinds().union(
            *(_reachable_in(text) for value in case.functions.expected.values() for text in value.texts)
        )
    return found


def _is_every_line(expected: Expected) -> bool:
    return COMPARATORS[expected.how].linewise and not (expected.only or expected.skip)


def _reachable_in(expected: Expected) -> Kinds:
    each = [COMPARATORS[one.how].reachable(one) for one in expected.alternatives]
    return Kinds().union(*each) if all(each) else Kinds()
