"""Methods of a file that share one process, and are told apart by the events of their framework, as it recorded them.

A method in which the process ended has failed, or passed a limit. What had not begun by then was not run.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from grader.core.model.execution import Launch
from grader.core.model.judgement import Verdict
from grader.core.model.spec import Case, Spec, Test
from grader.core.model.submission import Artifact
from grader.core.running_tests import NotRun, as_ran, invert_runs, plan_cases, run_first, run_separately
from grader.core.text import quote
from grader.kinds.unit_tests.model import unit_of
from grader.kinds.unit_tests.probe import recorded_in
from grader.kinds.unit_tests.shipped import test_of

if TYPE_CHECKING:
    from grader.core.attempt import Attempt
    from grader.core.running_tests import Happened


def shares_run(case: Case) -> bool:
    """Whether a method shares its process with others."""
    unit = unit_of(case)
    return unit is not None and bool(unit.together)


def methods_together(case: Case, spec: Spec) -> tuple[str, ...]:
    """Return the methods of the process of a method: those of its test that can be run, or it alone."""
    units = filter(None, map(unit_of, test_of(case, spec).cases if shares_run(case) else (case,)))
    return tuple(one.method for one in units if not one.fault)


def run_test(test: Test, artifact: Artifact, attempt: "Attempt") -> Iterable["Happened"]:
    """Run each method in a process of its own, or all of them in one, as often as it is repeated."""
    if not shares_run(test.cases[0]):
        return run_separately(test, artifact, attempt)
    runs = [_run_together(test, artifact, attempt) for _ in range(test.cases[0].repeat.times)]
    return (run[case.id] for case in test.cases for run in runs)


def _run_together(test: Test, artifact: Artifact, attempt: "Attempt") -> Mapping[str, "Happened"]:
    """Run all methods in one process, and those that are inverted in runs around it; return what came of each."""
    planned = plan_cases(test.cases, test, artifact, attempt)
    results: dict[str, Happened] = {
        case.id: NotRun(verdict=Verdict.UNGRADED, reason=str(why)) for case, why, _ in planned
    }
    launch = next((one for _, one, _ in planned if isinstance(one, Launch)), None)
    cases = [case for case, one, _ in planned if launch and isinstance(one, Launch)]
    inverted = {one.case.id: one for one in invert_runs([(case, launch) for case in cases if launch], attempt) if one}
    for name, one in sorted(inverted.items(), key=lambda item: item[1].turn):
        inverted[name] = run_first(one, "inverted together", attempt) or one
    for case in test.cases:
        attempt.on_case_start(case)
    if launch is None:
        return results
    found = attempt.run("together", launch)
    recorded = recorded_in(found, launch)
    methods = {case.id: unit.method for case in cases if (unit := unit_of(case))}
    ended_in = recorded.begun[-1] if recorded.begun else ""
    for case in cases:
        is_left = methods[case.id] not in (ended_in, *recorded.results)
        if ended_in and is_left and not found.is_inconclusive:
            reason = f"Not run, because your program ended in {quote(ended_in.rpartition('.')[2])}."
            results[case.id] = NotRun(verdict=Verdict.SKIPPED, reason=reason)
        else:
            results[case.id] = as_ran(case, launch, found, attempt, inverted=inverted.get(case.id))
    return results
