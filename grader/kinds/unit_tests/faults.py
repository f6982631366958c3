"""Whose fault it is that a unit test fails, or does not compile: the student's, or that of the course's own test.

What proves the course's fault has no code of the submission in it, so nobody turns a zero into an ungraded case: the
reference fails in the method too, or does so within the limits of students, or, without one, the test fails in the same
way where the submission is not there. The one exception is a class that an archive of the course's needs and no archive
has, missed outside of what was handed in: a submission can claim that only where that class is in fact missing.
"""

import hashlib
import re
import shlex
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from grader.core.diagnosis import find_cause, no_lines
from grader.core.errors import HostError
from grader.core.kind import AskReference
from grader.core.lazy import lazy_regex
from grader.core.model import VERSION
from grader.core.model.execution import Execution, Launch
from grader.core.model.spec import Case, Spec
from grader.core.run.runner import launch_reference
from grader.core.text import joined, quote
from grader.kinds.harness.host import with_new_secret
from grader.kinds.unit_tests import junit_jars, probe
from grader.kinds.unit_tests.judge import judge_unit
from grader.kinds.unit_tests.model import UnitFailure, UnitMethod, method_of, unit_run_of

if TYPE_CHECKING:
    from grader.core.course import Attempt, Course

_NO_THREAD = lazy_regex("can't start new thread|unable to create (?:new )?native thread")  # as Python and Java say it
_CLASS_NAME = lazy_regex(r"(?:Could not initialize class )?(?P<name>\w+(?:[./]\w+)+(?:\$\w+)*)")
_ERROR = lazy_regex(
    r"(?m)^\S*?(?P<place>(?P<file>[^/\s:]+\.java):\d+): error: (?P<why>.*)(?P<more>(?:\n(?!\S*:\d+: ).*)*)"
)
_SYMBOL = lazy_regex(r"(?m)^\s+(symbol:.*)$")
_ABSENT = lazy_regex(r"(?m)error: package ([\w.]+) does not exist$")
_OF_OTHERS = lazy_regex(  # errors that a class may cause which is to be handed in
    r"error: (?:cannot find symbol|package .* does not exist|cannot access|.* (?:not public|inaccessible)\b)"
)
_OF_LIBRARIES = lazy_regex(  # packages that no student writes
    r"(?:javax?|jakarta|junit|lombok|org\.(?:junit|hamcrest|assertj|mockito|powermock|testng|apache|slf4j|json|jetbrains)"
    r"|org\.(?:opentest4j|apiguardian)|net\.jqwik|com\.(?:google|gradescope|fasterxml)|edu\.berkeley\.cs\.jh61b"
    r"|edu\.princeton\.cs)(?:\..*)?"
)


def find_course_fault(
    case: Case, launch: Launch, execution: Execution, course: "Attempt", reference: AskReference
) -> str:
    """Return why a method that failed fails whatever is handed in; "" where that is not proved. Raises HostError."""
    unit, failure = method_of(case), _failure_in(execution)
    name = f"`{unit.name}` of {unit.file}"
    if not probe.reference_files_for(unit, course.asked_in(case).spec):
        is_ended = unit.framework == "junit" and failure is not None and failure.kind == "exception"
        return _find_fault_alone(case, failure, launch, course) if failure and is_ended else ""
    if _ended_by_processes(execution) and _needs_more_processes(case, launch, course):
        limit = f"more processes and threads than the limit of {launch.limits.processes} allows"
        return f"{name} starts {limit}, with the reference too: raise `processes` under `limits`."
    right = reference() if unit_run_of(execution) else None
    if not isinstance(right, Execution) or right.limit or not unit_run_of(right):
        return ""
    fails = judge_unit(unit, right, no_lines) is not None
    return f"{name} does not pass with the reference either{_describe(_failure_in(right))}." if fails else ""


def _find_fault_alone(case: Case, failure: UnitFailure, launch: Launch, course: "Attempt") -> str:
    """Return why a method in Java fails where nothing of the submission is; "" where it fails otherwise there."""
    unit = method_of(case)
    if failure.lacks:
        own = failure.place.rpartition(":")[0]
        is_theirs = own and launch.folder and any(path.name == own for path in launch.folder.rglob("*.java"))
        return "" if is_theirs else find_missing_class(unit, course.spec, failure.lacks)
    names = (*course.spec.files.required_names, *course.spec.files.optional)
    words = [PurePosixPath(word).name for word in re.findall(r"[\w./*-]+", failure.message)]
    if failure.place or any(fnmatchcase(word, PurePosixPath(name).name) for word in words for name in names):
        return ""  # it says something of what students hand in
    alone = replace(with_new_secret(launch, "alone"), folder=None)
    again = _failure_in(probe.read_record(course.run("fault of the course", alone), case, alone))
    is_same = again and (again.kind, again.type, again.message) == (failure.kind, failure.type, failure.message)
    return f"`{unit.name}` of {unit.file} fails without any submission too{_describe(failure)}." if is_same else ""


