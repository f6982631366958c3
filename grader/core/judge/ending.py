"""How a program ended, when that decides all: at a limit, for want of memory, by a signal or by an exception.

Each sentence says what a student can look for: what was printed until then, the line of the program that failed, and
that the program has no keyboard input.
"""

import re
import signal
from collections.abc import Iterator
from itertools import islice

from grader.core.comparators.base import Wanted
from grader.core.deviations.normalise import line_count
from grader.core.deviations.prompts import asks_for_input, last_request
from grader.core.diagnosis import ReadLine
from grader.core.judge.abort_text import describe_abort
from grader.core.judge.outputs import name_program, shell_status
from grader.core.judge.sanitizer_report import (
    can_report,
    describe_sanitizer,
    describe_undefined,
    is_out_of_memory,
)
from grader.core.judge.unstarted import (
    MAX_FILE_NAME_LENGTH,
    MAX_SOURCE_LENGTH,
    describe_flaw,
    describe_line,
    describe_no_module,
    describe_no_start,
    describe_unreadable,
    is_unstarted,
    kind_of_crash,
)
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution
from grader.core.model.judgement import CauseKind, Verdict
from grader.core.model.spec import SCREEN, STREAMS, Case, Stream
from grader.core.model.toolchain import Toolchain
from grader.core.text import count, joined, quote, seconds, size
from grader.kinds import kind_of

MAX_ERROR_TAIL_BYTES = 2**20
"""bytes of standard error in which an exception is looked for: it is the last that a program says"""
_LONG_LINE = lazy_regex(rb"(?m)^([^\n]{700})[^\n]+([^\n]{300})$")
_MAX_FIRST_BYTES = 400
_MAX_EXCEPTION_LENGTH = 110
_MAX_NAME_LENGTH, _MAX_SOURCE_LENGTH = MAX_FILE_NAME_LENGTH, MAX_SOURCE_LENGTH
_SHORT_EXCEPTION = 66
"""characters of an exception beside its line"""
_LAST_LINES, _MAX_DIFFERENT_LINES = 40, 4
"""lines at the end of an output that show a loop, and how many different ones these are then at most"""
_THREAD = lazy_regex(rb'^Exception in thread "[^"\n]*" ')
_REASON = lazy_regex(rb": [^\n]{1,400}? because ")
"""of an exception that says which variable is to blame"""
NO_INPUT = "Your program reads input, but there is none."
_NO_FILE = lazy_regex(rb"No such file or directory")
"""of an exception whose end has the name of a file"""
_PIECE = 2**16
"""bytes of an output that are looked at together"""
_SMALL_INPUT_BYTES = 2**16
"""of a case, for which hardly any right program takes all of the memory"""
_BUSY = 0.8
"""the share of its time that a program works if it never waits"""
_BUSY_MACHINE = 0.1
"""the share of its time for which a program has no processor on a machine that is too busy to call the program idle"""


def stopped(case: Case, execution: Execution) -> tuple[Verdict, str] | None:
    """Return verdict and sentence of an execution that was ended at a limit."""
    limits = execution.limits
    if execution.is_inconclusive:
        return Verdict.UNGRADED, f"{_describe_machine(execution)} Grade it again when fewer programs run."
    match execution.limit:
        case "time" | "cpu":
            if execution.limit == "time":
                used = f"{seconds(execution.time)} (it had used {seconds(execution.cpu)} of processor time)"
            else:
                used = f"{seconds(execution.cpu)} of processor time ({seconds(execution.time)} by the clock)"
            allowed = seconds(getattr(limits, execution.limit))
            message = f"{name_program(case)} was stopped after {used}; the limit is {allowed}."
            if any(run.limit != execution.limit for run in execution.measured):
                message += f" It was run {len(execution.measured)} times; the last run counts."
            return Verdict.TIMEOUT, message + _until_then(case, execution)
        case "memory":
            reason = f"it used more than {size(limits.memory)} of memory"
            return Verdict.MEMORY, f"{name_program(case)} was stopped because {reason}.{_describe_growth(case)}"
        case "output":
            most: Stream = "stderr" if len(execution.stderr) > len(execution.stdout) else "stdout"
            where = SCREEN if execution.screen else STREAMS[most]
            message = f"{name_program(case)} was stopped because it wrote more than {size(limits.output)} to {where}."
            return Verdict.OUTPUT, message + _until_then(case, execution)
        case "processes":
            reason = f"it started more than {limits.processes} processes at once"
            return Verdict.CRASHED, f"{name_program(case)} was stopped because {reason}."
        case None:
            return None


