"""How an execution ended: at a limit, by a crash, in the middle of a dialogue, or with some status."""

import re
import signal
from collections.abc import Iterator

from grader.errors import HostError
from grader.judge.wanted import answer_of, deviation_in
from grader.model import Case, Deviation, Execution, Step, Stop, Toolchain, Verdict
from grader.text import capital, joined, quote, seconds, size

_SIGNALLED = 128
"""shells tell of a signal by a status of 128 and its number"""
_LAST_SAID = 2**20
"""bytes of standard error in which an exception is looked for: it is the last that a program says"""
_LONGEST_EXCEPTION = 200
_ASKED = "It waits for more input, which the assignment does not send."


def stopped(execution: Execution) -> tuple[Verdict, str] | None:
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


def crashed(case: Case, execution: Execution, toolchain: Toolchain) -> tuple[Verdict, str] | None:
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
        return Verdict.CRASHED, f"It crashed: {_told_signal(execution.signal)}{f', {exception}' if exception else ''}."
    if exception is not None:
        return Verdict.CRASHED, f"It ended with an uncaught exception: {exception}."
    return None


def _first_match(patterns: tuple[str, ...], said: bytes) -> str | None:
    """Quote the line that tells of an exception, which the first pattern that matches has found."""
    for pattern in patterns:
        if found := re.search(pattern.encode(), said, re.MULTILINE):
            start = said.rfind(b"\n", 0, found.start()) + 1
            return quote(_telling_line(said[start:]), most=_LONGEST_EXCEPTION)
    return None


def _telling_line(said: bytes) -> bytes:
    """Return the first line; of Python's traceback, which names the exception last, the line after the last frame."""
    if not said.startswith(b"Traceback"):
        return said.partition(b"\n")[0]
    last = said[said.rfind(b"\nTraceback") + 1 :]
    told = re.search(rb"\n(?=[^\s])([^\n]*)", last)
    return told[1] if told else b"Traceback"


def _told_signal(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
    return f"{(signal.strsignal(number) or 'signal').lower()} ({name})"


def shell_status(case: Case, execution: Execution) -> int:
    """Return the status as a shell tells it. Raises HostError when the runner told neither status nor signal."""
    if execution.status is not None:
        return execution.status
    if execution.signal is None:
        raise HostError(f"{case.id}: the runner told neither a status nor a signal")
    return _SIGNALLED + execution.signal


def compare_exit(case: Case, execution: Execution, expected: Execution | None) -> Iterator[Deviation]:
    """Hold the status against the one that is asked for."""
    asked = case.expect.exit
    if asked == "any":
        return
    status = shell_status(case, execution)
    match asked:
        case "success":
            right, wish = status == 0, "0"
        case "failure":
            right, wish = status != 0, "any but 0"
        case "reference":
            answer = shell_status(case, answer_of(case, expected))
            right, wish = status == answer, str(answer)
        case _:
            right, wish = status in asked, " or ".join(map(str, asked))
    if not right:
        yield deviation_in(case, "exit-status", "exit", f"It ended with status {status}; {wish} is asked for.")


# ---------------------------------------------------------------- dialogues


def told_with_dialogue(execution: Execution, end: tuple[Verdict, str] | None) -> tuple[Verdict, str] | None:
    """Return verdict and sentence of an end at a limit or in a crash, with what the dialogue has to do with it.

    What happened after we had closed the input in the middle of a dialogue is our doing, and no crash of the program's.
    """
    stop = execution.stop
    if end is None or (stop and not stop.ended and execution.limit is None):
        return None
    verdict, message = end
    if stop and stop.ended and execution.limit:
        message = f"{message} {capital(_awaited_step(stop.step))} was still expected."
    elif stop:
        message = f"{message} {_where_dialogue_stopped(execution, stop)}"
    elif execution.asked:
        message = f"{message} {_ASKED}"
    return verdict, message


def compare_dialogue(case: Case, execution: Execution) -> tuple[Deviation, ...]:
    """Return the deviation of a dialogue that stopped: `unflushed` when all came after the input was closed."""
    stop = execution.stop
    if stop is None:
        return ()
    kind = "unflushed" if stop.late else "wrong"
    return (deviation_in(case, kind, "stdout", _where_dialogue_stopped(execution, stop)),)


def _where_dialogue_stopped(execution: Execution, stop: Stop) -> str:
    """Say where a dialogue stopped, and why."""
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
    match step.do:
        case "regex":
            return f"the pattern {quote(step.text.encode())}"
        case "eof":
            return "the end of the output"
        case _:
            return quote(step.text.encode())
