"""Methods of a file that share a process: what is known of each when that has ended, and what is run for the others.

A method in which the program ended the process has failed. One that took longer than it may, or passed another limit,
is run once more in a process of its own, which decides. All others that have no result are run again without it,
together with those before them, on which they may build.
"""

from collections.abc import Sequence
from signal import SIGPROF

from msgspec.structs import replace

from grader.core.model.execution import Execution, Launch
from grader.core.model.spec import Case, Repeat, Spec
from grader.core.text import limit_sentence
from grader.kinds.base import DividedRun
from grader.kinds.unit_tests.model import unit_of
from grader.kinds.unit_tests.probe import (
    ends_of_values,
    limits_of_one,
    methods_of,
    recorded_in,
    seconds_in,
    watched_seconds,
    with_methods,
    without_value,
)
from grader.kinds.unit_tests.shipped import test_of

_MAX_VALUES_LEFT_OUT = 5
"""of a method: each may take all of its time"""
LATE_STATUS = 124
"""with which the probe for Java ends a process in which a method takes too long"""


def shares_run(case: Case) -> bool:
    """Whether a method shares its process with others."""
    unit = unit_of(case)
    return unit is not None and bool(unit.together)


def separate(case: Case) -> Case:
    """Return a method as it is run in a process of its own, once."""
    unit = unit_of(case)
    return replace(case, payload=replace(unit, together=False), repeat=Repeat()) if unit else case


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
        own = tuple(case for case in cases if (unit := unit_of(case)) and unit.method in methods)
        is_lost = any(unit.by_value for unit in map(unit_of, own) if unit) and not found.results
        return DividedRun(apart=own) if is_lost else DividedRun(known=own)
    limits = limits_of_one(launch.limits, methods)
    of_method = {unit.method: case for case in cases if (unit := unit_of(case))}
    known, apart = list[Case](), list[Case]()
    for method, case in of_method.items():
        if method in found.results:
            time, cpu, waited = seconds_in(found.results[method])
            (known if time - waited <= limits.time and cpu <= limits.cpu else apart).append(case)
    last = found.begun[-1] if found.begun else ""
    if last in of_method and last not in found.results:
        unit = unit_of(of_method[last])
        is_known = _has_ended_itself(execution, launch) and not (unit and unit.by_value)
        (known if is_known else apart).append(of_method[last])
    others = [method for method in methods if method != last]
    is_repeated = bool(last) and len(others) > 1 and len(known) + len(apart) < len(cases)
    return DividedRun(
        known=tuple(known), apart=tuple(apart), rest=with_methods(launch, others) if is_repeated else None
    )


def run_without_value(case: Case, launch: Launch, execution: Execution) -> Launch | None:
    """Return what runs a method without the value in which the process ended; None where that is not what happened.

    The others keep their share of the points.
    """
    found, unit = recorded_in(execution, launch), unit_of(case)
    if unit is None or not found.value or unit.method in found.results or execution.is_inconclusive:
        return None
    if len(ends_of_values(launch)) >= _MAX_VALUES_LEFT_OUT:
        return None
    if execution.limit:
        ended = limit_sentence(execution.limit)
    else:
        how = f"signal {execution.signal}" if execution.status is None else f"status {execution.status}"
        ended = f"ended your program, with {how}"
    return without_value(launch, found.value, ended)


def _has_ended_itself(execution: Execution, launch: Launch) -> bool:
    """Whether a process ended neither at a limit nor for want of anything; the probe ends one that takes too long."""
    is_late = (
        execution.time >= watched_seconds(launch) or execution.signal == SIGPROF or execution.status == LATE_STATUS
    )
    return execution.limit is None and not execution.is_inconclusive and not is_late
