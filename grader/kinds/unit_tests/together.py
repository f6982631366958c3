"""Methods of a file that share a process: what is known of each when that has ended, and what is run for the others.

A method in which the program ended the process has failed. One that took longer than it may, or passed another limit,
is run once more in a process of its own, which decides. All others that have no result are run again without it,
together with those before them, on which they may build.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from signal import SIGPROF
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.kind import Inverted
from grader.core.limits import limit_sentence
from grader.core.model.execution import Execution, Launch
from grader.core.model.judgement import Verdict
from grader.core.model.spec import Case, Repeat, Spec, Test
from grader.core.model.submission import Artifact
from grader.core.running_tests import NotRun, as_ran, invert_runs, plan_cases, run_separately, with_result
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

if TYPE_CHECKING:
    from grader.core.attempt import Attempt
    from grader.core.running_tests import Happened

_MAX_FRUITLESS_RUNS = 3
"""runs of a test in succession that tell of no case, after which its cases are run separately"""
_MAX_VALUES_LEFT_OUT = 5
"""of a method: each may take all of its time"""
LATE_STATUS = 124
"""with which the probe for Java ends a process in which a method takes too long"""


def shares_run(case: Case) -> bool:
    """Whether a method shares its process with others."""
    unit = unit_of(case)
    return unit is not None and bool(unit.together)


def run_test(test: Test, artifact: Artifact, attempt: "Attempt") -> Iterable["Happened"]:
    """Run each method in a process of its own, or all of them in one, as often as it is repeated."""
    if not shares_run(test.cases[0]):
        return run_separately(test, artifact, attempt, run_without_value)
    runs = [_run_together(test, artifact, attempt) for _ in range(test.cases[0].repeat.times)]
    return (run[case.id] for case in test.cases for run in runs)


def _run_together(test: Test, artifact: Artifact, attempt: "Attempt") -> Mapping[str, "Happened"]:
    """Run methods in one process until each is known, and return what came of them by the ids of their cases.

    After several runs in succession that told nothing new, all that are left are run separately.
    """
    results: dict[str, Happened] = {}
    apart: set[str] = set()
    planned = plan_cases(test.cases, test, artifact, attempt)
    whole = launch = next((one for _, one, _ in planned if isinstance(one, Launch)), None)
    inverted = _run_inverted_first(test.cases, launch, attempt)
    for case in test.cases:
        attempt.on_case_start(case)
    left, fruitless = test.cases, 0
    while left and launch and fruitless < _MAX_FRUITLESS_RUNS and not attempt.ledger.is_spent():
        try:
            found = attempt.run("rest", launch)
        except HostError as error:
            others = NotRun(verdict=Verdict.UNGRADED, reason=str(error))
            return {case.id: others for case in test.cases} | results
        part = divide_run(left, launch, found)
        if launch is not whole:  # what was inverted is another run
            inverted = _inverted(part.known, launch, attempt)
        for case in part.known:
            results[case.id] = as_ran(case, launch, found, attempt, inverted=inverted.get(case.id))
        apart |= {case.id for case in part.apart}
        left = tuple(case for case in left if case.id not in results.keys() | apart)
        fruitless = 0 if part.known else fruitless + 1
        launch = part.rest
    units = ((case, unit) for case in test.cases if (unit := unit_of(case)) and case.id not in results)
    alone = tuple(replace(case, payload=replace(unit, together=False), repeat=Repeat()) for case, unit in units)
    if alone:
        ran = run_separately(replace(test, cases=alone), artifact, attempt, run_without_value)
        results |= {case.id: one for case, one in zip(alone, ran, strict=True)}
    return results


def _inverted(cases: Sequence[Case], launch: Launch | None, attempt: "Attempt") -> dict[str, Inverted]:
    """Return the id of each case of a run that is inverted -> the further run in which it alone is."""
    others = invert_runs([(case, launch) for case in cases], attempt) if launch else [None] * len(cases)
    return {case.id: other for case, other in zip(cases, others, strict=True) if other}


def _run_inverted_first(cases: Sequence[Case], launch: Launch | None, attempt: "Attempt") -> dict[str, Inverted]:
    """Run what comes before the run that counts, in the order that was drawn; return all with what came of them."""
    found = _inverted(cases, launch, attempt)
    for name, one in sorted(found.items(), key=lambda item: item[1].turn):
        if one.turn < 0 and attempt.may_run("inverted together"):
            with suppress(HostError):
                found[name] = with_result(one, attempt.run("inverted together", one.launch))
    return found


def methods_together(case: Case, spec: Spec) -> tuple[str, ...]:
    """Return the methods of the process of a method: those of its test that can be run, or it alone."""
    unit = unit_of(case)
    if unit is None or not unit.together:
        return (unit.method,) if unit else ()
    units = filter(None, map(unit_of, test_of(case, spec).cases))
    return tuple(one.method for one in units if not one.fault)


class DividedRun(Struct, frozen=True, kw_only=True):
    """Of which methods a run tells, and what is to be run for the others."""

    known: tuple[Case, ...] = ()
    apart: tuple[Case, ...] = ()
    """those that have to be run separately"""
    rest: Launch | None = None
    """a further run, which all others share; None where they are to be run separately too"""


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
