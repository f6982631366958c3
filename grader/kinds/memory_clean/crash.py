"""Why a signal ended a program in machine code, by a run under valgrind, which knows the line and the access."""

import signal
from collections.abc import Mapping, Sequence

from grader.core.diagnosis import ReadLine
from grader.core.judge.sanitizer_report import describe_abort
from grader.core.model.execution import Execution
from grader.core.text import one_line, quote
from grader.kinds.memory_clean.judge import LAST_NULL, describe_actor, describe_fault, line_of
from grader.kinds.memory_clean.model import FatalSignal, MemoryFault, Sighting

EXPLAINED = frozenset(
    (
        *(signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGTRAP, signal.SIGSYS),
        *(signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2),
    )
)
_ACCESSES = ("InvalidRead", "InvalidWrite", "InvalidJump", "UninitValue", "SyscallParam")
_DAMAGES = ("InvalidRead", "InvalidWrite", "InvalidFree", "MismatchedFree", "SyscallParam", "Overlap")
STACK_BYTES = 64 * 2**20
"""of a program's stack, as without valgrind"""
_STACK_END = 0x1FFF001000
"""of the main thread, under valgrind on machines of 64 bits (pub_core_aspacemgr.h)"""
_STACK_START = _STACK_END - STACK_BYTES
_NEAR_BYTES = 2**20
"""the most that a call takes of the stack, as a rule: what misses its end by more is an array"""
_MAX_NAME_LENGTH = 60
_UNMAPPED, _DENIED = 1, 2
"""SEGV_MAPERR, and SEGV_ACCERR: the address is the program's, and the access is not allowed"""
_ACTIONS: Mapping[int, str] = {
    signal.SIGFPE: "divides by zero (or the smallest int by -1)",
    signal.SIGBUS: "accesses a mapped file behind its end",
    signal.SIGILL: "reaches an instruction that does not exist",
    signal.SIGTRAP: "reaches a breakpoint",
}
"""what a program does that gets a signal for it"""
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
    damage = next((fault for fault in faults if fault.kind in _DAMAGES), None)
    if fatal or damage is None:
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
    where, actor = fatal.where, describe_actor(fatal.where, read_line)
    if "__stack_chk_fail" in fatal.functions:
        inside = f", of the function {_name_innermost(where)}" if where.calls else ""
        return f"it wrote past the end of an array on the stack{inside}", where
    if said:
        needs_place = "assertion" not in said and line_of(where)
        return f"{said}; it comes from {actor}" if needs_place else said, None
    if fatal.code <= 0:
        return f"{actor} {'calls abort()' if 'abort' in fatal.functions else 'sends it this signal'}", where
    fault = _find_fault(fatal, faults)
    if full := _describe_full_stack(fatal, actor):
        return full, where
    if fault and fatal.number != signal.SIGFPE:
        return f"{describe_actor(fault.what, read_line)} {_describe_access(fault)}", fault.what
    return _describe_signal(fatal, actor), where


def _describe_full_stack(fatal: FatalSignal, actor: str) -> str:
    """Describe a stack that is full; "" where it is not."""
    if fatal.number != signal.SIGSEGV or not _STACK_START - 2**32 < fatal.address < _STACK_START + 4096:
        return ""
    innermost = fatal.where.calls[0] if fatal.where.calls else None
    if fatal.address < _STACK_START - _NEAR_BYTES or (innermost and innermost.function == "main"):
        return f"{actor} needs more than the stack has: its arrays are too large for local variables"
    if innermost is None:
        return "the stack is full: a recursion does not end, or goes too deep"
    return f"the recursion in {_name_innermost(fatal.where)} does not end, or goes too deep: the stack is full"


def _name_innermost(where: Sighting) -> str:
    call = where.calls[0]
    place = f" ({one_line(call.file)}:{call.line})" if call.file and call.line else ""
    return f"{quote(call.function or '?', most=_MAX_NAME_LENGTH)}{place}"


def _find_fault(fatal: FatalSignal, faults: Sequence[MemoryFault]) -> MemoryFault | None:
    """Return the first fault where the signal ended the program: a loop may have been at it for a while."""
    here = fatal.where.calls[:1]
    at_end = [one for one in faults if one.kind in _ACCESSES and one.what.calls[:1] == here]
    return next(iter(at_end), None)


def _describe_access(fault: MemoryFault) -> str:
    if fault.kind == "InvalidJump":
        is_null = any("Address 0x0 " in one.text for one in fault.about)
        return f"calls a function through {'a null pointer' if is_null else 'a pointer that leads to no code'}"
    return describe_fault(fault)


def _describe_signal(fatal: FatalSignal, actor: str) -> str:
    """Describe an access without a fault that valgrind found before; "" where nothing more is known."""
    if fatal.number == signal.SIGSEGV and fatal.code == _DENIED:
        return f"{actor} writes to memory that can only be read, such as a string constant"
    if fatal.number == signal.SIGSEGV:
        return f"{actor} uses a null pointer" if fatal.code == _UNMAPPED and fatal.address < LAST_NULL else ""
    return f"{actor} {_ACTIONS[fatal.number]}" if fatal.number in _ACTIONS else ""
