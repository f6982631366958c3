"""The findings of a tool that watched a program's memory -> deviations and sentences, with the faulty line."""

import re
from collections.abc import Callable, Mapping, Sequence

from grader.core.diagnosis import ReadLine, no_lines
from grader.core.errors import HostError
from grader.core.judge.case import deviation_in
from grader.core.kind import JudgeContext
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, Judged, Spot
from grader.core.model.spec import Case
from grader.core.text import capital, count, joined, one_line, quote
from grader.kinds.memory_clean.model import CodePlace, MemoryFault, Sighting, Watched

_HEAD = re.compile(r"(?:struct|class)\b[^;=(]*$")  # of a class, for which C++ writes code
_MAX_PLACES = 2  # further places that a sentence names
_MAX_LINE_LENGTH, _MAX_NAME_LENGTH, _MAX_TEXT_LENGTH = 40, 60, 500
_BLOCK = r"(?:\w+ )?block of size (?P<size>[\d,]+)"
_PLACES = (
    (rf"an? {_BLOCK} free'd", "in a block of {size} that {first} had freed"),
    (rf"is 0 bytes (?P<side>after|before) an? {_BLOCK}", "right {side} a block of {size} that {last} allocated"),
    (
        rf"is (?P<distance>[\d,]+) bytes (?P<side>after|before) an? {_BLOCK}",
        "starting {distance} {side} a block of {size} that {last} allocated",
    ),
    (rf"bytes inside an? {_BLOCK}", "in a block of {size} that {last} allocated, which is not allowed"),
    (r"is on thread|below stack pointer|thread \d+'s stack", "on the stack, where no variable is any more"),
    (r"^Address 0x[0-9a-f]{1,3} ", "through a null pointer"),  # the first page is never allocated
    (r"", "outside all allocated memory"),
)
"""what valgrind says of an address -> what memory it is in"""
_FAULTS = (
    (r"Invalid (?P<access>read|write) of size (?P<size>[\d,]+)", "{access}s {size} {where}"),
    (r"Syscall param (?P<call>\w+).*uninitialised", "hands {call}() bytes that were never set"),
    (r"Syscall param (?P<call>\w+)", "hands {call}() memory {where}"),
    (r"overlap in (?P<call>\w+)", "copies memory onto itself: source and destination of {call} overlap"),
    (r"^UninitCondition", "depends on a value that was never set"),
    (r"^UninitValue", "uses an address or an index that was never set, or was overwritten"),
    (r"^InvalidFree.*free'd", "frees memory that {first} had freed already"),
    (r"^InvalidFree", "frees a pointer that is not the start of an allocated block"),
    (
        r"^MismatchedFree",
        "frees in the wrong way what {first} allocated: malloc goes with free, new with delete, new[] with delete[]",
    ),
    (r"^InvalidJump.*Address 0x0 ", "calls a function through a null pointer"),
    (r"^InvalidJump", "jumps to an address that holds no code"),
    (r"^FishyValue", "asks for a block of memory whose size is negative or far too large"),
    (r"", "is reported by valgrind: {quoted}"),
)
"""valgrind's name of a fault, and what it says of the fault and of the address -> what was done"""


def judge(case: Case, execution: Execution, _expected: Execution | None, context: JudgeContext) -> Judged:
    """Name what is wrong with how the program handled its memory, each kind once, with its first place."""
    faults = _faults_of(execution)
    kinds = {kind: [fault for fault in faults if fault.deviation == kind] for kind in ("memory-fault", "memory-leak")}
    sentences = {kind: _describe_faults(faults, context.read_line) for kind, faults in kinds.items() if faults}
    return Judged(deviations=tuple(deviation_in(case, kind, "memory", text) for kind, text in sentences.items()))


def describe(execution: Execution, read_line: ReadLine) -> tuple[str, tuple[Spot, ...]]:
    """Describe the first fault of a failed program, without leaks and explained crashes; and the places of all."""
    described = ((fault, _describe_faults([fault], read_line), line_of(fault.what)) for fault in _faults_of(execution))
    spots = tuple(
        Spot(file=at.file, line=at.line, what=what, source=read_line(at.file, at.line).strip(), rule=fault.deviation)
        for fault, what, at in described
        if at
    )
    faults = [fault for fault in _faults_of(execution) if not fault.is_leak and not execution.crash_cause]
    return _describe_faults(faults, read_line) if faults else "", spots


