"""How an execution ended: at a limit, by a crash, or with a status that is asked for or not."""

import re
import signal
from collections.abc import Iterator
from fractions import Fraction

from grader.errors import HostError
from grader.judge.wanted import answer_of
from grader.model import Case, Deviation, Execution, Toolchain, Verdict
from grader.text import quote, seconds, size

_SHELL_SIGNAL = 128
"""shells tell of a signal by a status of 128 and its number"""
_TAIL = 2**20
"""bytes of standard error in which an exception is looked for: it is the last that a program says"""
_LONGEST_EXCEPTION = 200


def stopped(execution: Execution) -> tuple[Verdict, str] | None:
    """Return verdict and sentence of an execution that was ended at a limit."""
    limits = execution.limits
    match execution.limit:
        case "time":
            used = f"it had used {seconds(execution.cpu)} of processor time"
            limit = f"the limit is {seconds(limits.time)}"
            return Verdict.TIMEOUT, f"It was stopped after {seconds(execution.time)} ({used}); {limit}."
        case "cpu":
            used = f"{seconds(execution.cpu)} of processor time ({seconds(execution.time)} by the clock)"
            return Verdict.TIMEOUT, f"It was stopped after {used}; the limit is {seconds(limits.cpu)}."
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
    said = execution.stderr[-_TAIL:]
    if (found := _first_match(toolchain.out_of_memory, said)) is not None:
        return Verdict.MEMORY, f"It ran out of memory, of which it may use {size(execution.limits.memory)}: {found}."
    if isinstance(case.expect.exit, tuple) and exit_status(case, execution) in case.expect.exit:
        return None
    exception = _first_match(toolchain.crash, said)
    if execution.signal is not None:
        return Verdict.CRASHED, f"It crashed: {_signal_name(execution.signal)}{f', {exception}' if exception else ''}."
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


def _signal_name(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
    return f"{(signal.strsignal(number) or 'signal').lower()} ({name})"


def exit_status(case: Case, execution: Execution) -> int:
    """Return the status as a shell tells it. Raises HostError when the runner told neither status nor signal."""
    if execution.status is not None:
        return execution.status
    if execution.signal is None:
        raise HostError(f"{case.id}: the runner told neither a status nor a signal")
    return _SHELL_SIGNAL + execution.signal


def compare_exit(case: Case, execution: Execution, expected: Execution | None) -> Iterator[Deviation]:
    """Hold the status against the one that is asked for."""
    asked = case.expect.exit
    if asked == "any":
        return
    status = exit_status(case, execution)
    match asked:
        case "success":
            right, wish = status == 0, "0"
        case "failure":
            right, wish = status != 0, "any but 0"
        case "reference":
            answer = exit_status(case, answer_of(case, expected))
            right, wish = status == answer, str(answer)
        case _:
            right, wish = status in asked, " or ".join(map(str, asked))
    if not right:
        yield Deviation(
            kind="exit-status",
            stream="exit",
            message=f"It ended with status {status}; {wish} is asked for.",
            keeps=case.tolerate.get("exit-status", Fraction(0)),
        )
