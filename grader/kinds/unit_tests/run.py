"""What is needed and started for unit tests: a probe that runs with the built submission or with the reference.

Methods of a file may share one process, and are told apart by the events of their framework, as it recorded them. One
in which the process ended has failed, or passed a limit; what had not begun by then was not run.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.kind import LaunchContext, Unprepared
from grader.core.limits import at_least
from grader.core.model.execution import Execution, Launch
from grader.core.model.judgement import Verdict
from grader.core.model.spec import Case, Spec, Test
from grader.core.model.submission import Artifact
from grader.core.pipeline import NotRun, as_ran, invert_runs, plan_cases, run_separately, with_result
from grader.core.run.launch import limits_of
from grader.core.text import quote
from grader.kinds.harness.host import Driver
from grader.kinds.unit_tests.audit import invert
from grader.kinds.unit_tests.faults import find_compile_fault, find_course_fault
from grader.kinds.unit_tests.model import unit_of
from grader.kinds.unit_tests.probe import (
    REFERENCE_LIMITS,
    Compiled,
    compile_once,
    compile_units,
    method_of,
    ready_units,
    recorded_in,
    unit_command,
    unit_text,
    with_reference_unit,
    with_unit,
    with_unit_request,
)
from grader.kinds.unit_tests.probe import find_frameworks as requirements
from grader.kinds.unit_tests.probe import framework_packages as packages
from grader.kinds.unit_tests.shipped import holds_hidden, shipped_unit, test_of
from grader.kinds.unit_tests.suites import prepare_submission

if TYPE_CHECKING:
    from grader.core.course import Attempt, Course
    from grader.core.pipeline import Happened

__all__ = ["find_course_fault", "holds_hidden", "invert", "packages", "prepare_submission", "requirements"]


def prepare(course: "Course") -> "Course":
    """Return the course with what runs unit tests. Raises HostError when the framework is not there."""
    probe = ready_units(course.spec, course.versions, course.cache, course.execute)
    return replace(course, prepared={**course.prepared, "unit": probe})


def prepare_test(test: Test, artifact: Artifact, course: "Course") -> Mapping[str, bytes]:
    """Return the files that the methods of the test need in addition to the built submission.

    Raises Unprepared when the unit test cannot be compiled with it, and HostError when the sandbox fails.
    """
    build = limits_of(course.toolchain.build_limits, {}), course.toolchain.build_env
    unit, probe = shipped_unit(method_of(test.cases[0]), test, course.spec), course.prepared["unit"]

    def compiled() -> Compiled:
        (made,) = compile_units(
            unit, folder=artifact.folder, spec=course.spec, build=build, probe=probe, run=course.measure
        )
        return made

    key = (str(artifact.folder), unit.file, unit.source, tuple(unit.helpers), tuple(unit.jars))
    found = compile_once(key, compiled) if unit.framework == "junit" else compiled()
    if found.problem:
        if fault := find_compile_fault(unit, found.errors, course.asked_in(test.cases[0])):
            raise HostError(fault)
        raise Unprepared(found.problem)
    return found.files


def launch(case: Case, context: LaunchContext, around: Callable[[tuple[str, ...]], Launch]) -> Launch:
    """Return what runs the method. Raises HostError where it has nothing to test, or can be run with no submission."""
    spec, methods = context.spec, methods_together(case, context.spec)
    if context.folder is None:
        unit = shipped_unit(method_of(case), test_of(case, spec), spec)
        launch = replace(around(()), limits=at_least(REFERENCE_LIMITS, case.limits))
        return with_reference_unit(launch, unit, spec, context.prepared or Driver(language="python"), methods)
    if fault := method_of(case).fault:
        raise HostError(fault)
    launch = around(unit_command(method_of(case), context.folder, spec))
    return with_unit_request(launch, method_of(case), spec, context.files, context.token, methods=methods)


def read_record(execution: Execution, case: Case, launch: Launch) -> Execution:
    """Return what happened with what came of the method. Raises HostError when the probe did not start."""
    return with_unit(execution, method_of(case), launch)


def command_text(case: Case, spec: Spec) -> str:
    """Return the command that runs the method by hand."""
    return unit_text(method_of(case), spec)


# ---------------------------------------------------------------- one process for several


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
        if one.turn < 0 and attempt.may_run("inverted together"):
            with suppress(HostError):
                found = attempt.run("inverted together", one.launch)
                inverted[name] = with_result(one, found)
                if found.limit:  # the others would take as long
                    break
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
