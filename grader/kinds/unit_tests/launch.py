"""The launch of a method of a unit test: a probe that runs with the built submission or with the reference."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.kind import LaunchContext, Unprepared
from grader.core.limits import at_least
from grader.core.model.execution import Execution, Launch
from grader.core.model.spec import Case, Spec, Test
from grader.core.model.submission import Artifact
from grader.core.run.launch import limits_of
from grader.kinds.unit_tests.compiled import Compiled, compile_once, compile_units
from grader.kinds.unit_tests.faults import find_compile_fault
from grader.kinds.unit_tests.model import UnitMethod, unit_of
from grader.kinds.unit_tests.probe import (
    REFERENCE_LIMITS,
    ReadyProbe,
    ready_units,
    unit_command,
    unit_text,
    with_reference_unit,
    with_unit,
    with_unit_request,
)
from grader.kinds.unit_tests.shipped import shipped_unit, test_of
from grader.kinds.unit_tests.together import methods_together

if TYPE_CHECKING:
    from grader.core.course import Course


def prepare(course: "Course") -> "Course":
    """Return the course with what runs unit tests. Raises HostError when the framework is not there."""
    probe = ready_units(course.spec, course.versions, course.cache, course.execute)
    shown = (*course.sandbox.show, probe.image) if probe.image else course.sandbox.show
    return replace(course, sandbox=replace(course.sandbox, show=shown), prepared={**course.prepared, "unit": probe})


def prepare_test(test: Test, artifact: Artifact, course: "Course") -> Mapping[str, bytes]:
    """Return the files that the methods of the test need in addition to the built submission.

    Raises Unprepared when the unit test cannot be compiled with it, and HostError when the sandbox fails.
    """
    build = limits_of(course.toolchain.build_limits, {}), course.toolchain.build_env
    unit, probe = shipped_unit(_method_of(test.cases[0]), test, course.spec), course.prepared["unit"]

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


def command(case: Case, context: LaunchContext) -> tuple[str, ...]:
    """Return the command that starts the probe in the folder of the built submission."""
    return unit_command(_method_of(case), context.folder, context.spec, context.prepared or ReadyProbe())


def complete_launch(launch: Launch, case: Case, context: LaunchContext) -> Launch:
    """Return the launch with the request for the method. Raises HostError when it can be run with no submission."""
    if fault := _method_of(case).fault:
        raise HostError(fault)
    methods = methods_together(case, context.spec)
    return with_unit_request(launch, _method_of(case), context.spec, context.files, context.token, methods=methods)


def launch_reference(around: Launch, case: Case, context: LaunchContext) -> Launch:
    """Return what runs the method with the reference. Raises HostError when there is nothing for it to test."""
    unit = shipped_unit(_method_of(case), test_of(case, context.spec), context.spec)
    launch = replace(around, limits=at_least(REFERENCE_LIMITS, case.limits))
    return with_reference_unit(
        launch, unit, context.spec, context.prepared or ReadyProbe(), methods_together(case, context.spec)
    )


def read_record(execution: Execution, case: Case, launch: Launch) -> Execution:
    """Return what happened with what came of the method. Raises HostError when the probe did not start."""
    return with_unit(execution, _method_of(case), launch)


def command_text(case: Case, spec: Spec) -> str:
    """Return the command that runs the method by hand."""
    return unit_text(_method_of(case), spec)


def _method_of(case: Case) -> UnitMethod:
    unit = unit_of(case)
    if unit is None:
        raise TypeError(f"{case.id} is no method of a unit test")
    return unit
