"""How a program ended, when that decides all: at a limit, for want of memory, by a signal or by an exception.

Each sentence says what a student can look for: what was printed until then, the line of the program that failed, and
that the program has no keyboard input.
"""

import re
import signal
from collections.abc import Mapping

from grader.core.comparators.base import Wanted
from grader.core.deviations.normalise import line_count
from grader.core.deviations.prompts import asks_for_input, last_request
from grader.core.diagnosis import ReadLine
from grader.core.judge.outputs import name_program, shell_status
from grader.core.judge.sanitizer_report import (
    can_report,
    describe_abort,
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
    search_any,
)
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, LimitName
from grader.core.model.judgement import CauseKind, Message, Verdict
from grader.core.model.spec import SCREEN, STREAMS, Case, Stream
from grader.core.model.toolchain import Toolchain
from grader.core.text import count, joined, quote, seconds, size
from grader.kinds import kind_of
from grader.kinds.base import Settled

NO_INPUT = "no-input"
"""the name of the remark that a program reads what it is not given"""
MAX_ERROR_TAIL_BYTES = 2**20
"""bytes of standard error in which an exception is looked for: it is the last that a program says"""
_LONG_LINE = lazy_regex(rb"(?m)^([^\n]{700})[^\n]+([^\n]{300})$")
_MAX_FIRST_BYTES = 400
_MAX_EXCEPTION_LENGTH = 110
_SHORT_EXCEPTION = 66
"""characters of an exception beside its line"""
_LAST_LINES, _MAX_DIFFERENT_LINES = 40, 4
"""lines at the end of an output that show a loop, and how many different ones these are then at most"""
_THREAD = lazy_regex(rb'^Exception in thread "[^"\n]*" ')
_REASON = lazy_regex(rb": [^\n]{1,400}? because ")
"""of an exception that says which variable is to blame"""
_THROWN = lazy_regex(r"\b[A-Za-z_]\w*(?:Exception|Error|Interrupt|Exit)\b")
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
_LIMITS: Mapping[LimitName, tuple[Verdict, str]] = {
    "time": (
        Verdict.TIMEOUT,
        "was stopped after {time} (it had used {cpu} of processor time); the limit is {most_time}.",
    ),
    "cpu": (
        Verdict.TIMEOUT,
        "was stopped after {cpu} of processor time ({time} by the clock); the limit is {most_cpu}.",
    ),
    "memory": (Verdict.MEMORY, "was stopped because it used more than {memory} of memory."),
    "output": (Verdict.OUTPUT, "was stopped because it wrote more than {output} to {where}."),
    "processes": (Verdict.CRASHED, "was stopped because it started more than {processes} processes at once."),
}


def stopped(case: Case, execution: Execution) -> Settled | None:
    """Return the ending of an execution that was ended at a limit."""
    limits, limit = execution.limits, execution.limit
    if execution.is_inconclusive:
        sentence = f"{_describe_machine(execution)} Grade it again when fewer programs run."
        return Verdict.UNGRADED, Message(sentence, ("machine",))
    if limit is None:
        return None
    most: Stream = "stderr" if len(execution.stderr) > len(execution.stdout) else "stdout"
    verdict, told = _LIMITS[limit]
    told = told.format(
        time=seconds(execution.time),
        cpu=seconds(execution.cpu),
        most_time=seconds(limits.time),
        most_cpu=seconds(limits.cpu),
        memory=size(limits.memory),
        output=size(limits.output),
        processes=limits.processes,
        where=SCREEN if execution.screen else STREAMS[most],
    )
    message = Message(f"{name_program(case)} {told}", (limit,))
    if verdict is Verdict.TIMEOUT and any(run.limit != limit for run in execution.measured):
        message = message.with_after("runs", f"It was run {len(execution.measured)} times; the last run counts.")
    if verdict in (Verdict.TIMEOUT, Verdict.OUTPUT) and kind_of(case).explains_limit:
        return verdict, message.with_after("progress", _until_then(case, execution))
    return verdict, message.with_after("growth", _describe_growth(case) if limit == "memory" else "")


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
    return f"Your program was run {len(execution.measured)} times and ended differently; the last run counts."