def describe_disagreement(execution: Execution, verdict: Verdict) -> str:
    """Say that a failed run was measured again with another result; `stopped` says so for time-outs.

    A run that an option of ours stopped before its limit is no measurement of the program.
    """
    if verdict in (Verdict.PASSED, Verdict.TIMEOUT, Verdict.UNGRADED):
        return ""
    limits = execution.limits
    early = [
        run.limit in ("time", "cpu") and getattr(run, run.limit) < getattr(limits, run.limit)
        for run in execution.measured
    ]
    if all(was or run.limit == execution.limit for run, was in zip(execution.measured, early, strict=True)):
        return ""
    return f" Your program was run {len(execution.measured)} times and ended differently; the last run counts."


def _describe_machine(execution: Execution) -> str:
    """Say what the machine lacked, so that there is no result for the program."""
    limits = execution.limits
    if execution.killed_by_host:
        used = f"{size(execution.memory)} of its {size(limits.memory)}"
        return f"The machine ran out of memory when your program used {used}."
    runs, stop = execution.measured or (execution,), execution.stop
    times = joined([f"{seconds(run.time)} ({seconds(run.cpu)} on a processor)" for run in runs])
    limit = (
        f"step {stop.number} of the dialogue waits {seconds(stop.waited)}"
        if stop
        else f"the limit is {seconds(limits.time)}"
    )
    return f"The machine was too busy to measure your program: it took {times}; {limit}."


def _last_line(output: bytes) -> bytes:
    """Return the last line that is not blank, or its first part. However long the output is, it is not copied."""
    end = len(output)
    while end and output[max(end - _PIECE, 0) : end].isspace():
        end = max(end - _PIECE, 0)
    end -= len(piece := output[max(end - _PIECE, 0) : end]) - len(piece.rstrip())
    start = output.rfind(b"\n", 0, end) + 1
    return output[start : min(end, start + _PIECE)]


def _until_then(case: Case, execution: Execution) -> str:
    """Say what a program that was stopped had done: what it printed, and whether it may be in an endless loop.

    Kinds without `explains_limit`, such as a dialogue, describe this themselves.
    """
    kind = kind_of(case)
    if not kind.explains_limit:
        return ""
    sentence = ""
    output, where = (execution.stdout, "") if execution.stdout else (execution.stderr, " to standard error")
    rows = output[-_PIECE:].split(b"\n")[-_LAST_LINES - 2 : -1]
    repeats = len(rows) >= _LAST_LINES and len(set(rows)) <= _MAX_DIFFERENT_LINES
    if kind.prints_answer:
        last = _last_line(output)
        lines = f"{count(line_count(output), 'line')}{where}, last {quote(last, most=_MAX_SOURCE_LENGTH)}"
        sentence = f" It had printed {lines if last else 'nothing'}."
    request = "" if kind.has_input else _repeated_request(output)
    if request:
        return f" It asks {request} over and over, though its input has ended."
    if repeats:
        again = (
            joined([quote(row, most=_MAX_NAME_LENGTH) for row in dict.fromkeys(rows)]) if len(set(rows)) > 1 else "that"
        )
        return f"{sentence} It wrote {again} over and over, as in an endless loop."
    available = execution.time - execution.waited
    if execution.limit == "cpu" or (execution.limit == "time" and execution.cpu >= _BUSY * available):
        if kind.is_silence_odd and not _last_line(output):
            return f"{sentence} It was busy all the time: probably an endless loop, or too much work."
        return f"{sentence} It was busy all the time: either a loop never ends, or there is too much to do."
    waits = " It was idle most of the time: it is probably waiting for input."
    return f"{sentence}{waits}" if execution.limit == "time" and _is_idle(execution) else sentence


