"""Why a signal ended a program in machine code, by a run under valgrind, which knows the line and the access."""

import signal
from collections.abc import Mapping, Sequence

from grader.core.diagnosis import ReadLine
from grader.core.judge.sanitizer_report import describe_abort
from grader.core.model.execution import Execution
from grader.core.text import one_line, quote
from grader.kinds.memory_clean.judge import describe_actor, describe_fault, line_of
from grader.kinds.memory_clean.model import FatalSignal, MemoryFault, Sighting

_NAMES = ("SEGV", "BUS", "FPE", "ILL", "ABRT", "TRAP", "SYS", "TERM", "INT", "HUP", "QUIT", "USR1", "USR2")
EXPLAINED = frozenset(signal.Signals[f"SIG{name}"] for name in _NAMES)
_MILD = ("UninitCondition", "FishyValue")  # faults that end no program
STACK_BYTES = 64 * 2**20  # of a program's stack, as without valgrind
_STACK_START = 0x1FFF001000 - STACK_BYTES
"""of the main thread, under valgrind on machines of 64 bits (pub_core_aspacemgr.h)"""
_NEAR_BYTES = 2**20  # the most that a call takes of the stack, as a rule: what misses its end by more is an array
_MAX_NAME_LENGTH = 60
_DENIED = 2  # SEGV_ACCERR: the address is the program's, and the access is not allowed
_ACTIONS: Mapping[tuple[int, bool], str] = {
    (signal.SIGSEGV, True): "writes to memory that can only be read, such as a string constant",
    (signal.SIGFPE, False): "divides by zero (or the smallest int by -1)",
    (signal.SIGBUS, False): "accesses a mapped file behind its end",
    (signal.SIGILL, False): "reaches an instruction that does not exist",
}
"""a signal, and whether an access was denied -> what a program does that gets it"""
_WITHOUT_LINE = " Compile it with -g to see the line."


def describe_crash(
    execution: Execution, fatal: FatalSignal | None, faults: Sequence[MemoryFault], read_line: ReadLine
) -> str:
    """Return why a signal ended a program, by what valgrind saw; "" where that is unknown."""
    name = signal.Signals(execution.signal or 0).name
    said = describe_abort(execution.complaints)[0] if execution.signal == signal.SIGABRT else ""
    if fatal and fatal.number == execution.signal:
        cause, where = _describe_end(fatal, faults, said, read_line)
        hint = _WITHOUT_LINE if where and any(call.function for call in where.calls) and not line_of(where) else ""
        return f"{cause} ({name}).{hint}" if cause else ""
    if fatal or not (damage := next((fault for fault in faults if fault.kind not in _MILD), None)):
        return ""
    described = f"{describe_actor(damage.what, read_line)} {describe_fault(damage)}"
    hint = "" if line_of(damage.what) else _WITHOUT_LINE
    if damage.kind == "InvalidFree" and execution.signal == signal.SIGABRT:
        return f"{described} ({name}).{hint}"
    seen = said or (signal.strsignal(execution.signal or 0) or "").lower()
    return f"{seen} ({name}). Under valgrind it does not crash, but {described}.{hint}"


def _describe_end(
    fatal: FatalSignal, faults: Sequence[MemoryFault], said: str, read_line: ReadLine
) -> tuple[str, Sighting | None]:
    """Describe what a program did when the signal ended it; and the place, where it is not part of what it `said`."""
    where, actor, name = fatal.where, describe_actor(fatal.where, read_line), _name_innermost(fatal.where)
    # A loop may have been at the same fault for a while.
    here = [one for one in faults if one.kind not in _MILD and one.what.calls[:1] == where.calls[:1]]
    if "__stack_chk_fail" in fatal.functions:
        text = f"it wrote past the end of an array on the stack{f', of the function {name}' if name else ''}"
    elif said:
        needs_place = "assertion" not in said and line_of(where)
        return f"{said}; it comes from {actor}" if needs_place else said, None
    elif fatal.code <= 0:
        text = f"{actor} {'calls abort()' if 'abort' in fatal.functions else 'sends it this signal'}"
    elif fatal.number == signal.SIGSEGV and _STACK_START - 2**32 < fatal.address < _STACK_START + 4096:
        text = f"the recursion in {name or 'it'} does not end, or goes too deep: the stack is full"
        if fatal.address < _STACK_START - _NEAR_BYTES or name.startswith("`main`"):
            text = f"{actor} needs more than the stack has: its arrays are too large for local variables"
    elif here and fatal.number != signal.SIGFPE:
        return f"{describe_actor(here[0].what, read_line)} {describe_fault(here[0])}", here[0].what
    else:
        action = _ACTIONS.get((fatal.number, fatal.number == signal.SIGSEGV and fatal.code == _DENIED), "")
        text = action and f"{actor} {action}"
    return text, where


def _name_innermost(where: Sighting) -> str:
    """Return the function in which something was seen, and its place; "" where that is unknown."""
    if not where.calls:
        return ""
    call = where.calls[0]
    place = f" ({one_line(call.file)}:{call.line})" if call.file and call.line else ""
    return f"{quote(call.function or '?', most=_MAX_NAME_LENGTH)}{place}"
