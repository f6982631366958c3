"""The launch of function calls: a probe that runs with the built submission or with the reference."""

import shlex
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.kind import LaunchContext
from grader.core.model.execution import Execution, Launch
from grader.core.model.spec import Case
from grader.core.run.launch import limits_of
from grader.core.text import joined
from grader.kinds.functions.model import FunctionCase, functions_of
from grader.kinds.functions.probe import (
    NATIVE,
    PYTHON,
    REFERENCE_TOKEN,
    Probe,
    library_module,
    own_archives,
    probe_command,
    ready_probe,
    with_calls,
    with_reference_request,
    with_request,
)

if TYPE_CHECKING:
    from grader.core.course import Course


def prepare(course: "Course") -> "Course":
    """Return the course with the probe that calls functions, compiled once. Raises HostError when it cannot be."""
    probe = ready_probe(course.spec, course.versions, course.cache, course.execute)
    return replace(course, prepared={**course.prepared, "functions": probe})


def command(_case: Case, context: LaunchContext) -> tuple[str, ...]:
    """Return the command that starts the probe in the folder of the built submission."""
    return probe_command(_probe_of(context), context.folder, context.spec.build)


def complete_launch(launch: Launch, case: Case, context: LaunchContext) -> Launch:
    """Return the launch with the request for the calls of the case."""
    function, probe = _calls_asked(case), _probe_of(context)
    if probe.language in NATIVE:  # a file that was handed in with the name of our module is not ours
        own = tuple(name for name in function.within if library_module(name) in context.files)
        function = replace(function, within=own)
    launch = replace(launch, files={**launch.files, **context.files})
    charged = {PurePosixPath(name).stem for name in context.charged}
    is_charged = any(name.rpartition(".")[2] in charged for name in function.within)
    archives = own_archives(context.folder, context.spec.build) if is_charged else None
    return with_request(launch, function, probe, context.token, archives)


def launch_reference(around: Launch, case: Case, context: LaunchContext) -> Launch:
    """Return what is started to know what the calls are expected to come to.

    Raises HostError when the reference has no functions that could be called.
    """
    spec, function = context.spec, _calls_asked(case)
    work, probe = spec.reference_work, context.prepared
    if work and probe and work.language == spec.language:
        launch = replace(around, argv=probe_command(probe, build=spec.build), limits=limits_of({}, case.limits))
        return with_request(launch, function, probe, token=REFERENCE_TOKEN)
    files = [word for word in spec.reference or () if PurePosixPath(word).suffix == ".py"]
    if not files:
        languages = joined(sorted({"Python", spec.language.capitalize()}), "or")
        named = shlex.join(spec.reference or ())
        raise HostError(f"the reference, {named}, has no functions that could be called: name a file in {languages}")
    return with_reference_request(replace(around, argv=probe_command(PYTHON)), function, files[0])


def read_record(execution: Execution, case: Case, launch: Launch) -> Execution:
    """Return what happened with what the calls came to. Raises HostError when the probe did not start."""
    return with_calls(execution, _calls_asked(case), launch)


def _calls_asked(case: Case) -> FunctionCase:
    function = functions_of(case)
    if function is None:
        raise TypeError(f"{case.id} calls no functions")
    return function


def _probe_of(context: LaunchContext) -> Probe:
    probe = context.prepared
    if not isinstance(probe, Probe):
        raise HostError("what calls functions was not made ready")
    return probe
