"""Whose fault it is that a test in Java does not compile: the student's, or the course's own.

Nothing that is handed in has a part in the answer, so nobody turns a zero into an ungraded case. Where the reference is
in Java, the test is compiled with that: only an error which it has there too is the course's. Otherwise the test is
compiled alone: an error of its syntax is the course's, and so is a library that is not there.
"""

import hashlib
import re
import shlex
from itertools import pairwise
from typing import TYPE_CHECKING

from grader.core.diagnosis import find_cause
from grader.core.model import VERSION
from grader.core.model.execution import Launch
from grader.core.text import joined, quote
from grader.kinds.unit_tests.junit_jars import class_path, course_jars
from grader.kinds.unit_tests.model import UnitMethod
from grader.kinds.unit_tests.probe import (
    REFERENCE_LIMITS,
    TEST_FOLDER,
    javac_command,
    reference_files_for,
    reference_folder,
    unit_files,
)

if TYPE_CHECKING:
    from grader.core.course import Course

_ERROR = re.compile(r"^\S*?(?P<file>[^/\s:]+\.java):(?P<line>\d+): error: ", re.MULTILINE)
_RAW = re.compile(r"^\S+\.java:(?P<line>\d+):\d+: compiler\.err\.(?P<key>[\w.]+)(?:: (?P<detail>.*))?$", re.MULTILINE)
_OF_OTHERS = ("cant.resolve", "doesnt.exist", "cant.access", "not.def")
"""errors that a class may cause which is to be handed in"""
_LIBRARIES = (
    *("java", "javax", "jakarta", "junit", "org.junit", "org.hamcrest", "org.assertj", "org.mockito", "org.powermock"),
    *(
        "org.testng",
        "net.jqwik",
        "com.google",
        "com.gradescope",
        "com.fasterxml",
        "org.apache",
        "org.slf4j",
        "org.json",
    ),
    *("edu.berkeley.cs.jh61b", "edu.princeton.cs", "org.jetbrains", "org.opentest4j", "org.apiguardian", "lombok"),
)
"""packages that no student writes"""


def find_course_fault(unit: UnitMethod, errors: bytes, course: "Course") -> str:
    """Return why a test that does not compile with a submission is the course's own fault; "" where it is not.

    `errors` is what the compiler wrote. Raises HostError when the sandbox fails.
    """
    if not _has_reference(unit, course):
        return broken_test(unit, course)
    with_reference = _errors_with_reference(unit, course)
    shared = [error for error in _split_errors(errors.decode(errors="replace"), unit) if error in with_reference]
    return _describe(unit, shared[0]) if shared else ""


def broken_test(unit: UnitMethod, course: "Course") -> str:
    """Return why a test compiles with no submission, as far as that is certain; "" otherwise."""
    if _has_reference(unit, course):
        found = _errors_with_reference(unit, course)
        return _describe(unit, found[0]) if found else ""
    return course.cache.get_or_make(_key("alone", unit, course), str, lambda: _broken_alone(unit, course))


def _has_reference(unit: UnitMethod, course: "Course") -> bool:
    return not isinstance(course.reference_built, Exception) and bool(reference_files_for(unit, course.spec))


def _describe(unit: UnitMethod, error: str) -> str:
    first, *more = error.splitlines()
    symbol = next((f" ({' '.join(line.split())})" for line in more if line.strip().startswith("symbol:")), "")
    line, _, why = first.partition(": error: ")
    return f"{unit.file} does not compile with the reference either: {quote(why, most=160)}{symbol} ({line})"


def _key(what: str, unit: UnitMethod, course: "Course") -> list[object]:
    digest = hashlib.sha256(unit.source)
    files = {**course_jars(unit), **unit_files(unit)}
    if what != "alone" and not isinstance(course.reference_built, Exception):
        files |= course.reference_built
    for name in sorted(files):
        digest.update(f"\0{name}\0{len(files[name])}\0".encode() + files[name])
    return ["unit fault with classes", VERSION, what, unit.file, digest.hexdigest(), dict(course.versions)]


def _errors_with_reference(unit: UnitMethod, course: "Course") -> list[str]:
    """Return the errors in the test that it has with the reference."""

    def compiled() -> list[str]:
        built = {} if isinstance(course.reference_built, Exception) else course.reference_built
        within = reference_folder(unit, course.spec)
        argv = javac_command(unit, path=class_path(unit, (), course.spec, (within,)), options=("-sourcepath", within))
        return _split_errors(_run(unit, argv, course, dict(built)), unit)

    return course.cache.get_or_make(_key("reference", unit, course), list[str], compiled)


def _broken_alone(unit: UnitMethod, course: "Course") -> str:
    argv = javac_command(unit, path=class_path(unit, (), course.spec, ()))
    jars = {name: course.spec.build.files[name] for name in course.spec.build.jars} if course.spec.build else {}
    raw = [*_RAW.finditer(_run(unit, (*argv[:1], "-XDrawDiagnostics", *argv[1:]), course, jars))]
    details = [one["detail"] or "" for one in raw if one["key"] == "doesnt.exist"]
    if absent := sorted({one for one in details if any(f"{one}.".startswith(f"{name}.") for name in _LIBRARIES)}):
        packages = joined([quote(one) for one in absent[:3]], "and")
        return f"{unit.file} does not compile, whatever is handed in: no archive has {packages} (name it under `jars`)"
    if not raw or any(one["key"].startswith(_OF_OTHERS) for one in raw):
        return ""
    error = find_cause(_run(unit, argv, course, jars).encode()).error.replace(f"{TEST_FOLDER}/", "")
    return f"{unit.file} does not compile, whatever is handed in: {quote(error)}"


def _run(unit: UnitMethod, argv: tuple[str, ...], course: "Course", files: dict[str, bytes]) -> str:
    files = {**files, **course_jars(unit), **unit_files(unit)}
    script = f"mkdir -p {TEST_FOLDER}/classes && {shlex.join(argv)}"
    found = course.execute(Launch(argv=("sh", "-c", script), files=files, limits=REFERENCE_LIMITS))
    return found.stderr.decode(errors="replace")


def _split_errors(text: str, unit: UnitMethod) -> list[str]:
    """Return the errors in the test, each with the lines that say what it is about."""
    name = unit.file.rpartition("/")[2]
    found = []
    for error, following in pairwise((*_ERROR.finditer(text), None)):
        if error and error["file"] == name:
            block = text[error.start("file") : following.start() if following else len(text)]
            found.append(re.sub(r"\n\d+ errors?\s*\Z", "", block).strip())
    return found
