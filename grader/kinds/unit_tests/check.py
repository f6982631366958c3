"""Probable mistakes in unit tests of the course, and mutants for them: the tested reference with a changed source."""

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from grader.core.errors import GraderError, HostError
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Spec, Test
from grader.kinds import Flaw, flaw, lint_rule
from grader.kinds.unit_tests.audit import exchanges_share, inherited_methods
from grader.kinds.unit_tests.faults import archive_lacking, broken_test
from grader.kinds.unit_tests.java_text import find_java_methods, masked_java
from grader.kinds.unit_tests.junit_jars import archive_entries, course_archives
from grader.kinds.unit_tests.language import unit_methods
from grader.kinds.unit_tests.model import ALL_METHODS, UnitFramework, UnitMethod, method_of, unit_of, unit_run_of
from grader.kinds.unit_tests.probe import reference_files_for
from grader.kinds.unit_tests.python_text import decorators_without_meaning, makes_tests, python_methods
from grader.kinds.unit_tests.shipped import names_shared_with_hidden
from grader.kinds.unit_tests.suites import CollectedSuite, suite_of, why_idle

if TYPE_CHECKING:
    from grader.check.source_mutants import ReferenceProgram
    from grader.check.subject import Subject

_COMPANIONS = ("net/bytebuddy/", "org/objenesis/")  # without which Mockito, AssertJ and others do not work
_FILE_SOURCE = re.compile(r"@\s*CsvFileSource\s*\([^()]*\bresources\s*=\s*(\{[^{}]*\}|\"[^\"]*\")")
_RESOURCE = re.compile(r'"(/[^"\\]*)"')


def _files_of_tests(subject: "Subject", *frameworks: UnitFramework) -> Iterator[tuple[str, UnitMethod, list[Test]]]:
    """Iterate over the files of unit tests, each with the path of its first test, and all tests that have it."""
    files = dict[str, tuple[str, UnitMethod, list[Test]]]()
    for path, test in subject.tests():
        unit = unit_of(test.cases[0])
        if unit and (not frameworks or unit.framework in frameworks):
            files.setdefault(unit.file, (f"{path}.unit", unit, []))[2].append(test)
    return iter(files.values())


@lint_rule("unit-tests-alone")
def _unit_tests_alone(subject: "Subject") -> Iterator[Flaw]:
    worth = [(path, test) for path, test in subject.tests() if test.points]
    if worth and all(unit_of(case) for _, test in worth for case in test.cases):
        yield flaw(f"{worth[0][0]}.unit", "unit")


def _suites(subject: "Subject") -> Iterator[tuple[str, UnitMethod, CollectedSuite]]:
    """Yield what the framework collects from each file in Python, with the path of the first test that has it."""
    for path, unit, tests in _files_of_tests(subject):
        if subject.course and (suite := suite_of(tests[0].cases[0], subject.course)):
            yield path, unit, suite


@lint_rule("untested-method")
def _untested_methods(subject: "Subject") -> Iterator[Flaw]:
    collected = {unit.file: suite for _, unit, suite in _suites(subject)}
    for path, unit, tests in _files_of_tests(subject):
        *_, last = units = [member for test in tests for member in map(unit_of, test.cases) if member]
        methods, suite = {member.method for member in units}, collected.get(unit.file)
        candidates = suite.methods if suite and last.is_chosen else ()
        unseen = [candidate.name for candidate in candidates if not why_idle(candidate)]
        for method in dict.fromkeys((*unit_methods(unit.source, unit.framework), *unseen)):
            if method not in methods and ALL_METHODS not in methods:
                yield flaw(path, "method", method=method.rpartition(".")[2], file=unit.file)
        if suite and suite.guessed and makes_tests(unit.source):
            yield flaw(path, "guessed", file=unit.file)


@lint_rule("unit-test-broken")
def _broken_unit_tests(subject: "Subject") -> Iterator[Flaw]:
    course = subject.course
    cases = [case for test in course.spec.tests for case in test.cases] if course else []
    faults = {unit.fault: subject.path(case, "unit") for case in cases[::-1] if (unit := unit_of(case)) and unit.fault}
    for path, unit, tests in _files_of_tests(subject, "junit"):
        try:
            if fault := broken_test(unit, course.asked_in(tests[0].cases[0])) if course else "":
                faults[fault] = path
        except HostError as error:  # other rules report a machine on which nothing compiles
            subject.faults.append(error)
    for fault, path in faults.items():
        yield flaw(path, "fault", fault=fault)
    for path, unit, suite in _suites(subject):
        if suite.unknown:
            yield flaw(path, "unknown", file=unit.file, why=suite.unknown)


@lint_rule("idle-method")
def _idle_methods(subject: "Subject") -> Iterator[Flaw]:
    for path, unit, suite in _suites(subject):
        absent = f"is not found by {unit.framework}" if suite.is_certain else ""
        idle = dict.fromkeys(unit_methods(unit.source, unit.framework), absent)
        for name, why in (idle | {method.name: why_idle(method) for method in suite.methods}).items():
            if why:
                yield flaw(path, "python", name=name, file=unit.file, why=why)
    for path, unit, _ in _files_of_tests(subject, "junit"):
        for method in find_java_methods(unit.source.decode()):
            if method.idle:
                yield flaw(path, "java", name=method.name.rpartition(".")[2], file=unit.file, why=method.idle)


@lint_rule("hidden-beside-visible")
def _hidden_beside_visible(subject: "Subject") -> Iterator[Flaw]:
    for _, unit, tests in _files_of_tests(subject):
        shown = [test.visibility == "visible" for test in tests]
        if any(shown) and not all(shown) and (names := names_shared_with_hidden(unit, subject.spec)):
            path = next(path for path, test in subject.tests() if test is tests[shown.index(False)])
            yield flaw(f"{path}.unit", file=unit.file, names=names)


