"""The further run of a program under valgrind, slower and with limits of its own, and what is read of it."""

import signal
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.diagnosis import ReadLine
from grader.core.errors import HostError
from grader.core.judge.ending import describe_abort
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.limits import LimitOverrides, exceeded_sentence
from grader.core.model.spec import Case
from grader.core.run.meter import ReportSocket
from grader.core.run.runner import limits_of
from grader.core.text import one_line, quote
from grader.kinds.memory_clean.binaries import find_unwatchable, is_machine_code
from grader.kinds.memory_clean.judge import confirm, describe, describe_actor, describe_fault, line_of
from grader.kinds.memory_clean.model import FatalSignal, MemoryFault, MemoryRule, Sighting, Watched
from grader.kinds.memory_clean.report import ProcessReport, find_fatal_signal, find_faults, read_reports

if TYPE_CHECKING:
    from grader.core.course import Attempt

__all__ = ["after_run", "confirm", "describe", "explain_crash"]

VALGRIND = "valgrind"  # the program, and the Debian package that has it
_CRASH_SECONDS = 30.0  # the most time of a run for a crash
STACK_BYTES = 64 * 2**20  # of a program's stack, as without valgrind
TOOL = (
    VALGRIND,
    "--command-line-only=yes",  # what a submission has in .valgrindrc does not count
    *("--quiet", "--xml=yes", "--xml-fd={report}", "--log-file=/dev/null", "--vgdb=no"),
    *("--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite", "--run-libc-freeres=no"),
    *("--num-callers=40", "--fair-sched=try"),
    # A program that another starts is watched too, also where a shell does. What is unloaded keeps its name.
    *("--trace-children=yes", "--keep-debuginfo=yes"),
    # With less, valgrind takes arrays on the stack for another stack, and so for unallocated memory.
    *(f"--main-stacksize={STACK_BYTES}", f"--max-stackframe={STACK_BYTES}"),
)
"""what is put in front of a command"""
TIMES_SLOWER, START_SECONDS, TIMES_TAKEN = 50, 60.0, 200
"""the most time of a run, as a multiple of its case's; seconds to start, also on a busy machine; and the most as a
multiple of the program's time without valgrind: usual are 10 to 40"""
_TIMES_MEMORY, _START_BYTES = 3, 512 * 2**20
_MAX_FAULTS, _MAX_QUOTED_BYTES = 20, 200


def after_run(execution: Execution, case: Case, launch: Launch, attempt: "Attempt", unknown: str) -> Watched | None:
    """Return the result of a run under valgrind; None where the plain run did not end by itself."""
    rule = MemoryRule.of(case)
    return watch(execution, launch, rule, partial(attempt.run, "watched"), unknown) if rule else None


def watch_memory(launch: Launch, rule: MemoryRule, plain: Execution) -> Launch:
    """Return the launch that watches how the command of a case handles its memory; `plain` is its run without that.

    A program that took a moment does not get hours here, whatever its limits: it may check whether it is watched.
    """
    limits = launch.limits
    given: LimitOverrides = {
        "time": START_SECONDS + min(TIMES_SLOWER * limits.time, TIMES_TAKEN * plain.time),
        "cpu": START_SECONDS + min(TIMES_SLOWER * limits.cpu, TIMES_TAKEN * plain.cpu),
        "memory": _START_BYTES + _TIMES_MEMORY * limits.memory,
        "output": limits.output,
        "processes": limits.processes,
    }
    slower = limits_of(given, rule.limits)
    patience = slower.time / limits.time
    steps = (replace(step, within=step.within and step.within * patience) for step in launch.dialogue)
    return replace(
        launch, tool=TOOL, wires={"{report}": ReportSocket}, argv_untuned=(), limits=slower, dialogue=tuple(steps)
    )


def watch(execution: Execution, launch: Launch, rule: MemoryRule, run: Runner, unknown: str = "") -> Watched | None:
    """Return the result of a second run, in which valgrind watches.

    There is none where the first run did not end by itself: the second would be too slow to show more. There is none
    either where an earlier case is `unknown` for that reason: a run that takes too long is not repeated.
    """
    if execution.limit or execution.is_inconclusive:
        return None
    folder = launch.folder or Path()
    if why := unknown or find_unwatchable(launch.argv[0], folder):
        return Watched(problem=why)
    try:
        return _read(run(watch_memory(launch, rule, execution)), folder)
    except HostError as error:
        return Watched(problem=str(error))


def explain_crash(execution: Execution, launch: Launch, run: Runner, read_line: ReadLine) -> str:
    """Return why a signal ended a program, as the end of `Your program crashed: `; "" where that is unknown."""
    folder = launch.folder or Path()
    is_explained = execution.signal in EXPLAINED and not execution.limit and not launch.interactor
    if not is_explained or not is_machine_code(launch.argv[0], folder):
        return ""
    watched = Watched.of(execution)
    if not watched or not watched.execution:
        rule = MemoryRule(limits={"time": _CRASH_SECONDS, "cpu": _CRASH_SECONDS})
        try:
            watched = _read(run(watch_memory(launch, rule, execution)), folder)
        except HostError:  # no valgrind, or no time is left: the crash is a crash without it
            return ""
    return describe_crash(execution, watched.fatal, [fault for fault in watched.faults if not fault.is_leak], read_line)


