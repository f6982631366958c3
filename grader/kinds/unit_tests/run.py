"""What is started for unit tests: a probe that runs methods with the built submission or with the reference."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Launch, LaunchContext
from grader.core.model.layout import Artifact
from grader.core.model.limits import at_least
from grader.core.model.report import Verdict
from grader.core.model.spec import Case, Test
from grader.core.pipeline import NotRun, Unprepared, as_ran, invert_runs, plan_cases, run_separately, with_result
from grader.core.text import quote
from grader.kinds.unit_tests import probe
from grader.kinds.unit_tests.audit import invert
from grader.kinds.unit_tests.faults import broken_test, find_course_fault
from grader.kinds.unit_tests.model import method_of
from grader.kinds.unit_tests.probe import prepare, read_record, requirements
from grader.kinds.unit_tests.shipped import holds_hidden, shipped_unit, test_of
from grader.kinds.unit_tests.suites import prepare_submission

if TYPE_CHECKING:
    from grader.core.course import Attempt, Course
    from grader.core.pipeline import Happened

__all__ = ["find_course_fault", "holds_hidden", "invert", "prepare", "prepare_submission"]
__all__ += ["read_record", "requirements"]


def prepare_test(test: Test, artifact: Artifact, course: "Course") -> Mapping[str, bytes]:
    """Return the files that the methods of the test need beside the built submission. Unprepared; HostError."""
    how: dict[str, Any] = {"folder": artifact.folder, "course": course, "run": course.measure}
    unit = shipped_unit(method_of(test.cases[0]), test, course.spec)
    key = (str(artifact.folder), unit.file, unit.source, *map(tuple, (unit.helpers.items(), unit.jars.items())))
    compiled = probe.compile_once(key, lambda: probe.compile_units(unit, **how)[0])
    if compiled.problem:
        fault = broken_test(unit, course.asked_in(test.cases[0]))
        raise HostError(fault) if fault else Unprepared(compiled.problem)
    return compiled.files


def launch(case: Case, context: LaunchContext, around: Callable[[tuple[str, ...]], Launch]) -> Launch:
    """Return what runs the method. Raises HostError where it has nothing to test, or can be run with no submission."""
    unit, spec = method_of(case), context.spec
    sharing = map(method_of, test_of(case, spec).cases if unit.together else (case,))
    methods = [sharer.method for sharer in sharing if not sharer.fault]
    if context.folder is None:
        launch = replace(around(()), limits=at_least(probe.REFERENCE_LIMITS, case.limits))
        shipped = shipped_unit(unit, test_of(case, spec), spec)
        return probe.with_reference_unit(launch, shipped, spec, context.prepared or {}, methods)
    if unit.fault:
        raise HostError(unit.fault)
    launch = around(probe.unit_command(unit, context.folder, spec))
    return probe.with_unit_request(launch, unit, spec, context.files, context.token, methods=methods)


def run_test(test: Test, artifact: Artifact, attempt: "Attempt") -> Iterable["Happened"]:
    """Run each method in its own process, or all in one, as often as the spec repeats them."""
    if not method_of(test.cases[0]).together:
        return run_separately(test, artifact, attempt)
    runs = [_run_together(test, artifact, attempt) for _ in range(test.cases[0].repeat.times)]
    return (run[case.id] for case in test.cases for run in runs)


def _run_together(test: Test, artifact: Artifact, attempt: "Attempt") -> Mapping[str, "Happened"]:
    """Run all methods in one process, and those that are inverted in runs around it; return what came of each."""
    planned = plan_cases(test.cases, test, artifact, attempt)
    cases = [(case, launch) for case, launch, _ in planned if isinstance(launch, Launch)]
    lost = [(case.id, str(why)) for case, why, _ in planned if not isinstance(why, Launch)]
    results: dict[str, Happened] = {name: NotRun(verdict=Verdict.UNGRADED, reason=why) for name, why in lost}
    inversions = invert_runs([(case, cases[0][1]) for case, _ in cases], attempt)
    inverted = {inversion.case.id: inversion for inversion in filter(None, inversions)}
    for name, inversion in sorted(inverted.items(), key=lambda item: item[1].turn):
        if inversion.turn < 0 and attempt.may_run("inverted together"):
            with suppress(HostError):
                execution = attempt.run("inverted together", inversion.launch)
                inverted[name] = with_result(inversion, execution)
                if execution.limit:  # the others would take as long
                    break
    for case in test.cases:
        attempt.on_case_start(case)
    if not cases:
        return results
    launch = cases[0][1]
    execution = attempt.run("together", launch)
    recorded, begun = probe.recorded_in(execution, launch)
    ended_in = begun[-1] if begun else ""
    for case, _ in cases:
        if ended_in and method_of(case).method not in (ended_in, *recorded) and not execution.is_inconclusive:
            reason = f"Not run, because your program ended in {quote(ended_in.rpartition('.')[2])}."
            results[case.id] = NotRun(verdict=Verdict.SKIPPED, reason=reason)
        else:
            results[case.id] = as_ran(case, launch, execution, attempt, inverted=inverted.get(case.id))
    return results
