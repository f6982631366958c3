"""How a program handles its memory: a run under valgrind, and the report of that run.

It is a second run, slower and with limits of its own. The program's output and time are those of the first run.
Valgrind finds the faults of every compiled program, also of one that a student's own Makefile builds.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.find_tool import find_tool
from grader.core.kind import Requirement, RunnerShowing
from grader.core.limits import limit_sentence
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.limits import LimitOverrides
from grader.core.model.spec import Case
from grader.core.run.launch import limits_of
from grader.core.run.report_socket import ReportSocket
from grader.core.text import one_line, seconds
from grader.kinds.memory_clean.binaries import find_unwatchable
from grader.kinds.memory_clean.model import MemoryFault, MemoryRule, Watched, memory_rule_of
from grader.kinds.memory_clean.report import ProcessReport, find_fatal_signal, find_faults, read_reports

if TYPE_CHECKING:
    from grader.core.attempt import Attempt
    from grader.core.course import Course

VALGRIND = "valgrind"
"""the program, and the Debian package that has it"""
STACK_BYTES = 64 * 2**20
"""of a program's stack, as without valgrind"""
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
_ORIGINS = "--track-origins=yes"
"""reports the origin of values that were never set, and takes two to three times as long"""
_ORIGINS_START_SECONDS, _ORIGINS_SLOWER = 10.0, 4.0
"""the most time of the run that reports origins: some seconds, and a multiple of what the first watched run took"""
_OF_VALUES = ("UninitCondition", "UninitValue", "SyscallParam")
"""the faults that have such an origin"""

TIMES_SLOWER, START_SECONDS = 50, 60.0
"""the most time of a run, as a multiple of its case's; and seconds to start, also on a busy machine"""
TIMES_TAKEN = 200
"""the most time as a multiple of the program's time without valgrind: usual are 10 to 40, with origins 100"""
_TIMES_MEMORY, _START_BYTES = 3, 512 * 2**20
_MAX_FAULTS, _MAX_QUOTED_BYTES = 20, 200


def require_watching(course: "Course") -> None:
    """Raise HostError where a program's memory cannot be watched at the level of the sandbox."""
    if not course.sandbox.allows_tracing:
        raise HostError(
            "memory-clean needs valgrind, and that needs /proc, of which level container shows programs nothing: grade "
            "at level full, or take memory-clean out"
        )


def after_run(execution: Execution, case: Case, launch: Launch, attempt: "Attempt", unknown: str) -> Watched | None:
    """Return the result of a run under valgrind; None where the plain run did not end by itself."""
    rule = memory_rule_of(case)
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
    if why := unknown or _cannot_watch(launch):
        return Watched(problem=why)
    folder = launch.folder or Path()
    watching = watch_memory(launch, rule, execution)
    try:
        watched = _read(run(watching), folder)
    except HostError as error:
        return Watched(problem=str(error))
    return _with_origins(watched, watching, run, folder)


def _with_origins(watched: Watched, watching: Launch, run: Runner, folder: Path) -> Watched:
    """Return the faults with the origins of values that were never set, where a further run is in time to show them.

    Without it the faults are the same, and the sentence is shorter.
    """
    took = watched.execution.time if watched.execution else 0.0
    if not any(fault.kind in _OF_VALUES for fault in watched.faults):
        return watched
    most = min(watching.limits.time, _ORIGINS_START_SECONDS + _ORIGINS_SLOWER * took)
    limits = replace(watching.limits, time=most, cpu=min(watching.limits.cpu, most))
    try:
        again = _read(run(replace(watching, limits=limits, tool=(*TOOL, _ORIGINS))), folder)
    except HostError:
        return watched
    return again if again.faults else watched


def find_valgrind(runner_showing: RunnerShowing | None) -> Iterator[Requirement]:
    """Yield whether this machine has valgrind, and whether it works in the sandbox."""
    remedy = f"apt-get install {VALGRIND}"
    try:
        path = find_tool(VALGRIND, VALGRIND)
    except HostError:
        found = f"there is no {VALGRIND}, for memory-clean"
        yield Requirement(name=VALGRIND, state="missing", found=found, remedy=remedy)
        return
    if runner_showing is None:
        yield Requirement(name=VALGRIND, state="ok", found=f"{path}, not tried")
        return
    try:
        fault = try_watching(runner_showing(()))
    except HostError as error:
        fault = str(error)
    if fault:
        found = f"{path} does not work: {fault}"
        yield Requirement(name=VALGRIND, state="missing", found=found, remedy=f"{remedy} libc6-dbg")
    else:
        yield Requirement(name=VALGRIND, state="ok", found=f"{path} works, for memory-clean")


def try_watching(run: Runner) -> str:
    """Describe why valgrind does not work here; empty when it does. Raises HostError when the sandbox fails."""
    execution = run(watch_memory(Launch(argv=("/usr/bin/true",)), MemoryRule(), Execution()))
    return _describe_problem(execution, read_reports(execution))


def _cannot_watch(launch: Launch) -> str:
    """Describe why valgrind does not see a command, or not all of it; empty when it does."""
    return find_unwatchable(launch.argv[0], launch.folder or Path())


def _read(execution: Execution, folder: Path) -> Watched:
    reports = read_reports(execution)
    faults = tuple(_each_once(find_faults(reports, folder)))[:_MAX_FAULTS]
    problem = "" if faults else _describe_problem(execution, reports)
    fatal = find_fatal_signal(reports, folder)
    return Watched(faults=faults, fatal=fatal, problem=problem, execution=replace(execution, reported={}))


def _describe_problem(execution: Execution, reports: Iterable[ProcessReport]) -> str:
    """Describe why the report is incomplete, so that the result is unknown; empty when it is complete."""
    limits = execution.limits
    if execution.is_inconclusive:
        return "the machine was too busy for the run under valgrind; grade it again when fewer programs run"
    if execution.limit:
        over = {
            "time": f"had not ended after {seconds(limits.time)}",
            "cpu": f"took more than {seconds(limits.cpu)} of processor time",
            "memory": f"took more than {limits.memory >> 20} MiB of memory",
        }.get(execution.limit, limit_sentence(execution.limit))
        return f"under valgrind it {over}; allow more (`memory-clean: {{limits: ...}}` in the spec)"
    reports = list(reports)
    first = next(iter(reports), ProcessReport())
    if all((one.name, one.content) != ("tool", "memcheck") for one in first.elements):
        quoted = f" ({one_line(execution.stderr.strip()[:_MAX_QUOTED_BYTES])})" if execution.stderr.strip() else ""
        return f"valgrind did not start{quoted}; `grader doctor` says what is missing"
    if execution.is_code_changed:
        return "it has changed a program or library of its own while it ran"
    states = [part.content for one in first.elements if one.name == "status" for part in one.inside]
    if "FINISHED" not in states or first.is_followed or any(one.is_malformed for one in reports):
        return "valgrind's report is incomplete: the program was killed, interfered with it, or replaced itself (exec)"
    return ""


def _each_once(faults: Iterator[MemoryFault]) -> Iterator[MemoryFault]:
    """Leave out what was found at a place where the same was found before, by another way; leaks come last."""
    seen = set()
    found = sorted(faults, key=lambda fault: fault.is_leak)
    for fault in found:
        key = (fault.kind, fault.what.calls[:1])
        if key not in seen:
            seen.add(key)
            yield fault
