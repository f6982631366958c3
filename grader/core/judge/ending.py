"""How a program ended, when that decides all: at a limit, for want of memory, by a signal or by an exception.

Each sentence says what a student can look for: what was printed until then, the line of the program that failed, and
that the program has no keyboard input.
"""

import re
import signal

from grader.core.comparators.base import Wanted
from grader.core.deviations.normalise import line_count
from grader.core.deviations.prompts import asks_for_input, last_request
from grader.core.diagnosis import ReadLine
from grader.core.judge.outputs import name_program, shell_status
from grader.core.judge.sanitizer_report import describe_abort, describe_sanitizer
from grader.core.judge.unstarted import (
    MAX_FILE_NAME_LENGTH,
    MAX_SOURCE_LENGTH,
    describe_flaw,
    describe_line,
    describe_unstarted,
    is_unstarted,
    search_any,
)
from grader.core.kind import kind_of
from grader.core.lazy import lazy_regex
from grader.core.limits import exceeded_sentence
from grader.core.model.execution import Execution
from grader.core.model.judgement import CauseKind, Message, Settled, Verdict
from grader.core.model.spec import SCREEN, STREAMS, Case
from grader.core.model.toolchain import Toolchain
from grader.core.text import count, quote, seconds, size

MAX_ERROR_TAIL_BYTES = 2**17
"""bytes of standard error in which an exception is looked for: it is the last that a program says"""
_LONG_LINE = lazy_regex(rb"(?m)^([^\n]{700})[^\n]+([^\n]{300})$")
_MAX_FIRST_BYTES = 400
_MAX_EXCEPTION_LENGTH, _SHORT_EXCEPTION = 110, 66
"""characters of an exception, and of one beside its line"""
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
_BUSY = 0.8
"""the share of its time that a program works if it never waits"""
_BUSY_MACHINE = 0.1
"""the share of its time for which a program has no processor on a machine that is too busy to call the program idle"""
_VERDICTS = {"time": Verdict.TIMEOUT, "cpu": Verdict.TIMEOUT, "memory": Verdict.MEMORY, "output": Verdict.OUTPUT}
"""of a limit; any other one counts as a crash"""
_GROWTH = "Perhaps a loop or a recursion never ends, and takes more each time."


def stopped(case: Case, execution: Execution) -> Settled | None:
    """Return the ending of an execution that was ended at a limit."""
    limits, limit = execution.limits, execution.limit
    cpu, time, most = seconds(execution.cpu), seconds(execution.time), seconds(limits.time)
    if execution.is_inconclusive:
        lack = f"was too busy to measure your program: it took {time} ({cpu} on a processor); the limit is {most}"
        if "killed_by_host" in execution.doubts:
            lack = f"ran out of memory when your program used {size(execution.memory)} of its {size(limits.memory)}"
        return Verdict.UNGRADED, Message(f"The machine {lack}. Grade it again when fewer programs run.", ("machine",))
    if limit is None:
        return None
    stream = STREAMS["stderr" if len(execution.stderr) > len(execution.stdout) else "stdout"]
    reasons = {
        "time": f"after {time} ({cpu} of processor time); the limit is {most}",
        "cpu": f"after {cpu} of processor time ({time} by the clock); the limit is {seconds(limits.cpu)}",
        "output": f"because it wrote more than {size(limits.output)} to {SCREEN if execution.screen else stream}",
    }
    verdict = _VERDICTS.get(limit, Verdict.CRASHED)
    reason = reasons.get(limit, f"because it {exceeded_sentence(limit, limits)}")
    message = Message(f"{name_program(case)} was stopped {reason}.", (limit,))
    if verdict in (Verdict.TIMEOUT, Verdict.OUTPUT) and not kind_of(case).is_on_terminal:
        return verdict, message.with_remark("progress", _until_then(case, execution))
    return verdict, message.with_remark("growth", _GROWTH if limit == "memory" else "")


