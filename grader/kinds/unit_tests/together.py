"""Methods of a file that share a process: what is known of each when that has ended, and what is run for the others.

A method in which the program ended the process has failed. One that took longer than it may, or passed another limit,
is run once more in a process of its own, which decides. All others that have no result are run again without it,
together with those before them, on which they may build.
"""

from collections.abc import Sequence
from signal import SIGPROF

from msgspec.structs import replace

from grader.core.model import Case, Execution, Launch, Repeat, Spec
from grader.kinds.base import DividedRun
from grader.kinds.unit_tests.model import unit_of
from grader.kinds.unit_tests.probe import (
    limits_of_one,
    methods_of,
    recorded_in,
    seconds_in,
    watched_seconds,
    with_methods,
)
from grader.kinds.unit_tests.shipped import test_of

LATE_STATUS = 124
"""with which the probe for Java ends a process in which a method takes too long"""


def shares_run(case: Case) -> bool:
    """Whether a method shares its process with others."""
    unit = unit_of(case)
    return unit is not None and bool(unit.together)


def separate(case: Case) -> Case:
    """Return a method as it is run in a process of its own, once."""
    unit = unit_of(case)
    return replace(case, payload=replace(unit, together=()), repeat=Repeat()) if unit else case


def methods_together(case: Case, spec: Spec) -> tuple[str, ...]:
    """Return the methods of the process of a method: those of its test that can be run, or it alone."""
    unit = unit_of(case)
    if unit is None or not unit.together:
        return (unit.method,) if unit else ()
    units = filter(None, map(unit_of, test_of(case, spec).cases))
    return tuple(one.method for one in units if not one.fault)


def divide_run(cases: Sequence[Case], launch: Launch, execution: Execution) -> DividedRun:
    """Return which of the methods a run of several tells of, and what is to be run for the others."""
    found, methods = recorded_in(execution, launch), methods_of(launch)
    if len(methods) == 1:
        return DividedRun(known=tuple(case for case in cases if (unit := unit_of(case)) and unit.method in methods))
    limits = limits_of_one(launch.limits, methods)
    of_method = {unit.method: case for case in cases if (unit := unit_of(case))}
    known, apart = list[Case](), list[Case]()
    for method, case in of_method.items():
        if method in found.results:
            time, cpu, waited = seconds_in(found.results[method])
            (known if time - waited <= limits.time and cpu <= limits.cpu else apart).append(case)
    last = found.begun[-1] if found.begun else ""
    if last in of_method and last not in found.results:
        (known if _has_ended_itself(execution, launch) else apart).append(of_method[last])
    others = [method for method in methods if method != last]
    is_repeated = bool(last) and len(others) > 1 and len(known) + len(apart) < len(cases)
    return DividedRun(
        known=tuple(known), apart=tuple(apart), rest=with_methods(launch, others) if is_repeated else None
    )


def _has_ended_itself(execution: Execution, launch: Launch) -> bool:
    """Whether a process ended neither at a limit nor for want of anything; the probe ends one that takes too long."""
    is_late = (
        execution.time >= watched_seconds(launch) or execution.signal == SIGPROF or execution.status == LATE_STATUS
    )
    return execution.limit is None and not execution.is_inconclusive and not is_late
