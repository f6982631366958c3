"""Whose fault it is that a method of a unit test fails: the student's, or that of the course's own test.

What proves the course's fault has no code of the submission in it, so nobody turns a zero into an ungraded case: the
reference fails in the method too, or does so within the limits of students, or, without one, the test fails in the same
way where the submission is not there.
The one exception is a class that an archive of the course's needs and no archive has, where it is missed outside of
what was handed in. A submission can claim that, but only where that class is in fact missing; it gets no grade then,
and the staff read why.
"""

import re
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.diagnosis import no_lines
from grader.core.errors import GraderError, HostError
from grader.core.kind import AskReference
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, Launch
from grader.core.model.spec import Case, Spec
from grader.core.run.launch import launch_reference
from grader.core.text import quote
from grader.kinds.unit_tests.judge import judge_unit
from grader.kinds.unit_tests.junit_jars import (
    archive_entries,
    course_archives,
    framework_archives,
    names_in_archive,
)
from grader.kinds.unit_tests.model import UnitFailure, UnitMethod, unit_of, unit_run_of
from grader.kinds.unit_tests.probe import reference_files_for, with_new_secret, with_unit

if TYPE_CHECKING:
    from grader.core.attempt import Attempt

_NO_THREAD = lazy_regex("can't start new thread|unable to create (?:new )?native thread")
"""what Python and Java say of a thread that the limit does not allow"""
_CLASS_NAME = lazy_regex(r"(?:Could not initialize class )?(?P<name>\w+(?:[./]\w+)+(?:\$\w+)*)")


def find_course_fault(
    case: Case, launch: Launch, execution: Execution, course: "Attempt", reference: AskReference
) -> str:
    """Return why a method that failed fails whatever is handed in; "" where that is not proved. Raises HostError."""
    unit, run = unit_of(case), unit_run_of(execution)
    if unit is None:
        return ""
    if reference_files_for(unit, course.asked_in(case).spec):
        fault = _lacks_processes(case, unit, launch, execution, course)
        return fault or (_fails_with_reference(unit, reference()) if run else "")
    failure = (run.loading or next(iter(run.failures), None)) if run else None
    if unit.framework != "junit" or failure is None or failure.kind != "exception":
        return ""
    if failure.lacks:
        own = failure.place.rpartition(":")[0]
        is_theirs = own and launch.folder and any(path.name == own for path in launch.folder.rglob("*.java"))
        return "" if is_theirs else find_missing_class(unit, course.spec, failure.lacks)
    if failure.place or _names_handed_in(failure.message, course.spec):
        return ""
    return _fails_alone(unit, failure, launch, course)


def _fails_with_reference(unit: UnitMethod, right: Execution | GraderError) -> str:
    run = unit_run_of(right) if isinstance(right, Execution) else None
    if run is None or isinstance(right, GraderError) or right.limit:
        return ""
    if judge_unit(unit, right, no_lines) is None:
        return ""
    failure = run.loading or next(iter(run.failures), None)
    if failure is None:
        return f"`{unit.name}` of {unit.file} does not pass with the reference either."
    return f"`{unit.name}` of {unit.file} does not pass with the reference either{_describe(failure)}."


def _lacks_processes(case: Case, unit: UnitMethod, launch: Launch, execution: Execution, course: "Attempt") -> str:
    """Return that a method needs more processes than students may have; "" where the reference gets by with these.

    Otherwise the reference has wider limits than they: it may pass, or need more than these too, with the same remedy.
    """
    asked = course.asked_in(case)
    if not _ended_by_processes(execution) or isinstance(asked.reference_built, HostError):
        return ""
    own = launch_reference(case, asked.context_of(case))
    narrow = replace(own, folder=None, files={**own.files, **asked.reference_built}, limits=launch.limits)
    if not _ended_by_processes(with_unit(asked.run("fault of the course", narrow), unit, narrow)):
        return ""
    limit = f"more processes and threads than the limit of {launch.limits.processes} allows"
    return f"`{unit.name}` of {unit.file} starts {limit}, with the reference too: raise `processes` under `limits`."


def _ended_by_processes(execution: Execution) -> bool:
    run = unit_run_of(execution)
    failure = (run.loading or next(iter(run.failures), None)) if run else None
    return execution.limit == "processes" or (failure is not None and bool(_NO_THREAD.search(failure.message)))


def _fails_alone(unit: UnitMethod, failure: UnitFailure, launch: Launch, course: "Attempt") -> str:
    """Return why a method in Java fails where nothing of the submission is; "" where it fails otherwise there."""
    alone = replace(with_new_secret(launch, "alone"), folder=None)
    run = unit_run_of(with_unit(course.run("fault of the course", alone), unit, alone))
    other = (run.loading or next(iter(run.failures), None)) if run else None
    if other is None or (other.kind, other.type, other.message) != (failure.kind, failure.type, failure.message):
        return ""
    return f"`{unit.name}` of {unit.file} fails without any submission too{_describe(failure)}."


def _describe(failure: UnitFailure) -> str:
    """Describe what ended a method; of an assertion the place alone, since its values are the reference's."""
    place = f" ({failure.test_place})" if failure.test_place else ""
    if failure.kind != "exception":
        return place
    why = f": {quote(failure.message, most=160)}" if failure.message else ""
    return f": it ends with {quote(failure.type.rpartition('.')[2])}{place}{why}"


def _names_handed_in(message: str, spec: Spec) -> bool:
    """Whether a message is about a file that students hand in."""
    names = (*spec.files.required_names, *spec.files.optional)
    words = [PurePosixPath(word).name for word in re.findall(r"[\w./*-]+", message)]
    return any(fnmatchcase(word, PurePosixPath(name).name) for word in words for name in names)


def find_missing_class(unit: UnitMethod, spec: Spec, message: str) -> str:
    """Return which archive of a test in Java needs the class that a message says is missing, if no archive has it."""
    found = _CLASS_NAME.fullmatch(message)
    if found is None:
        return ""
    inner = found["name"].replace(".", "/")
    jars = {**course_archives(unit, spec.build), **framework_archives(unit)}
    if any(f"{inner}.class" in archive_entries(content) for content in jars.values()):
        return ""
    user = next((name for name, content in jars.items() if names_in_archive(content, inner)), "")
    if not user:
        return ""
    missing, remedy = quote(inner.replace("/", ".")), "name its archive under `jars`"
    return f"{unit.file} needs the class {missing}, which {user} uses and no archive has: {remedy}."