def describe_disagreement(execution: Execution, verdict: Verdict) -> str:
    """Say that a run that failed was measured again with another result.

    A run that an option of ours stopped before its limit is no measurement of the program.
    """
    limits, others = execution.limits, [run for run in execution.measured if run.limit != execution.limit]
    early = [one.limit in ("time", "cpu") and getattr(one, one.limit) < getattr(limits, one.limit) for one in others]
    if all(early) or verdict in (Verdict.PASSED, Verdict.UNGRADED):
        return ""
    return f"Your program was run {len(execution.measured)} times and ended differently; the last run counts."


def _until_then(case: Case, execution: Execution) -> str:
    """Say what a program that was stopped had done: what it printed, and whether it may be in an endless loop."""
    kind = kind_of(case)
    output, where = (execution.stdout, "") if execution.stdout else (execution.stderr, " to standard error")
    tail, last, sentence = output[-_PIECE:], output.rstrip().rpartition(b"\n")[2], ""
    if not kind.has_input and (request := _repeated_request(tail)):
        return f"It asks {request} over and over, though its input has ended."
    if kind.prints_answer:
        lines = f"{count(line_count(output), 'line')}{where}, last {quote(last, most=MAX_SOURCE_LENGTH)}"
        sentence = f"It had printed {lines if last else 'nothing'}. "
    rows = tail.split(b"\n")[-_LAST_LINES - 2 : -1]
    if len(rows) >= _LAST_LINES and len(set(rows)) <= _MAX_DIFFERENT_LINES:
        return f"{sentence}It wrote the same over and over, as in an endless loop."
    is_busy = execution.limit == "time" and execution.cpu >= _BUSY * (execution.time - execution.waited)
    if execution.limit == "cpu" or is_busy:
        return f"{sentence}It was busy all the time: a loop may never end, or the method is too slow."
    what = "is probably waiting for input" if kind.has_input else "slept, or waited for what did not come"
    idle = f"It was idle most of the time: it {what}."
    return f"{sentence}{idle if execution.limit == 'time' and _is_idle(execution) else ''}".rstrip()


def _repeated_request(tail: bytes) -> str:
    """Quote what a program asks for again and again at the end of an output; or ""."""
    # It may be stopped in the middle of one.
    request = last_request(tail[: max(map(tail.rfind, (b":", b"?", b">", b"=", b"\n"))) + 1])
    return quote(request, most=MAX_FILE_NAME_LENGTH) if request and tail.count(request) >= _LAST_LINES else ""