def _describe_growth(case: Case) -> str:
    """Say what usually takes so much memory for an input that is small."""
    if len(case.stdin) + sum(map(len, case.files.values())) > _SMALL_INPUT_BYTES:
        return ""
    return " Probably a loop or a recursion never ends, and takes more each time."


def _repeated_request(output: bytes) -> str:
    """Quote what a program asks for again and again at the end of an output, on a line each time or on one; or ""."""
    tail = output[-_PIECE:]
    requests = []
    for _ in range(_MAX_DIFFERENT_LINES + 1):  # it may be stopped in the middle of any line of those that come again
        whole = tail[: max(tail.rfind(sign) for sign in (b":", b"?", b">", b"=", b"\n")) + 1]
        requests += [one for one in map(last_request, (tail, whole)) if tail.count(one) >= _LAST_LINES]
        tail = tail[: tail.rstrip(b"\n").rfind(b"\n") + 1]
    longest = max(requests, key=len, default=b"")
    return quote(longest, most=_MAX_NAME_LENGTH) if longest else ""


def _is_idle(execution: Execution) -> bool:
    """Whether a program used little of the processor that it could have had, and mostly did not even ask for it.

    What it did without a processor is no account of how much it waited for one: a virtual machine that gets none
    itself shows that nowhere but in the states of the threads.
    """
    available = execution.time - execution.waited
    was_asleep = execution.slept is None or execution.slept >= _BUSY
    is_quiet_machine = execution.waited <= _BUSY_MACHINE * execution.time
    return execution.cpu <= (1 - _BUSY) * available and was_asleep and is_quiet_machine


def crashed(case: Case, execution: Execution, toolchain: Toolchain, read_line: ReadLine) -> tuple[Verdict, str] | None:
    """Return verdict and sentence of an execution that ran out of memory, or that a signal or an exception ended."""
    if execution.status == 0:
        return None
    errors = _complaints(execution, toolchain)
    no_start = _first_match(toolchain.cannot_start, errors)
    if no_start is None and _is_wanted(case, execution, toolchain):
        return None
    is_allowed = case.expect.crash == "allowed" and execution.signal is None
    if not is_allowed and (found := _out_of_memory(execution, toolchain, errors)) is not None:
        most = size(execution.limits.memory)
        return Verdict.MEMORY, f"{name_program(case)} ran out of memory (it may use {most}): {found}."
    if reported := _judge_sanitizer(case, execution, toolchain, read_line):
        return reported
    exception = no_start or _find_exception(toolchain, errors)
    if execution.signal is not None:
        return Verdict.CRASHED, _describe_signal(name_program(case), execution, execution.signal, exception)
    if exception is None:
        message = _describe_partly_loaded(case, execution, toolchain, errors)
    elif is_allowed and not is_unstarted(toolchain, errors):
        message = ""
    else:
        message = describe_unreadable(toolchain, errors, read_line) or _describe_exception(
            case, execution, toolchain, read_line
        )
    return (Verdict.CRASHED, message) if message else None


def _judge_sanitizer(
    case: Case, execution: Execution, toolchain: Toolchain, read_line: ReadLine
) -> tuple[Verdict, str] | None:
    """Return verdict and sentence where a sanitizer of the compiler ended a program, or gave it its status."""
    errors = error_tail(execution)
    if not can_report(toolchain):
        return None
    if is_out_of_memory(errors):
        reason = f"it ran out of memory (it may use {size(execution.limits.memory)})"
        return Verdict.MEMORY, f"{name_program(case)} was stopped because {reason}.{_describe_growth(case)}"
    asked, who = case.expect.exit, name_program(case)
    found = describe_sanitizer(who, errors, read_line)
    is_asked = isinstance(asked, tuple) and shell_status(case, execution) in asked
    if not found and not is_asked:  # that one may go on, and leave a program its own status
        found = describe_undefined(who, errors, read_line)
    is_allowed = case.expect.crash == "allowed" and execution.signal is None
    return (Verdict.CRASHED, found) if found and not is_allowed else None