@lint_rule("decorator-without-effect")
def _meaningless_decorators(subject: "Subject") -> Iterator[Flaw]:
    for path, unit, tests in _files_of_tests(subject, "pytest", "unittest"):
        # What the tests say in the spec, as an import writes them.
        carried = {"visibility"} if any(test.visibility != "visible" for test in tests) else set[str]()
        carried |= {"number"} if any(re.match(r"[\w.]+\) ", test.name) for test in tests) else set()
        for name, method in decorators_without_meaning(unit.source, unit.framework).items():
            if name not in carried:
                yield flaw(path, name=name, method=method, file=unit.file)


@lint_rule("unchecked-share")
def _unchecked_shares(subject: "Subject") -> Iterator[Flaw]:
    for path, unit, _ in _files_of_tests(subject, "pytest", "unittest"):
        for method in python_methods(unit.source, unit.framework):
            named = " ".join(map(ast.unparse, method.node.decorator_list))
            if "partial_credit" in named and not exchanges_share(unit.source, method.name):
                yield flaw(path, method=method.name, file=unit.file)


@lint_rule("weights-without-effect")
def _weights_without_effect(subject: "Subject") -> Iterator[Flaw]:
    known = {test.name: test.cases for test in (subject.course.spec.tests if subject.course else ())}
    for path, test in subject.tests():
        where, cases = f"{path}.unit.weights", known.get(test.name, test.cases)
        unit = unit_of(cases[0])
        # Until a report or a framework is asked, one case may stand for all.
        is_known = len(cases) > 1 or (unit is not None and unit.method != ALL_METHODS)
        if where in subject.nodes and test.all_or_nothing:
            yield flaw(where, "all-or-nothing")
        elif where in subject.nodes and is_known and test.points and len({case.weight for case in cases}) == 1:
            # Without points it is @weight(0) that they come from.
            yield flaw(where, "equal")


@lint_rule("values-without-effect", each="tests")
def _values_without_effect(subject: "Subject", path: str, test: Test) -> Iterator[Flaw]:
    unit = unit_of(test.cases[0])
    answers = [answer.execution for answer in subject.answers if answer.test.name == test.name]
    runs = [unit_run_of(answer) if answer else None for answer in answers]
    if unit and unit.by_value and runs and all(run and run.is_recorded and run.values <= 1 for run in runs):
        yield flaw(f"{path}.unit.values", file=unit.file, framework=unit.framework)


@lint_rule("shared-process", each="tests")
def _shared_processes(_: "Subject", path: str, test: Test) -> Iterator[Flaw]:
    unit = unit_of(test.cases[0])
    if not unit or not unit.together:
        return
    if test.cases[0].stdin:
        yield flaw(f"{path}.unit", "input")
    if twice := inherited_methods(unit, [method_of(case).method for case in test.cases]):
        yield flaw(f"{path}.unit", "text", first=twice[0], second=twice[1], file=unit.file)


@lint_rule("unit-test-lacks")
def _lacking_archives(subject: "Subject") -> Iterator[Flaw]:
    for path, unit, _ in _files_of_tests(subject, "junit"):
        for companion in _COMPANIONS:
            if user := archive_lacking(course_archives(unit, subject.spec.build), companion):
                yield flaw(path, user=user, package=companion.strip("/").replace("/", "."))


@lint_rule("values-missing")
def _lacking_sources(subject: "Subject") -> Iterator[Flaw]:
    for path, unit, tests in _files_of_tests(subject, "junit"):
        archives = course_archives(unit, subject.spec.build).values()
        available = {*unit.helpers, *tests[0].cases[0].files, *subject.spec.files.required_names}
        available |= {entry for content in archives for entry in archive_entries(content)}
        text = masked_java(unit.source.decode("utf-8", "replace"), texts=False)
        named = (resource for value in _FILE_SOURCE.findall(text) for resource in _RESOURCE.findall(value))
        if missing := sorted(resource for resource in named if resource[1:] not in available):
            yield flaw(path, file=unit.file, missing=missing)


@lint_rule("sources-not-compiled")
def _uncompiled_sources(subject: "Subject") -> Iterator[Flaw]:
    if (build := subject.spec.build) and build.produces:
        return
    handed_in = [PurePosixPath(name) for name in subject.spec.files.required_names if name.endswith(".java")]
    for path, unit, _ in _files_of_tests(subject, "junit"):
        text = masked_java(unit.source.decode("utf-8", "replace"))
        if used := [name for name in handed_in if re.search(rf"\b{re.escape(name.stem)}\b", text)]:
            yield flaw(path, source=str(used[0]), file=unit.file, has_build=bool(build), handed_in=handed_in)


def excuse_reference(case: Case, spec: Spec, found: Execution | GraderError) -> str:
    """Excuse a reference none of whose files the unit test could be about, or where the test itself is broken."""
    unit = method_of(case)
    has_files = reference_files_for(unit, spec.with_reference(spec.reference_name(case) or ""))
    return unit.fault or (str(found) if isinstance(found, GraderError) and not has_files else "")


def entry_points(case: Case, program: "ReferenceProgram") -> frozenset[str]:
    """Return the functions of the reference that the test names, and those that modules use when they are run."""
    unit = method_of(case)
    used = program.used_in(unit.source) if unit.framework != "junit" else frozenset()
    # Methods that make, show and compare objects are called without their names.
    return program.top | {name for name in program.uses if name in used or name.startswith("__")}
