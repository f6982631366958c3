"""The findings of a tool that watched a program's memory -> deviations and sentences, with the faulty line."""

import re
from collections.abc import Callable, Sequence

from grader.core.diagnosis import ReadLine, no_lines
from grader.core.errors import HostError
from grader.core.judge.outputs import deviation_in
from grader.core.kind import JudgeContext, Judged
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution
from grader.core.model.judgement import CaseResult, Spot
from grader.core.model.spec import Case
from grader.core.text import capital, count, joined, one_line, quote
from grader.kinds.memory_clean.model import CodePlace, MemoryFault, Sighting, Watched, watched_of

_MAX_PLACES = 2
"""further places that a sentence names"""
_MAX_LINE_LENGTH, _MAX_NAME_LENGTH = 40, 60
LAST_NULL = 4096
"""the first bytes of the address space, never allocated: an access to them goes through a null pointer"""
_ACCESS = lazy_regex(r"Invalid (read|write) of size ([\d,]+)")
_BLOCK = lazy_regex(r"is ([\d,]+) bytes (after|before|inside) an? (?:\w+ )?block of size ([\d,]+)")
_ADDRESS = lazy_regex(r"Address 0x([0-9a-f]+) ")
_ON_STACK = lazy_regex(r"(?:is on thread|below stack pointer|thread \d+'s stack)")
_CALLED = lazy_regex(r"Syscall param ([\w.]+)\(")
_COPIED = lazy_regex(r"overlap in (\w+)")
_VALUES = {
    "UninitCondition": "depends on a value that was never set",
    "UninitValue": "uses an address or an index that was never set",
}
_OTHERS = {
    "InvalidFree": "frees a pointer that is not the start of an allocated block",
    "MismatchedFree": "frees in the wrong way what {by} allocated: malloc goes with free, new with delete, "
    "new[] with delete[]",
    "InvalidJump": "jumps to an address that holds no code",
    "FishyValue": "asks for a block of memory whose size is negative or far too large",
}
"""valgrind's name of a fault -> its description"""


def judge(case: Case, execution: Execution, _expected: Execution | None, context: JudgeContext) -> Judged:
    """Name what is wrong with how the program handled its memory, each kind once, with its first place."""
    kinds: dict[str, list[MemoryFault]] = {}
    for fault in sorted(_faults_of(execution), key=lambda fault: fault.is_leak):
        kinds.setdefault("memory-leak" if fault.is_leak else "memory-fault", []).append(fault)
    return Judged(
        deviations=tuple(
            deviation_in(case, kind, "memory", _describe_faults(found, context.read_line))
            for kind, found in kinds.items()
        )
    )


def remark_on_ending(execution: Execution, read_line: ReadLine) -> str:
    """Describe the first fault of a program that failed, but for leaks; empty where the cause of a crash is told."""
    faults = [fault for fault in _faults_of(execution) if not fault.is_leak and not execution.crash_cause]
    return f" {_describe_faults(faults, read_line)}" if faults else ""


def spots(execution: Execution, read_line: ReadLine) -> tuple[Spot, ...]:
    """Return the places of all faults in files of the work."""
    return tuple(
        Spot(
            file=place.file,
            line=place.line,
            what=_describe_faults([fault], read_line),
            source=read_line(place.file, place.line).strip(),
            rule="memory-leak" if fault.is_leak else "memory-fault",
        )
        for fault in _faults_of(execution)
        if (place := line_of(fault.what))
    )


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
    watched = watched_of(execution)
    return watched.faults if watched else ()