def _describe_machine(execution: Execution) -> str:
    """Say what the machine lacked, so that there is no result for the program."""
    limits, stop = execution.limits, execution.stop
    if execution.killed_by_host:
        used = f"{size(execution.memory)} of its {size(limits.memory)}"
        return f"The machine ran out of memory when your program used {used}."
    runs = execution.measured or (execution,)
    times = joined([f"{seconds(run.time)} ({seconds(run.cpu)} on a processor)" for run in runs])
    waits = f"step {stop.number} of the dialogue waits {seconds(stop.waited)}" if stop else ""
    limit = waits or f"the limit is {seconds(limits.time)}"
    return f"The machine was too busy to measure your program: it took {times}; {limit}."


def _last_line(output: bytes) -> bytes:
    """Return the last line that is not blank, or its first part."""
    output = output.rstrip()
    return output[output.rfind(b"\n") + 1 :][:_PIECE]


def _until_then(case: Case, execution: Execution) -> str:
    """Say what a program that was stopped had done: what it printed, and whether it may be in an endless loop."""
    kind = kind_of(case)
    output, where = (execution.stdout, "") if execution.stdout else (execution.stderr, " to standard error")
    rows = output[-_PIECE:].split(b"\n")[-_LAST_LINES - 2 : -1]
    if not kind.has_input and (request := _repeated_request(output)):
        return f"It asks {request} over and over, though its input has ended."
    last, sentence = _last_line(output), ""
    if kind.prints_answer:
        lines = f"{count(line_count(output), 'line')}{where}, last {quote(last, most=MAX_SOURCE_LENGTH)}"
        sentence = f"It had printed {lines if last else 'nothing'}. "
    available = execution.time - execution.waited
    if len(rows) >= _LAST_LINES and len(set(rows)) <= _MAX_DIFFERENT_LINES:
        again = [quote(row, most=MAX_FILE_NAME_LENGTH) for row in dict.fromkeys(rows)]
        return f"{sentence}It wrote {joined(again) if len(again) > 1 else 'that'} over and over, as in an endless loop."
    if execution.limit == "cpu" or (execution.limit == "time" and execution.cpu >= _BUSY * available):
        if kind.is_silence_odd and not last:
            return f"{sentence}It was busy all the time: probably an endless loop, or too much work."
        return f"{sentence}It was busy all the time: a loop may never end, or the method is too slow."
    waits = "It was idle most of the time: it is probably waiting for input."
    return f"{sentence}{waits if execution.limit == 'time' and _is_idle(execution) else ''}".rstrip()


def _describe_growth(case: Case) -> str:
    """Say what usually takes so much memory for an input that is small."""
    if len(case.stdin) + sum(map(len, case.files.values())) > _SMALL_INPUT_BYTES:
        return ""
    return "Probably a loop or a recursion never ends, and takes more each time."


def _repeated_request(output: bytes) -> str:
    """Quote what a program asks for again and again at the end of an output; or ""."""
    tail = output[-_PIECE:]
    whole = tail[: max(tail.rfind(sign) for sign in (b":", b"?", b">", b"=", b"\n")) + 1]
    request = last_request(whole)  # it may be stopped in the middle of one
    return quote(request, most=MAX_FILE_NAME_LENGTH) if request and tail.count(request) >= _LAST_LINES else ""


def _is_idle(execution: Execution) -> bool:
    """Whether a program used little of the processor that it could have had, and mostly did not even ask for it.

    What it did without a processor is no account of how much it waited for one: a virtual machine that gets none
    itself shows that nowhere but in the states of the threads.
    """
    available = execution.time - execution.waited
    was_asleep = execution.slept is None or execution.slept >= _BUSY
    is_quiet_machine = execution.waited <= _BUSY_MACHINE * execution.time
    return execution.cpu <= (1 - _BUSY) * available and was_asleep and is_quiet_machine


