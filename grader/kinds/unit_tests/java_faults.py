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

import msgspec

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
_OF_LIBRARIES = re.compile(
    r"(?:javax?|jakarta|junit|lombok|org\.(?:junit|hamcrest|assertj|mockito|powermock|testng|apache|slf4j|json|jetbrains)"
    r"|org\.(?:opentest4j|apiguardian)|net\.jqwik|com\.(?:google|gradescope|fasterxml)|edu\.berkeley\.cs\.jh61b"
    r"|edu\.princeton\.cs)(?:\..*)?"
)
"""packages that no student writes"""


def find_course_fault(unit: UnitMethod, errors: bytes, course: "Course") -> str:
    """Return why a test that does not compile with a submission is the course's own fault; "" where it is not.

    `errors` is what the compiler wrote. Raises HostError when the sandbox fails.
    """
    if not _reference_of(unit, course):
        return broken_test(unit, course)
    with_reference = _split_errors(_compile(unit, course), unit)
    shared = [error for error in _split_errors(errors.decode(errors="replace"), unit) if error in with_reference]
    return _describe(unit, shared[0]) if shared else ""


def broken_test(unit: UnitMethod, course: "Course") -> str:
    """Return why a test compiles with no submission, as far as that is certain; "" otherwise."""
    if _reference_of(unit, course):
        found = _split_errors(_compile(unit, course), unit)
        return _describe(unit, found[0]) if found else ""
    raw = [*_RAW.finditer(_compile(unit, course, "-XDrawDiagnostics"))]
    details = {one["detail"] or "" for one in raw if one["key"] == "doesnt.exist"}
    if absent := sorted(filter(_OF_LIBRARIES.fullmatch, details)):
        packages = joined([quote(one) for one in absent[:3]], "and")
        return f"{unit.file} does not compile, whatever is handed in: no archive has {packages} (name it under `jars`)"
    if not raw or any(one["key"].startswith(_OF_OTHERS) for one in raw):
        return ""
    error = find_cause(_compile(unit, course).encode()).error.replace(f"{TEST_FOLDER}/", "")
    return f"{unit.file} does not compile, whatever is handed in: {quote(error)}"


def _describe(unit: UnitMethod, error: str) -> str:
    first, *more = error.splitlines()
    symbol = next((f" ({' '.join(line.split())})" for line in more if line.strip().startswith("symbol:")), "")
    line, _, why = first.partition(": error: ")
    return f"{unit.file} does not compile with the reference either: {quote(why, most=160)}{symbol} ({line})"


def _reference_of(unit: UnitMethod, course: "Course") -> dict[str, bytes]:
    """Return the files of a reference in Java; empty where there is none."""
    is_built = not isinstance(course.reference_built, Exception) and reference_files_for(unit, course.spec)
    return dict(course.reference_built) if is_built and not isinstance(course.reference_built, Exception) else {}


def _compile(unit: UnitMethod, course: "Course", *options: str) -> str:
    """Compile a test with the reference, or without anything where there is none, and return what the compiler says."""
    files, behind = _reference_of(unit, course), list[str]()
    if files:
        behind = [reference_folder(unit, course.spec)]
        options = (*options, "-sourcepath", *behind)
    elif course.spec.build:
        files = {name: course.spec.build.files[name] for name in course.spec.build.jars}
    argv = javac_command(unit, path=class_path(unit, (), course.spec, behind), options=options)
    script = f"mkdir -p {TEST_FOLDER}/classes && {shlex.join(argv)}"
    files |= {**course_jars(unit), **unit_files(unit)}
    launch = Launch(argv=("sh", "-c", script), files=files, limits=REFERENCE_LIMITS)
    digest = hashlib.sha256(msgspec.msgpack.encode([script, sorted(files.items())])).hexdigest()
    key = ["unit fault with classes", VERSION, digest, dict(course.versions)]
    return course.cache.get_or_make(key, str, lambda: course.execute(launch).stderr.decode(errors="replace"))


def _split_errors(text: str, unit: UnitMethod) -> list[str]:
    """Return the errors in the test, each with the lines that say what it is about."""
    name = unit.file.rpartition("/")[2]
    found = []
    for error, following in pairwise((*_ERROR.finditer(text), None)):
        if error and error["file"] == name:
            block = text[error.start("file") : following.start() if following else len(text)]
            found.append(re.sub(r"\n\d+ errors?\s*\Z", "", block).strip())
    return found