def _is_idle(execution: Execution) -> bool:
    """Whether a program used little of the processor that it could have had, and mostly did not even ask for it.

    On a virtual machine that gets no processor itself, only the states of the threads show that.
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
    if not is_allowed and _is_out_of_memory(execution, toolchain, errors):
        return _out_of_memory(who, execution)
    if reported := _judge_sanitizer(case, execution, toolchain, errors, read_line):
        return reported
    crash = (*toolchain.crash, *toolchain.unreadable) if _is_uncaught(toolchain, errors) else ()
    exception, message = no_start or _first_match(crash, errors), None
    if execution.signal is not None:
        message = _describe_signal(who, execution, errors, exception)
    elif exception is None:
        message = _describe_partly_loaded(case, toolchain, errors)
    elif not is_allowed or is_unstarted(toolchain, errors):
        message = _describe_exception(case, execution, toolchain, errors, read_line)
    return (Verdict.CRASHED, message) if message else None


def _judge_sanitizer(
    case: Case, execution: Execution, toolchain: Toolchain, errors: bytes, read_line: ReadLine
) -> Settled | None:
    """Return the ending where a sanitizer of the compiler ended a program, or gave it its status."""
    who = name_program(case)
    if not any("Sanitizer" in pattern or "DATA RACE" in pattern for pattern in toolchain.crash):
        return None  # in other languages such words are a program's own
    if b"SUMMARY: AddressSanitizer: out-of-memory" in errors or b"Sanitizer: Out of memory" in errors:
        return _out_of_memory(who, execution)
    found = describe_sanitizer(who, errors, read_line, is_wanted=_asks_status(case, execution))
    is_allowed = case.expect.crash == "allowed" and execution.signal is None
    return (Verdict.CRASHED, found) if found and not is_allowed else None


def cause_of_end(ending: Settled, execution: Execution, toolchain: Toolchain) -> CauseKind | None:
    """Return why a program that ended so did not do its work; None where a limit ended it, or where it did."""
    verdict, message = ending
    if verdict is not Verdict.CRASHED or execution.limit:
        return None
    errors = _complaints(execution, toolchain)
    if "unreadable" in message.key[:1] or search_any(toolchain.unreadable, errors):
        return "unreadable"
    return "cannot-start" if is_unstarted(toolchain, errors) else "crashed"


def _complaints(execution: Execution, toolchain: Toolchain) -> bytes:
    """Return the end of what a program complained of, without the middle of very long lines.

    Patterns of languages are searched in it, whose time may grow with the square of a line's length.
    """
    first = execution.stdout[:_MAX_FIRST_BYTES]
    if not execution.stderr and search_any(toolchain.cannot_start, first):
        return first  # Rscript says there that there is no program
    return _LONG_LINE.sub(rb"\1\2", execution.complaints[-MAX_ERROR_TAIL_BYTES:])


def _is_out_of_memory(execution: Execution, toolchain: Toolchain, errors: bytes) -> bool:
    """Whether an uncaught exception, or a signal, says that memory ran out; a program may name what it caught."""
    if execution.signal is None:
        found = [re.search(pattern.encode(), errors) for pattern in toolchain.crash]
        starts = [one.start() for one in found if one]
        if not starts or not _is_uncaught(toolchain, errors):
            return False
        errors = errors[errors.rfind(b"\n", 0, min(starts)) + 1 :]
    return _first_match(toolchain.out_of_memory, errors) is not None


def _out_of_memory(who: str, execution: Execution) -> Settled:
    message = Message(f"{who} ran out of memory (it may use {size(execution.limits.memory)}).", ("memory",))
    return Verdict.MEMORY, message.with_remark("growth", _GROWTH)


def _is_uncaught(toolchain: Toolchain, errors: bytes) -> bool:
    """Whether what looks like an exception is not one that the program caught and printed."""
    return not toolchain.uncaught or search_any(toolchain.uncaught, errors) is not None


def _asks_status(case: Case, execution: Execution) -> bool:
    return isinstance(case.expect.exit, tuple) and shell_status(case, execution) in case.expect.exit


def _is_wanted(case: Case, execution: Execution, toolchain: Toolchain) -> bool:
    """Whether this very signal is asked for, or a failure, and the status is one that no exception leaves."""
    if execution.signal is not None:
        return _asks_status(case, execution)
    if case.expect.exit in ("any", "success") or case.command:
        return False  # a command such as make has a status of its own for the failure of another
    return bool(toolchain.crash_status) and execution.status not in toolchain.crash_status


def _describe_partly_loaded(case: Case, toolchain: Toolchain, errors: bytes) -> Message | None:
    """Say that the status that is asked for comes of a part that could not be loaded; None when it does not."""
    found = None if case.expect.exit in ("any", "success") else search_any(toolchain.load_errors, errors)
    if found is None:
        return None
    flaw = describe_flaw(found)
    sentence = f"{toolchain.title} could not load your whole program{f': {flaw}' if flaw else ''}."
    return Message(sentence, ("partly-loaded",))


def _describe_signal(who: str, execution: Execution, errors: bytes, exception: str | None) -> Message:
    number = execution.signal or 0
    names = {one.value: f"{(signal.strsignal(one) or 'signal').lower()} ({one.name})" for one in signal.Signals}
    cause = names.get(number, f"signal {number}")
    key = ("signal", str(number), *_THROWN.findall(exception or ""))
    said, about = describe_abort(errors) if number == signal.SIGABRT else ("", "")
    if execution.crash_cause:
        cause, key = execution.crash_cause.removesuffix("."), ("signal", str(number), execution.crash_cause)
    elif said:
        cause, key = f"{said} (SIGABRT)", ("abort", about)
    elif exception:
        cause = f"{cause}, {exception}"
    return Message(f"{who} crashed: {cause}.", key)


def _first_match(patterns: tuple[str, ...], errors: bytes, most: int = _MAX_EXCEPTION_LENGTH) -> str | None:
    """Quote the text of an exception, from the first pattern's match to the end of the line, without a prompt."""
    for pattern in patterns:
        if found := re.search(pattern.encode(), errors, re.MULTILINE):
            line = errors[found.start() :]
            if line.startswith(b"Traceback"):
                # Python names the exception last, in the line after the last frame.
                last = re.search(rb"\n(?=[^\s])([^\n]*)", line[line.rfind(b"\nTraceback") + 1 :])
                line = last[1] if last else b"Traceback"
            line = _THREAD.sub(b"", line.partition(b"\n")[0])
            return quote(_REASON.sub(": … because ".encode(), line, count=1) if len(line) > most else line, most=most)
    return None