def crashed(case: Case, execution: Execution, toolchain: Toolchain, read_line: ReadLine) -> Settled | None:
    """Return the ending of an execution that ran out of memory, or that a signal or an exception ended."""
    if execution.status == 0:
        return None
    errors, who = _complaints(execution, toolchain), name_program(case)
    no_start = _first_match(toolchain.cannot_start, errors)
    if no_start is None and _is_wanted(case, execution, toolchain):
        return None
    is_allowed = case.expect.crash == "allowed" and execution.signal is None
    if not is_allowed and (found := _out_of_memory(execution, toolchain, errors)) is not None:
        sentence = f"{who} ran out of memory (it may use {size(execution.limits.memory)}): {found}."
        return Verdict.MEMORY, Message(sentence, ("memory",))
    if reported := _judge_sanitizer(case, execution, toolchain, read_line):
        return reported
    exception = no_start or _find_exception(toolchain, errors)
    message = None
    if execution.signal is not None:
        message = _describe_signal(who, execution, execution.signal, exception)
    elif exception is None:
        message = _describe_partly_loaded(case, execution, toolchain, errors)
    elif not is_allowed or is_unstarted(toolchain, errors):
        message = describe_unreadable(toolchain, errors, read_line) or _describe_exception(
            case, execution, toolchain, read_line
        )
    return (Verdict.CRASHED, message) if message else None


def _judge_sanitizer(case: Case, execution: Execution, toolchain: Toolchain, read_line: ReadLine) -> Settled | None:
    """Return the ending where a sanitizer of the compiler ended a program, or gave it its status."""
    errors, who = error_tail(execution), name_program(case)
    if not can_report(toolchain):
        return None
    if is_out_of_memory(errors):
        reason = f"it ran out of memory (it may use {size(execution.limits.memory)})"
        message = Message(f"{who} was stopped because {reason}.", ("memory",))
        return Verdict.MEMORY, message.with_after("growth", _describe_growth(case))
    asked = case.expect.exit
    found = describe_sanitizer(who, errors, read_line)
    is_asked = isinstance(asked, tuple) and shell_status(case, execution) in asked
    if not found and not is_asked:  # that one may go on, and leave a program its own status
        found = describe_undefined(who, errors, read_line)
    is_allowed = case.expect.crash == "allowed" and execution.signal is None
    return (Verdict.CRASHED, found) if found and not is_allowed else None


def cause_of_end(ending: Settled, execution: Execution, toolchain: Toolchain) -> CauseKind | None:
    """Return why a program that ended so did not do its work; None where a limit ended it, or where it did."""
    if ending[0] is not Verdict.CRASHED or execution.limit:
        return None
    return kind_of_crash(toolchain, _complaints(execution, toolchain), ending[1])


def error_tail(execution: Execution) -> bytes:
    """Return the end of what a program complained of, without the middle of very long lines.

    Patterns of languages are searched in it, whose time may grow with the square of a line's length.
    """
    return _LONG_LINE.sub(rb"\1\2", execution.complaints[-MAX_ERROR_TAIL_BYTES:])


def _complaints(execution: Execution, toolchain: Toolchain) -> bytes:
    """Return the end of standard error; Rscript says on standard output that there is no program."""
    first = execution.stdout[:_MAX_FIRST_BYTES]
    return first if not execution.stderr and search_any(toolchain.cannot_start, first) else error_tail(execution)


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
    return not toolchain.uncaught or search_any(toolchain.uncaught, errors) is not None


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


def _describe_partly_loaded(case: Case, execution: Execution, toolchain: Toolchain, errors: bytes) -> Message | None:
    """Say that the status that is asked for comes of a part that could not be loaded; None when it does not."""
    found = None if case.expect.exit in ("any", "success") else search_any(toolchain.load_errors, errors)
    if found is None:
        return None
    flaw = describe_flaw(found)
    sentence = f"{toolchain.called} could not load your whole program{f': {flaw}' if flaw else ''}."
    return Message(sentence, ("partly-loaded",)).with_after(
        "status", f"The exit status {execution.status} comes from that."
    )


