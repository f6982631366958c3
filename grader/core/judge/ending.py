"""How a program ended, when that decides all: at a limit, for want of memory, by a signal or by an exception.

Each sentence says what a student can look for: what was printed until then, the line of the program that failed, and
that the program has no keyboard input.
"""

import re
import signal
from pathlib import Path

from grader.core.comparators.base import Wanted
from grader.core.deviations.sentences import asks_for_input, last_request, line_count
from grader.core.diagnosis import ReadLine, describe_encoding, name_command
from grader.core.errors import HostError
from grader.core.kind import kind_of
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution
from grader.core.model.limits import exceeded_sentence
from grader.core.model.report import CauseKind, Message, Settled, Verdict
from grader.core.model.spec import SCREEN, STREAMS, Case, Toolchain
from grader.core.model.values import decode_json
from grader.core.notebook import describe_place
from grader.core.text import capital, count, one_line, quote, seconds, size

_MAX_FLAW_LENGTH, MAX_FILE_NAME_LENGTH, MAX_SOURCE_LENGTH = 66, 24, 40  # characters of a flaw, a file's name, a line
_FILE = lazy_regex(r"[\w$][\w$. -]{0,99}(?:, cell \d{1,9})?", re.ASCII)
_LINE = lazy_regex(r"[0-9]{1,7}")
_HEAD = lazy_regex(r"package\s+[\w.]+\s*;|(?:(?:public|final|abstract)\s+)*class\s+(?P<name>\w+)", re.ASCII)
_HEAD_LINES = 60  # lines of a source among which a package line or a class is looked for, below a licence


def is_unstarted(toolchain: Toolchain, errors: bytes) -> bool:
    """Whether nothing of the program ran: it is not in its language, or there is nothing to start."""
    patterns = (*toolchain.unreadable, *toolchain.cannot_start, *toolchain.no_main, *toolchain.no_class)
    return search_any((*patterns, *toolchain.no_module), errors) is not None


def search_any(patterns: tuple[str, ...], errors: bytes) -> re.Match[bytes] | None:
    """Return what the first of the patterns that matches finds."""
    return next((match for pattern in patterns if (match := re.search(pattern.encode(), errors))), None)


def describe_unreadable(toolchain: Toolchain, errors: bytes, read_line: ReadLine) -> Message | None:
    """Say where a program is not in its language at all; None when it is not known to be so."""
    if (match := search_any(toolchain.unreadable, errors)) is None:
        return None
    parts = _parts_of(match)
    name, line = parts.get("file", "").rpartition("/")[2], parts.get("line", "")
    saved = describe_encoding(name, int(line or 1), parts["error"], read_line) if name else ""
    sentence = f"{toolchain.title} cannot read your program: {saved or describe_flaw(match)}."
    return Message(sentence, ("unreadable", name, line))


def describe_flaw(match: re.Match[bytes]) -> str:
    """Describe an error by the groups of a pattern, with its place; "" when the pattern names none."""
    parts = _parts_of(match)
    if not parts.get("error"):
        return ""
    file, source = parts.get("file", "").rpartition("/")[2], parts.get("source", "").strip()
    place = describe_place(file, parts["line"], MAX_FILE_NAME_LENGTH) if file else f"line {parts['line']}"
    shown = f", {quote(source, most=MAX_SOURCE_LENGTH)}" if source else ""
    return f"{quote(parts['error'], most=_MAX_FLAW_LENGTH)} in {place}{shown}"


def _parts_of(match: re.Match[bytes]) -> dict[str, str]:
    return {name: (part or b"").decode(errors="backslashreplace") for name, part in match.groupdict().items()}