def _describe_faults(faults: Sequence[MemoryFault], read_line: ReadLine) -> str:
    first = faults[0]
    known = line_of(first.what)
    if first.is_leak:
        blocks = f" in {count(first.blocks, 'block')}" if first.blocks > 1 else ""
        lost = f"{count(first.bytes, 'byte')}{blocks} that {_by(first.what)} allocated"
        text = f"{lost} {'is' if first.bytes == 1 else 'are'} never freed"
    else:
        actor = describe_actor(first.what, read_line, "Your program")
        text = f"{actor if known else capital(actor)} {describe_fault(first)}"
    others = [f"{one_line(p.file)}:{p.line}" for one in faults[1:] if (p := line_of(one.what)) and p != known]
    others = list(dict.fromkeys(others))
    more = len(others) - _MAX_PLACES
    shown = [*others[:_MAX_PLACES], *([count(more, "more place")] if more > 0 else [])]
    unknown = "" if known else " Build it with -g to see the line."
    return f"{text}{f'; more in {joined(shown)}' if shown else ''}.{unknown}"


def line_of(where: Sighting) -> CodePlace | None:
    """Return the innermost place of the program's own code whose line is known."""
    return next((call for call in where.calls if call.file and call.line), None)


def describe_actor(where: Sighting, read_line: ReadLine, otherwise: str = "it") -> str:
    """Describe the code that acted, within a sentence: its line and source, or its function; or `otherwise`."""
    if place := line_of(where):
        source = read_line(place.file, place.line).strip()
        return f"{one_line(place.file)}:{place.line}{f' ({quote(source, most=_MAX_LINE_LENGTH)})' if source else ''}"
    name = next((call.function for call in where.calls if call.function), "")
    return f"the function {quote(name, most=_MAX_NAME_LENGTH)}" if name else otherwise


def _by(where: Sighting | None) -> str:
    """Name the code that acted, within a sentence: `list.c:7`."""
    return describe_actor(where, no_lines, "your program") if where else "your program"


def describe_fault(fault: MemoryFault) -> str:
    """Describe the fault, as the rest of a sentence that begins with the place."""
    about = fault.about[0] if fault.about else None
    if access := _ACCESS.match(fault.what.text):
        return f"{access[1]}s {_bytes(access[2])} {_where(fault.about)}"
    if called := _CALLED.match(fault.what.text):
        unset = f"bytes that were never set{_origin(about)}"
        lent = unset if "uninitialised" in fault.what.text else f"memory {_where(fault.about)}"
        return f"hands {called[1].partition('.')[0]}() {lent}"
    if copied := _COPIED.search(fault.what.text):
        return f"copies memory onto itself: source and destination of {copied[1]} overlap"
    if fault.kind == "InvalidFree" and about and "free'd" in about.text:
        return f"frees memory that {_by(about)} had freed already"
    if fault.kind in _VALUES:
        return _VALUES[fault.kind] + _origin(about)
    text = _OTHERS.get(fault.kind, f"is reported by valgrind: {quote(fault.what.text)}")
    return text.replace("{by}", _by(about))


def _where(about: Sequence[Sighting]) -> str:
    """Describe the memory that must not be accessed."""
    text = about[0].text if about else ""
    if block := _BLOCK.search(text):
        return _describe_block(block, about)
    if _ON_STACK.search(text):
        return "on the stack, where no variable is any more"
    if (address := _ADDRESS.match(text)) and int(address[1], 16) < LAST_NULL:
        return "through a null pointer"
    return "outside all allocated memory"


def _describe_block(block: re.Match[str], about: Sequence[Sighting]) -> str:
    distance, place, size = block[1], block[2], _bytes(block[3])
    if "free'd" in about[0].text:
        return f"in a block of {size} that {_by(about[0])} had freed"
    whose = f"a block of {size} that {_by(about[-1])} allocated"
    if place == "inside":
        return f"in {whose}, which is not allowed"
    side = "after" if place == "after" else "before"
    return f"right {side} {whose}" if distance == "0" else f"starting {_bytes(distance)} {side} {whose}"


def _origin(about: Sighting | None) -> str:
    """Describe the origin of a value that was never set; "" when it is unknown."""
    if about is None or not about.calls:
        return ""
    if "stack allocation" in about.text:
        name = about.calls[0].function
        return f", in a variable of {quote(name, most=_MAX_NAME_LENGTH)}" if name else ""
    return f", in memory that {_by(about)} allocated"


def _bytes(number: str) -> str:
    return f"{number} byte{'' if number == '1' else 's'}"