def _failure_in(execution: Execution) -> UnitFailure | None:
    run = unit_run_of(execution)
    return (run.loading or next(iter(run.failures), None)) if run else None


def _needs_more_processes(case: Case, launch: Launch, course: "Attempt") -> bool:
    """Whether the reference, which has wider limits, needs more processes than students may have."""
    asked = course.asked_in(case)
    if isinstance(asked.built[""], HostError):
        return False
    own = launch_reference(case, asked.context_of(case))
    narrow = replace(own, folder=None, files={**own.files, **asked.built[""]}, limits=launch.limits)
    return _ended_by_processes(probe.read_record(asked.run("fault of the course", narrow), case, narrow))


def _ended_by_processes(execution: Execution) -> bool:
    failure = _failure_in(execution)
    return execution.limit == "processes" or (failure is not None and bool(_NO_THREAD.search(failure.message)))


def _describe(failure: UnitFailure | None) -> str:
    """Describe what ended a method; of an assertion the place alone, since its values are the reference's."""
    place = f" ({failure.test_place})" if failure and failure.test_place else ""
    if failure is None or failure.kind != "exception":
        return place
    why = f": {quote(failure.message, most=160)}" if failure.message else ""
    return f": it ends with {quote(failure.type.rpartition('.')[2])}{place}{why}"


def find_missing_class(unit: UnitMethod, spec: Spec, message: str) -> str:
    """Return which archive of a test in Java needs the class that a message says is missing, if no archive has it."""
    match = _CLASS_NAME.fullmatch(message)
    inner = match["name"].replace(".", "/") if match else ""
    paths = junit_jars.framework_jars(unit) if match else ()
    jars = junit_jars.course_archives(unit, spec.build) | {path: Path(path).read_bytes() for path in paths}
    if not match or not (user := archive_lacking(jars, inner, f"{inner}.class")):
        return ""
    missing, remedy = quote(inner.replace("/", ".")), "name its archive under `jars`"
    return f"{unit.file} needs the class {missing}, which {user} uses and no archive has: {remedy}."


def archive_lacking(archives: Mapping[str, bytes], name: str, entry: str = "") -> str:
    """Return which of the archives has a class that names another, or a package, that none has; "" for none."""
    if any(path.startswith(entry or name) for jar in archives.values() for path in junit_jars.archive_entries(jar)):
        return ""
    return next((user for user, jar in archives.items() if junit_jars.names_in_archive(jar, name)), "")


def broken_test(unit: UnitMethod, course: "Course") -> str:
    """Return why a test compiles with no submission, or not with a reference in Java; or "". Raises HostError."""
    built = course.built[""]
    reference = {} if isinstance(built, HostError) or not probe.reference_files_for(unit, course.spec) else built
    errors = _compile(unit, course, reference)
    if reference:
        for match in (match for match in _ERROR.finditer(errors) if match["file"] == PurePosixPath(unit.file).name):
            symbol = _SYMBOL.search(match["more"])
            what = f" ({' '.join(symbol[1].split())})" if symbol else ""
            why = f"{quote(match['why'], most=160)}{what} ({match['place']})"
            return f"{unit.file} does not compile with the reference either: {why}"
        return ""
    if absent := sorted(set(filter(_OF_LIBRARIES.fullmatch, _ABSENT.findall(errors)))):
        packages = joined([quote(package) for package in absent[:3]], "and")
        return f"{unit.file} does not compile, whatever is handed in: no archive has {packages} (name it under `jars`)"
    if not _ERROR.search(errors) or _OF_OTHERS.search(errors):
        return ""
    error = find_cause(errors.encode()).error.replace(f"{junit_jars.TEST_FOLDER}/", "")
    return f"{unit.file} does not compile, whatever is handed in: {quote(error)}"


def _compile(unit: UnitMethod, course: "Course", reference: Mapping[str, bytes]) -> str:
    """Compile a test with a reference, or without anything where there is none, and return what the compiler says."""
    behind, build = [probe.reference_folder(unit, course.spec)] if reference else [], course.spec.build
    path = junit_jars.class_path(unit, course.spec, behind)
    argv = probe.javac_command(unit, path, *(("-sourcepath", *behind) if behind else ()))
    script = f"mkdir -p {junit_jars.TEST_FOLDER}/classes && {shlex.join(argv)}"
    jars = {name: build.files[name] for name in build.jars} if build and not reference else {}
    files = {**reference, **jars, **junit_jars.course_jars(unit), **probe.unit_files(unit)}
    launch = Launch(argv=("sh", "-c", script), files=files, limits=probe.REFERENCE_LIMITS)
    digest = hashlib.sha256(msgspec.msgpack.encode([script, sorted(files.items())])).hexdigest()
    key = ["unit fault with classes", VERSION, digest, dict(course.versions)]
    return course.cache.get_or_make(key, str, lambda: course.execute(launch).stderr.decode(errors="replace"))