def _describe_signal(who: str, execution: Execution, number: int, exception: str | None) -> Message:
    try:
        cause = f"{(signal.strsignal(number) or 'signal').lower()} ({signal.Signals(number).name})"
    except ValueError:
        cause = f"signal {number}"
    if execution.crash_cause:
        return Message(f"{who} crashed: {execution.crash_cause}", ("signal", str(number), execution.crash_cause))
    said, about = describe_abort(error_tail(execution)) if number == signal.SIGABRT else ("", "")
    if said:
        return Message(f"{who} crashed: {said} (SIGABRT).", ("abort", about))
    key = ("signal", str(number), *_THROWN.findall(exception or ""))
    if execution.by_status and exception is None:
        sentence = f"{who} ended with status {execution.shell_exit_status}."
        return Message(f"{sentence} This status usually means a crash: {cause}.", key)
    return Message(f"{who} crashed: {cause}{f', {exception}' if exception else ''}.", key)


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


def _describe_exception(case: Case, execution: Execution, toolchain: Toolchain, read_line: ReadLine) -> Message:
    """Say with which exception a program ended, in which line of its own, and what that has to do with the task."""
    errors, who = _complaints(execution, toolchain), name_program(case)
    if unstarted := describe_no_start(toolchain, errors, read_line):
        return unstarted
    place, where = _find_own_line(toolchain, errors, read_line)
    if missing := describe_no_module(toolchain, errors, place, where):
        return missing
    most = _SHORT_EXCEPTION if place and not _NO_FILE.search(errors) else _MAX_EXCEPTION_LENGTH
    exception = _first_match(toolchain.crash, errors, most)
    if exception is None:
        sentence = f"{who} cannot be started: {_first_match(toolchain.cannot_start, errors)}."
        return Message(sentence, ("no-start",))
    message = Message(
        f"{who} ended with an uncaught exception: {exception}{where}.",
        ("exception", place, *(_THROWN.findall(exception) or [exception])),
    )
    if search_any(toolchain.end_of_input, errors):
        name, text = _describe_keyboard(case)
        return message.with_after(name, text or _describe_end_of_input(case, execution))
    return message


def _find_own_line(toolchain: Toolchain, errors: bytes, read_line: ReadLine) -> tuple[str, str]:
    """Return the innermost line of the student's that was being run, and its words; both empty without one."""
    frames = [found for pattern in toolchain.frames for found in re.finditer(pattern.encode(), errors)]
    for frame in reversed(frames) if toolchain.frames_inwards else frames:
        place = f"{frame['file'].decode()}:{frame['line'].decode()}"
        if where := describe_line(place, read_line):
            return place, where
    return "", ""


def hint_no_stdin(message: Message, case: Case, execution: Execution, wanted: Wanted | None) -> Message:
    """Say that there is no more input, or no keyboard, when a wrong program asked for unexpected input."""
    if wanted and any(leaf.is_selective for leaf in wanted.asked.leaves):
        return message  # such a line may be in every right output
    expected = wanted.values if wanted else ()
    request = last_request(execution.stdout)
    if case.stdin:
        if not request or any(request in value for value in expected):
            return message
        asked = quote(request, most=MAX_SOURCE_LENGTH)
        lines = count(line_count(case.stdin), "line")
        return message.with_after(
            "asks", f"Your program's last output asks for input ({asked}); its input has {lines}."
        )
    asks = (request or asks_for_input(execution.stdout)) and not any(map(asks_for_input, expected))
    return message.with_after(*_describe_keyboard(case)) if asks else message


def _describe_end_of_input(case: Case, execution: Execution) -> str:
    """Say that a program has read more than there was, and what it had asked for then; nothing where it had none."""
    request = last_request(execution.stdout)
    asked = f" when it asked {quote(request, most=MAX_FILE_NAME_LENGTH)}" if request else ""
    return f"Its input ({count(line_count(case.stdin), 'line')}) had ended{asked}." if case.stdin else ""


def _describe_keyboard(case: Case) -> tuple[str, str]:
    """Return a remark on where the input comes from, of a program that reads the keyboard; no text where it may."""
    if case.stdin or kind_of(case).has_input:
        return "input", ""
    if case.command or not case.args:
        return NO_INPUT, "Your program reads input, but there is none."
    given = quote(" ".join(case.args), most=MAX_FILE_NAME_LENGTH)
    if any(arg.isdecimal() for arg in case.args):
        return "arguments", f"Do not read the number from the keyboard: it is an argument ({given})."
    return "arguments", f"Do not read from the keyboard: the input is in the arguments ({given})."