def _describe_exception(
    case: Case, execution: Execution, toolchain: Toolchain, errors: bytes, read_line: ReadLine
) -> Message:
    """Say with which exception a program ended, in which line of its own, and what that has to do with the task."""
    who = name_program(case)
    place, where = own = _find_own_line(toolchain, errors, read_line)
    if unstarted := describe_unstarted(toolchain, errors, own, read_line):
        return unstarted
    most = _SHORT_EXCEPTION if place and not _NO_FILE.search(errors) else _MAX_EXCEPTION_LENGTH
    exception = _first_match(toolchain.crash, errors, most)
    if exception is None:
        sentence = f"{who} cannot be started: {_first_match(toolchain.cannot_start, errors)}."
        return Message(sentence, ("no-start",))
    message = Message(
        f"{who} ended with an uncaught exception: {exception}{where}.",
        ("exception", place, *(_THROWN.findall(exception) or [exception])),
    )
    is_over = search_any(toolchain.end_of_input, errors)
    return message.with_remark("input", _describe_input(case, execution)) if is_over else message


def _find_own_line(toolchain: Toolchain, errors: bytes, read_line: ReadLine) -> tuple[str, str]:
    """Return the innermost line of the student's that was being run, and its words; both empty without one."""
    frames = [found for pattern in toolchain.frames for found in re.finditer(pattern.encode(), errors)]
    frames = frames[:: -1 if toolchain.frames_inwards else 1]
    places = (f"{frame['file'].decode()}:{frame['line'].decode()}" for frame in frames)
    return next(((place, where) for place in places if (where := describe_line(place, read_line))), ("", ""))


def hint_no_stdin(message: Message, case: Case, execution: Execution, wanted: Wanted | None) -> Message:
    """Say that there is no more input, or no keyboard, when a wrong program asked for unexpected input."""
    if wanted and any(leaf.is_selective for leaf in wanted.asked.leaves):
        return message  # such a line may be in every right output
    is_asking = last_request(execution.stdout) or (not case.stdin and asks_for_input(execution.stdout))
    if not is_asking or any(map(asks_for_input, wanted.values if wanted else ())):
        return message
    return message.with_remark("input", _describe_input(case, execution))


def _describe_input(case: Case, execution: Execution) -> str:
    """Say where the input comes from, of a program that asks for more; nothing where it may."""
    if case.stdin:
        request = last_request(execution.stdout)
        asked = f" ({quote(request, most=MAX_FILE_NAME_LENGTH)})" if request else ""
        return f"It asks for more input{asked} than there is ({count(line_count(case.stdin), 'line')})."
    if kind_of(case).has_input:
        return ""
    if case.command or not case.args:
        return f"Your program reads input, but there is none{'' if case.command else ', and no argument'}."
    given = quote(" ".join(case.args), most=MAX_FILE_NAME_LENGTH)
    return f"Do not read from the keyboard: the input is in the arguments ({given})."