def describe_unstarted(
    toolchain: Toolchain, errors: bytes, own: tuple[str, str], read_line: ReadLine
) -> Message | None:
    """Say why a program did not run at all, or only up to its `own` line, a place and its words; None when it ran."""
    if unreadable := describe_unreadable(toolchain, errors, read_line):
        return unreadable
    if match := search_any(toolchain.no_main, errors):
        advice = "; write `public static void main(String[] args)`" if toolchain.name == "java" else ""
        shown = quote(match["name"], most=MAX_FILE_NAME_LENGTH)
        return Message(f"{shown} has no `main` that can be started{advice}.", ("no-main", one_line(match["name"])))
    if match := search_any(toolchain.no_class, errors):
        name = one_line(match["name"])
        places = (f"{name.rpartition('.')[2]}.java:{line}" for line in range(1, _HEAD_LINES + 1))
        head = next(((place, row) for place in places if (row := _HEAD.match(source_at(place, read_line)))), None)
        why = ""
        if head:
            class_name, where = head[1]["name"], describe_line(head[0], read_line)
            packed = f": it is in a package{where}, so take that line out"
            why = f": the class is called {quote(class_name)}{where}" if class_name else packed
        return Message(f"There is no class {quote(name, most=MAX_FILE_NAME_LENGTH)} to start{why}.", ("no-class", name))
    if match := search_any(toolchain.no_module, errors):
        name = quote(match["name"], most=MAX_SOURCE_LENGTH)
        return Message(f"Your program imports {name}{own[1]}; it is not installed here.", ("no-module", own[0]))
    return None


def describe_line(place: str, read_line: ReadLine) -> str:
    """Say which line of the student's that is, `A.java:7`, with its text; empty when there is none."""
    file, _, line = place.rpartition(":")
    source = source_at(place, read_line)
    shown = describe_place(file, line, MAX_FILE_NAME_LENGTH)
    return f" in {shown}, {quote(source, most=MAX_SOURCE_LENGTH)}" if source else ""


def source_at(place: str, read_line: ReadLine) -> str:
    """Return the text of that line; empty when the source has no such line."""
    file, _, line = place.rpartition(":")
    return read_line(file, int(line)).strip() if _FILE.fullmatch(file) and _LINE.fullmatch(line) else ""


_REPORT_HEAD = lazy_regex(
    rb"(?m)^(?:(?:==\d+==(?:ERROR|WARNING)|WARNING): (?P<tool>(?:Address|Leak|Thread|Memory)Sanitizer): "
    rb"|WARNING: DATA RACE$)"
)
_SUMMARY = lazy_regex(
    rb"(?m)^SUMMARY: \w+Sanitizer: (?:(?P<kind>[a-zA-Z-]+(?: [a-z-]+){0,6}?)(?: \S*[/(.]|$)|\d+ byte\(s\) leaked)"
)
_UNDEFINED = lazy_regex(
    rb"(?m)^(?P<file>[^\s:][^:\n]{0,300}):(?P<line>\d{1,7}):\d{1,7}: runtime error: (?P<what>[^\n]{1,400})$"
    rb"(?=(?:\nSUMMARY: [^\n]*)?\s*\Z)"
)
_FRAME = lazy_regex(
    rb"(?m)^ +(?:#\d{1,4} (?:0x[0-9a-f]+ in )?)?(?P<function>[^\n]{1,400}?)(?: |\(\)\n +)"
    rb"(?P<file>[^\s:()]{1,400}):(?P<line>\d{1,7})(?:[: ][^\n]*)?$"
)
"""of a sanitizer, or of Go, which writes the place below the function"""
_FOREIGN = lazy_regex(rb"/usr/|/lib|\.\./")  # files of the C library and of the sanitizer itself
_MAX_REPORT_BYTES = 2**14  # of a report, in which the place is looked for
_MAX_FAULT_LENGTH, _MAX_FUNCTION_LENGTH = 80, 40


def _faults() -> dict[str, dict[str, str]]:  # read only where a program crashed
    return decode_json(Path(__file__).with_name("faults.json").read_bytes(), dict[str, dict[str, str]])