def cause_of_end(verdict: Verdict, message: str, execution: Execution, toolchain: Toolchain) -> CauseKind | None:
    """Return why a program that ended so did not do its work; None where a limit ended it, or where it did."""
    if verdict is not Verdict.CRASHED or execution.limit:
        return None
    return kind_of_crash(toolchain, _complaints(execution, toolchain), message)


def error_tail(execution: Execution) -> bytes:
    """Return the end of what a program complained of, without the middle of very long lines.

    Patterns of languages are searched in it, whose time may grow with the square of a line's length.
    """
    return _LONG_LINE.sub(rb"\1\2", execution.complaints[-MAX_ERROR_TAIL_BYTES:])


def _complaints(execution: Execution, toolchain: Toolchain) -> bytes:
    """Return the end of standard error; Rscript says on standard output that there is no program."""
    first = execution.stdout[:_MAX_FIRST_BYTES]
    if not execution.stderr and any(re.search(pattern.encode(), first) for pattern in toolchain.cannot_start):
        return first
    return error_tail(execution)


def _out_of_memory(execution: Execution, toolchain: Toolchain, errors: bytes) -> str | None:
    """Quote what says that memory ran out, of an uncaught exception or a signal; a program may name what it caught."""
    if execution.signal is None:
        found = [re.search(pattern.encode(), errors) for pattern in toolchain.crash]
        starts = [one.start() for one in found if one]
        if not starts or not _is_uncaught(toolchain, errors):
            return None
        errors = errors[errors.rfind(b"\n", 0, min(starts)) + 1 :]
    return _first_match(toolchain.out_of_memory, errors, whole=True)


def _is_uncaught(toolchain: Toolchain, errors: bytes) -> bool:
    """Whether what looks like an exception is not one that the program caught and printed."""
    return not toolchain.uncaught or any(re.search(pattern.encode(), errors) for pattern in toolchain.uncaught)


def _find_exception(toolchain: Toolchain, errors: bytes) -> str | None:
    """Quote an exception that nobody caught; None when there is none, or the program printed what it caught."""
    if not _is_uncaught(toolchain, errors):
        return None
    return _first_match((*toolchain.crash, *toolchain.unreadable), errors)


def _is_wanted(case: Case, execution: Execution, toolchain: Toolchain) -> bool:
    """Whether this very signal is asked for, or a failure, and the status is one that no exception leaves."""
    asked = case.expect.exit
    if execution.signal is not None:
        return isinstance(asked, tuple) and shell_status(case, execution) in asked
    if asked in ("any", "success") or case.command:
        return False  # a command such as make has a status of its own for the failure of another
    return bool(toolchain.crash_status) and execution.status not in toolchain.crash_status


def _describe_partly_loaded(case: Case, execution: Execution, toolchain: Toolchain, errors: bytes) -> str:
    """Say that the status that is asked for comes of a part that could not be loaded; "" when it does not."""
    if case.expect.exit in ("any", "success"):
        return ""
    for pattern in toolchain.load_errors:
        if found := re.search(pattern.encode(), errors):
            flaw = describe_flaw(found)
            what = f"{toolchain.called} could not load your whole program{f': {flaw}' if flaw else ''}."
            return f"{what} The exit status {execution.status} comes from that."
    return ""


def _describe_signal(who: str, execution: Execution, number: int, exception: str | None) -> str:
    try:
        cause = f"{(signal.strsignal(number) or 'signal').lower()} ({signal.Signals(number).name})"
    except ValueError:
        cause = f"signal {number}"
    if execution.crash_cause:
        return f"{who} crashed: {execution.crash_cause}"
    if said := describe_abort(error_tail(execution)) if number == signal.SIGABRT else "":
        return f"{who} crashed: {said} (SIGABRT)."
    if execution.by_status and exception is None:
        status = execution.shell_exit_status
        return f"{who} ended with status {status}: if it does not choose that status, it crashed: {cause}."
    return f"{who} crashed: {cause}{f', {exception}' if exception else ''}."