def _read(execution: Execution, folder: Path) -> Watched:
    """Read the report of a run: each place once, in the order in which faults were found; leaks come last."""
    reports = read_reports(execution)
    ordered = sorted(find_faults(reports, folder), key=lambda fault: fault.is_leak)
    places = {(fault.kind, fault.what.calls[:1]): fault for fault in reversed(ordered)}
    faults = tuple(fault for fault in ordered if places[fault.kind, fault.what.calls[:1]] is fault)[:_MAX_FAULTS]
    problem = "" if faults else describe_problem(execution, reports)
    fatal = find_fatal_signal(reports, folder)
    return Watched(faults=faults, fatal=fatal, problem=problem, execution=replace(execution, reported={}))


def describe_problem(execution: Execution, reports: Sequence[ProcessReport]) -> str:
    """Describe why the report is incomplete, so that the result is unknown; empty when it is complete."""
    if execution.is_inconclusive:
        return "the machine was too busy for the run under valgrind; grade it again when fewer programs run"
    if execution.limit:
        over = exceeded_sentence(execution.limit, execution.limits)
        return f"under valgrind it {over}; allow more (`memory-clean: {{limits: ...}}` in the spec)"
    first = reports[0] if reports else ProcessReport()
    if all((element.tag, element.text) != ("tool", "memcheck") for element in first.elements):
        quoted = f" ({one_line(execution.stderr.strip()[:_MAX_QUOTED_BYTES])})" if execution.stderr.strip() else ""
        return f"valgrind did not start{quoted}; `grader doctor` says what is missing"
    if execution.is_code_changed:
        return "it has changed a program or library of its own while it ran"
    states = [part.text for element in first.elements if element.tag == "status" for part in element]
    if "FINISHED" not in states or any(report.is_malformed for report in reports):
        return "valgrind's report is incomplete: the program was killed, interfered with it, or replaced itself (exec)"
    return ""


# ---------------------------------------------------------------- the cause of a crash

_NAMES = ("SEGV", "BUS", "FPE", "ILL", "ABRT", "TRAP", "SYS", "TERM", "INT", "HUP", "QUIT", "USR1", "USR2")
EXPLAINED = frozenset(signal.Signals[f"SIG{name}"] for name in _NAMES)
_MILD = ("UninitCondition", "FishyValue")  # faults that end no program
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
    complaint = describe_abort(execution.complaints)[0] if execution.signal == signal.SIGABRT else ""
    if fatal and fatal.number == execution.signal:
        cause, where = _describe_end(fatal, faults, complaint, read_line)
        hint = _WITHOUT_LINE if where and any(call.function for call in where.calls) and not line_of(where) else ""
        return f"{cause} ({name}).{hint}" if cause else ""
    if fatal or not (damage := next((fault for fault in faults if fault.kind not in _MILD), None)):
        return ""
    described = f"{describe_actor(damage.what, read_line)} {describe_fault(damage)}"
    hint = "" if line_of(damage.what) else _WITHOUT_LINE
    if damage.kind == "InvalidFree" and execution.signal == signal.SIGABRT:
        return f"{described} ({name}).{hint}"
    seen = complaint or (signal.strsignal(execution.signal or 0) or "").lower()
    return f"{seen} ({name}). Under valgrind it does not crash, but {described}.{hint}"


def _describe_end(
    fatal: FatalSignal, faults: Sequence[MemoryFault], complaint: str, read_line: ReadLine
) -> tuple[str, Sighting | None]:
    """Describe what a program did when the signal ended it, and where; None where the text names the place itself."""
    where, actor, name = fatal.where, describe_actor(fatal.where, read_line), _name_innermost(fatal.where)
    # A loop may have been at the same fault for a while.
    same_place = [fault for fault in faults if fault.kind not in _MILD and fault.what.calls[:1] == where.calls[:1]]
    if "__stack_chk_fail" in fatal.functions:
        text = f"it wrote past the end of an array on the stack{f', of the function {name}' if name else ''}"
    elif complaint:
        needs_place = "assertion" not in complaint and line_of(where)
        return f"{complaint}; it comes from {actor}" if needs_place else complaint, None
    elif fatal.code <= 0:
        text = f"{actor} {'calls abort()' if 'abort' in fatal.functions else 'sends it this signal'}"
    elif fatal.number == signal.SIGSEGV and _STACK_START - 2**32 < fatal.address < _STACK_START + 4096:
        text = f"the recursion in {name or 'it'} does not end, or goes too deep: the stack is full"
        if fatal.address < _STACK_START - _NEAR_BYTES or name.startswith("`main`"):
            text = f"{actor} needs more than the stack has: its arrays are too large for local variables"
    elif same_place and fatal.number != signal.SIGFPE:
        return f"{describe_actor(same_place[0].what, read_line)} {describe_fault(same_place[0])}", same_place[0].what
    else:
        action = _ACTIONS.get((fatal.number, fatal.number == signal.SIGSEGV and fatal.code == _DENIED), "")
        text = action and f"{actor} {action}"
    return text, where


def _name_innermost(where: Sighting) -> str:
    """Return the innermost function of a place, with its file and line; "" where it is unknown."""
    if not where.calls:
        return ""
    call = where.calls[0]
    place = f" ({one_line(call.file)}:{call.line})" if call.file and call.line else ""
    return f"{quote(call.function or '?', most=_MAX_NAME_LENGTH)}{place}"