def describe_sanitizer(who: str, errors: bytes, read_line: ReadLine, *, is_wanted: bool = False) -> Message | None:
    """Return what to say of the fault for which a sanitizer ended a program, or gave it a status; None for none.

    UndefinedBehaviorSanitizer may go on, and leave a program its own status, which may be the one that `is_wanted`.
    """
    head, undefined = _REPORT_HEAD.search(errors), None if is_wanted else _UNDEFINED.search(errors)
    if head is None and undefined:
        place, where = _describe_place(undefined, read_line)
        what = f"{quote(undefined['what'], most=_MAX_FAULT_LENGTH)} (UndefinedBehaviorSanitizer)"
        return Message(f"{who} does what is undefined{where}: {what}.", ("undefined", place))
    if head is None:
        return None
    report, is_go = errors[head.start() :], head["tool"] is None
    summary = _SUMMARY.search(report)
    kind = "data race" if is_go else (summary["kind"] or b"leak").decode() if summary else "unknown"
    own = next((it for it in _FRAME.finditer(report[:_MAX_REPORT_BYTES]) if not _FOREIGN.match(it["file"])), None)
    place, where = _describe_place(own, read_line) if own else ("", "")
    inside = f" in {quote(own['function'], most=_MAX_FUNCTION_LENGTH)}" if own else ""
    tool = "`go -race`" if is_go else head["tool"].decode()
    sentence = f"{who} {_faults()['faults_of_sanitizers'].get(kind, 'has a fault')}{where} ({kind}{inside}, {tool})."
    message = Message(sentence, ("sanitizer", kind, place))
    return message.with_remark("unflushed", "Output that it had not flushed is lost." if kind == "leak" else "")


def _describe_place(match: re.Match[bytes], read_line: ReadLine) -> tuple[str, str]:
    """Return the place that a report names, `a.c:7`, and the words for it."""
    place = b":".join((match["file"].rpartition(b"/")[2], match["line"])).decode(errors="backslashreplace")
    return place, describe_line(place, read_line) or f" at {quote(place)}"


def describe_abort(errors: bytes) -> tuple[str, str]:
    """Return why a program was aborted, and the part that distinguishes causes; both empty when it did not say."""
    for pattern, sentence in _faults()["aborts"].items():
        if match := re.search(pattern.encode(), errors):
            parts = {name: quote(part, most=_MAX_FAULT_LENGTH) for name, part in match.groupdict().items()}
            place = one_line(match["place"]) if "place" in parts else ""
            return sentence.format(**{**parts, "place": place}), place or parts.get("type", "")
    return "", ""


MAX_ERROR_TAIL_BYTES, _MAX_FIRST_BYTES = 2**17, 400  # of errors, at whose end an exception is; of an output
_LONG_LINE = lazy_regex(rb"(?m)^([^\n]{700})[^\n]+([^\n]{300})$")
_MAX_EXCEPTION_LENGTH, _SHORT_EXCEPTION = 110, 66  # characters of an exception, and of one beside its line
_LAST_LINES, _MAX_DIFFERENT_LINES, _MARK = 40, 4, 40  # lines that show a loop, how many may differ, bytes to find it
_THREAD = lazy_regex(rb'^Exception in thread "[^"\n]*" ')
_REASON = lazy_regex(rb": [^\n]{1,400}? because ")  # of an exception that says which variable is to blame
_THROWN = lazy_regex(r"\b[A-Za-z_]\w*(?:Exception|Error|Interrupt|Exit)\b")
_NO_FILE = lazy_regex(rb"No such file or directory")  # of an exception whose end has the name of a file
_PIECE = 2**16  # bytes of an output that are looked at together
_BUSY, _BUSY_MACHINE = 0.8, 0.1  # shares of its time: at work, if it never waits; without a processor, unless idle
_VERDICTS = {"time": Verdict.TIMEOUT, "cpu": Verdict.TIMEOUT, "memory": Verdict.MEMORY, "output": Verdict.OUTPUT}
"""of a limit; any other one counts as a crash"""
_GROWTH = "Perhaps a loop or a recursion never ends, and takes more each time."


def stopped(case: Case, execution: Execution) -> Settled | None:
    """Return the ending of an execution that was ended at a limit."""
    limits, limit, late = execution.limits, execution.limit, execution.time > 2 * execution.limits.time
    if limit is None and not execution.is_inconclusive:
        return None
    cpu, time, most = seconds(execution.cpu), seconds(execution.time), seconds(limits.time)
    if limit is None or execution.is_inconclusive:
        lack = f"was too busy to measure your program: it took {time} ({cpu} on a processor); the limit is {most}"
        if "killed_by_host" in execution.doubts:
            lack = f"ran out of memory when your program used {size(execution.memory)} of its {size(limits.memory)}"
        return Verdict.UNGRADED, Message(f"The machine {lack}. Grade it again when fewer programs run.", ("machine",))
    stream = STREAMS["stderr" if len(execution.stderr) > len(execution.stdout) else "stdout"]
    reasons = {
        "time": f"after {time} ({cpu} of processor time); the limit is {most}{', longer on a busy machine' * late}",
        "cpu": f"after {cpu} of processor time ({time} by the clock); the limit is {seconds(limits.cpu)}",
        "output": f"because it wrote more than {size(limits.output)} to {SCREEN if execution.screen else stream}",
    }
    verdict = _VERDICTS.get(limit, Verdict.CRASHED)
    reason = reasons.get(limit, f"because it {exceeded_sentence(limit, limits)}")
    message = Message(f"{name_program(case)} was stopped {reason}.", (limit,))
    if verdict in (Verdict.TIMEOUT, Verdict.OUTPUT) and not kind_of(case).is_on_terminal:
        return verdict, message.with_remark("progress", _until_then(case, execution))
    return verdict, message.with_remark("growth", _GROWTH if limit == "memory" else "")