def confirm(result: CaseResult, watched: Watched, judge_run: Callable[[Execution], CaseResult]) -> None:
    """Return when the result of the memory check is known, or can change nothing any more.

    Raises HostError where it is unknown: where valgrind could not watch, and where the program ended differently and
    worse under it. A program can do so if it checks whether it is watched.
    """
    if watched.faults or not result.credit:
        return
    unknown = "it is unknown whether your program handles its memory correctly"
    if watched.problem or watched.execution is None:
        raise HostError(f"{unknown}: {watched.problem}")
    again = judge_run(watched.execution)
    if again.credit < result.credit:
        text = "valgrind found no fault, but the program behaved differently under it"
        raise HostError(f"{unknown}: {text}: {again.message.text}")


def _faults_of(execution: Execution) -> Sequence[MemoryFault]:
    watched = Watched.of(execution)
    return watched.faults if watched else ()


def _describe_faults(faults: Sequence[MemoryFault], read_line: ReadLine) -> str:
    first = faults[0]
    known = line_of(first.what)
    if first.is_leak:
        blocks = f" in {count(first.blocks, 'block')}" if first.blocks > 1 else ""
        lost = f"{count(first.bytes, 'byte')}{blocks} that {_actor(first.what)} allocated"
        text = f"{lost} {'is' if first.bytes == 1 else 'are'} never freed"
    else:
        actor = describe_actor(first.what, read_line, "Your program")
        text = f"{actor if known else capital(actor)} {describe_fault(first)}"
    others = [*dict.fromkeys(_actor(fault.what) for fault in faults if line_of(fault.what) not in (None, known))]
    more = [count(len(others) - _MAX_PLACES, "more place")] if len(others) > _MAX_PLACES else []
    text += f"; more in {joined([*others[:_MAX_PLACES], *more])}" if others else ""
    return f"{text}." if known else f"{text}. Build it with -g to see the line."


def line_of(where: Sighting) -> CodePlace | None:
    """Return the innermost place of the program's own code whose line is known."""
    return next((call for call in where.calls if call.file and call.line), None)


def describe_actor(where: Sighting, read_line: ReadLine, otherwise: str = "it") -> str:
    """Describe the code that acted, within a sentence: its line and source, or its function; or `otherwise`."""
    lines = ((call, read_line(call.file, call.line).strip()) for call in where.calls if call.file and call.line)
    if shown := next((line for line in lines if not _HEAD.match(line[1])), None):
        place, source = shown
        return f"{one_line(place.file)}:{place.line}{f' ({quote(source, most=_MAX_LINE_LENGTH)})' if source else ''}"
    name = next((call.function for call in where.calls if call.function), "")
    return f"the function {quote(name, most=_MAX_NAME_LENGTH)}" if name else otherwise


def _actor(where: Sighting) -> str:
    return describe_actor(where, no_lines, "your program")


def describe_fault(fault: MemoryFault) -> str:
    """Describe the fault, as the rest of a sentence that begins with the place."""
    about = fault.about or (Sighting(text=""),)
    what, where = fault.what.text[:_MAX_TEXT_LENGTH], about[0].text[:_MAX_TEXT_LENGTH]
    parts = {"first": _actor(about[0]), "last": _actor(about[-1]), "quoted": quote(what)}
    return _fill(_FAULTS, f"{fault.kind}\n{what}\n{where}", {**parts, "where": _fill(_PLACES, where, parts)})


def _fill(rows: Sequence[tuple[str, str]], text: str, parts: Mapping[str, str]) -> str:
    """Return the sentence of the first row whose pattern is found, with the parts and what the pattern named."""
    matches = ((re.search(pattern, text, re.DOTALL), sentence) for pattern, sentence in rows)
    named, sentence = next((match.groupdict(), sentence) for match, sentence in matches if match)
    sizes = {name: f"{value} byte{'s' * (value != '1')}" for name, value in named.items() if value[0].isdigit()}
    return sentence.format(**parts, **named | sizes)