def _first_match(
    patterns: tuple[str, ...], errors: bytes, most: int = _MAX_EXCEPTION_LENGTH, *, whole: bool = False
) -> str | None:
    """Quote the text of an exception, from the first pattern's match to the end of the line.

    A prompt may precede it in that line; it is omitted unless the `whole` line is requested.
    """
    for pattern in patterns:
        if found := re.search(pattern.encode(), errors, re.MULTILINE):
            line = errors[errors.rfind(b"\n", 0, found.start()) + 1 if whole else found.start() :]
            if line.startswith(b"Traceback"):
                # Python names the exception last, in the line after the last frame.
                last = re.search(rb"\n(?=[^\s])([^\n]*)", line[line.rfind(b"\nTraceback") + 1 :])
                line = last[1] if last else b"Traceback"
            line = _THREAD.sub(b"", line.partition(b"\n")[0])
            return quote(_REASON.sub(": … because ".encode(), line, count=1) if len(line) > most else line, most=most)
    return None


def _describe_exception(case: Case, execution: Execution, toolchain: Toolchain, read_line: ReadLine) -> str:
    """Say with which exception a program ended, in which line of its own, and what that has to do with the task."""
    errors = _complaints(execution, toolchain)
    if unstarted := describe_no_start(toolchain, errors, read_line):
        return unstarted
    place = next(islice(_own_lines(toolchain, errors, read_line), 1), "")
    if missing := describe_no_module(toolchain, errors, place):
        return missing
    most = _SHORT_EXCEPTION if place and not _NO_FILE.search(errors) else _MAX_EXCEPTION_LENGTH
    exception = _first_match(toolchain.crash, errors, most)
    if exception is None:
        return f"{name_program(case)} cannot be started: {_first_match(toolchain.cannot_start, errors)}."
    sentence = f"{name_program(case)} ended with an uncaught exception: {exception}{place}."
    if any(re.search(pattern.encode(), errors) for pattern in toolchain.end_of_input):
        sentence += _describe_keyboard(case) or _describe_end_of_input(case, execution)
    return sentence


def _own_lines(toolchain: Toolchain, errors: bytes, read_line: ReadLine) -> Iterator[str]:
    """Iterate over the lines of the student's that were being run, the innermost first: "in line 7 of `A.java`, …"."""
    frames = [found for pattern in toolchain.frames for found in re.finditer(pattern.encode(), errors)]
    for frame in reversed(frames) if toolchain.frames_inwards else frames:
        if place := describe_line(f"{frame['file'].decode()}:{frame['line'].decode()}", read_line):
            yield place


def hint_no_stdin(case: Case, execution: Execution, wanted: Wanted | None) -> str:
    """Say that there is no more input, or no keyboard, when a wrong program asked for unexpected input; else ""."""
    if wanted and wanted.is_selective:
        return ""  # such a line may be in every right output
    expected = wanted.values if wanted else ()
    request = last_request(execution.stdout)
    if case.stdin:
        if not request or any(request in value for value in expected):
            return ""
        asked = quote(request, most=_MAX_SOURCE_LENGTH)
        return f" Your program's last output asks for input ({asked}); its input has {_input_lines(case)}."
    asks = (request or asks_for_input(execution.stdout)) and not any(map(asks_for_input, expected))
    return _describe_keyboard(case) if asks else ""


def _describe_end_of_input(case: Case, execution: Execution) -> str:
    """Say that a program has read more than there was, and what it had asked for then; nothing where it had none."""
    if not case.stdin:
        return ""
    request = last_request(execution.stdout)
    asked = f" when it asked {quote(request, most=_MAX_NAME_LENGTH)}" if request else ""
    return f" Its input ({_input_lines(case)}) had ended{asked}."


def _input_lines(case: Case) -> str:
    return count(line_count(case.stdin), "line")


def _describe_keyboard(case: Case) -> str:
    """Say where the input comes from, of a program that reads the keyboard; nothing where it may."""
    if case.stdin or kind_of(case).has_input:
        return ""
    if case.command or not case.args:
        return f" {NO_INPUT}"
    what = "the number comes as an argument" if any(arg.isdecimal() for arg in case.args) else "arguments are given"
    return f" Your program reads input, but {what}: {quote(' '.join(case.args), most=_MAX_NAME_LENGTH)}."