def _until_then(case: Case, execution: Execution) -> str:
    """Say what a stopped program had done: what it printed, and whether it may have an endless loop."""
    kind = kind_of(case)
    output, where = (execution.stdout, "") if execution.stdout else (execution.stderr, " to standard error")
    is_cut = execution.limit == "output" and b"\n" in output[-_MAX_FIRST_BYTES:]  # in the middle of its last line
    whole = output[: output.rfind(b"\n") + 1] if is_cut else output
    tail, last, sentence = output[-_PIECE:], whole.rstrip().rpartition(b"\n")[2], ""
    if not kind.has_input and (request := _repeated_request(whole[-_PIECE:])):
        return f"It asks {request} over and over, though its input has ended."
    if kind.prints_answer:
        lines = f"{count(line_count(whole), 'line')}{where}, last {quote(last, most=MAX_SOURCE_LENGTH)}"
        sentence = f"It had printed {lines if last else 'nothing but blanks' if output else 'nothing'}. "
    rows, period = tail.split(b"\n")[-_LAST_LINES - 2 : -1], tail.find(tail[:_MARK], 1)
    is_periodic = len(tail) == _PIECE and period > 0 and tail.startswith(tail[period:])
    if is_periodic or (len(rows) >= _LAST_LINES and len(set(rows)) <= _MAX_DIFFERENT_LINES):
        return f"{sentence}It wrote the same over and over, as in an endless loop."
    is_busy = execution.limit == "time" and execution.cpu >= _BUSY * (execution.time - execution.waited)
    if execution.limit == "cpu" or is_busy:
        return f"{sentence}It was busy all the time: a loop may never end, or the method is too slow."
    what = "is probably waiting for input" if kind.has_input else "slept, or waited for what did not come"
    is_idle = execution.limit == "time" and _is_idle(execution)
    return f"{sentence}It was idle most of the time: it {what}." if is_idle else sentence.rstrip()


def _repeated_request(tail: bytes) -> str:
    """Quote what a program asks for again and again at the end of an output; or ""."""
    # It may be stopped in the middle of one.
    request = last_request(tail[: max(map(tail.rfind, (b":", b"?", b">", b"=", b"\n"))) + 1])
    return quote(request, most=MAX_FILE_NAME_LENGTH) if request and tail.count(request) >= _LAST_LINES else ""


def _is_idle(execution: Execution) -> bool:
    """Whether a program used little of the processor that it could have had, and mostly did not even ask for it.

    On a virtual machine that gets no processor itself, only the states of the threads show that.
    """
    was_asleep = execution.slept is None or execution.slept >= _BUSY
    is_quiet_machine = execution.waited <= _BUSY_MACHINE * execution.time
    return execution.cpu <= (1 - _BUSY) * (execution.time - execution.waited) and was_asleep and is_quiet_machine


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
    if not any("Sanitizer" in pattern or "DATA RACE" in pattern for pattern in toolchain.crash):
        return None  # in other languages such words are a program's own
    if b"SUMMARY: AddressSanitizer: out-of-memory" in errors or b"Sanitizer: Out of memory" in errors:
        return _out_of_memory(name_program(case), execution)
    message = describe_sanitizer(name_program(case), errors, read_line, is_wanted=_asks_status(case, execution))
    is_allowed = case.expect.crash == "allowed" and execution.signal is None
    return (Verdict.CRASHED, message) if message and not is_allowed else None


def cause_of_end(ending: Settled, execution: Execution, toolchain: Toolchain) -> CauseKind | None:
    """Return why a program did not do its work; None where it did, or where a limit ended it."""
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
        starts = [it.start() for pattern in toolchain.crash if (it := re.search(pattern.encode(), errors))]
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
    """Say that the right status is that of a program that could not be loaded whole; None when it could."""
    match = None if case.expect.exit in ("any", "success") else search_any(toolchain.load_errors, errors)
    if match is None:
        return None
    why = f": {flaw}" if (flaw := describe_flaw(match)) else ""
    return Message(f"{toolchain.title} could not load your whole program{why}.", ("partly-loaded",))


def _describe_signal(who: str, execution: Execution, errors: bytes, exception: str | None) -> Message:
    number = execution.signal or 0
    names = {one.value: f"{(signal.strsignal(one) or 'signal').lower()} ({one.name})" for one in signal.Signals}
    cause = names.get(number, f"signal {number}")
    key = ("signal", str(number), *_THROWN.findall(exception or ""))
    reason, about = describe_abort(errors) if number == signal.SIGABRT else ("", "")
    if execution.crash_cause:
        cause, key = execution.crash_cause.removesuffix("."), ("signal", str(number), execution.crash_cause)
    elif reason:
        cause, key = f"{reason} (SIGABRT)", ("abort", about)
    elif exception:
        cause = f"{cause}, {exception}"
    return Message(f"{who} crashed: {cause}.", key)


def _first_match(patterns: tuple[str, ...], errors: bytes, most: int = _MAX_EXCEPTION_LENGTH) -> str | None:
    """Quote the text of an exception, from the first pattern's match to the end of the line, without a prompt."""
    for pattern in patterns:
        if match := re.search(pattern.encode(), errors, re.MULTILINE):
            line = errors[match.start() :]
            if line.startswith(b"Traceback"):
                # Python names the exception last, in the line after the last frame.
                last = re.search(rb"\n(?=[^\s])([^\n]*)", line[line.rfind(b"\nTraceback") + 1 :])
                line = last[1] if last else b"Traceback"
            line = _THREAD.sub(b"", line.partition(b"\n")[0])
            short = _REASON.sub(": … because ".encode(), line.removeprefix(b"java.lang."), count=1)
            return quote(short if len(line) > most else line, most=most)
    return None


def _describe_exception(
    case: Case, execution: Execution, toolchain: Toolchain, errors: bytes, read_line: ReadLine
) -> Message:
    """Say which exception ended a program, in which of its own lines, and whether its input had ended."""
    who = name_program(case)
    place, where = own = _find_own_line(toolchain, errors, read_line)
    if unstarted := describe_unstarted(toolchain, errors, own, read_line):
        return unstarted
    most = _SHORT_EXCEPTION if place and not _NO_FILE.search(errors) else _MAX_EXCEPTION_LENGTH
    exception = _first_match(toolchain.crash, errors, most)
    if exception is None:
        return Message(f"{who} cannot be started: {_first_match(toolchain.cannot_start, errors)}.", ("no-start",))
    key = ("exception", place, *(_THROWN.findall(exception) or [exception]))
    message = Message(f"{who} ended with an uncaught exception: {exception}{where}.", key)
    is_over = search_any(toolchain.end_of_input, errors)
    return message.with_remark("input", _describe_input(case, execution)) if is_over else message


def _find_own_line(toolchain: Toolchain, errors: bytes, read_line: ReadLine) -> tuple[str, str]:
    """Return the innermost line of the student's that was being run, and its words; both empty without one."""
    frames = [frame for pattern in toolchain.frames for frame in re.finditer(pattern.encode(), errors)]
    from_innermost = frames[:: -1 if toolchain.frames_inwards else 1]
    places = (f"{frame['file'].decode()}:{frame['line'].decode()}" for frame in from_innermost)
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
    """Say where the input comes from, for a program that asks for more; "" where it may ask."""
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


def name_program(case: Case) -> str:
    """Return the subject of a sentence about what was run: the program, or the case's own command."""
    return capital(name_command(case.command)) if case.command else "Your program"


def shell_status(case: Case, execution: Execution) -> int:
    """Return the status as a shell reports it. Raises HostError when the runner reported neither status nor signal."""
    if execution.shell_exit_status is None:
        raise HostError(f"{case.id}: the runner told neither a status nor a signal")
    return execution.shell_exit_status
