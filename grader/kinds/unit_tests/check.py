"""Probable mistakes in unit tests of the course, and mutants for them: the tested reference with a changed source."""

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from grader.core.errors import GraderError, HostError
from grader.core.lint import lint_rule
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Spec, Test
from grader.core.text import joined, listed, quote
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
    from grader.check.subject import Flaw, Subject

_BY_VALUES = {"junit": "@ParameterizedTest", "pytest": "parametrize", "unittest": "subTest"}
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


@lint_rule("warning", "unit-tests-alone")
def unit_tests_alone(subject: "Subject") -> "Iterator[Flaw]":
    """What a unit test says comes out of the process in which the student's code runs."""
    worth = [(path, test) for path, test in subject.tests() if test.points]
    if worth and all(unit_of(case) for _, test in worth for case in test.cases):
        flaw = "a student's code runs in the process of a unit test, and can forge what comes of it if it is made for"
        remedy = "judge something from outside too, by args and expect or by functions"
        yield f"{worth[0][0]}.unit", f"{flaw} that: {remedy}"


def _suites(subject: "Subject") -> Iterator[tuple[str, UnitMethod, CollectedSuite]]:
    """Yield what the framework collects from each file in Python, with the path of the first test that has it."""
    for path, unit, tests in _files_of_tests(subject):
        if subject.course and (suite := suite_of(tests[0].cases[0], subject.course)):
            yield path, unit, suite


@lint_rule("warning", "untested-method", takes_course=True)
def untested_methods(subject: "Subject") -> "Iterator[Flaw]":
    """A method that was added to a unit test, and is in no list of `only`, counts for nobody."""
    collected = {unit.file: suite for _, unit, suite in _suites(subject)}
    for path, unit, tests in _files_of_tests(subject):
        *_, last = units = [member for test in tests for member in map(unit_of, test.cases) if member]
        methods, suite = {member.method for member in units}, collected.get(unit.file)
        candidates = suite.methods if suite and last.is_chosen else ()
        unseen = [candidate.name for candidate in candidates if not why_idle(candidate)]
        for method in dict.fromkeys((*unit_methods(unit.source, unit.framework), *unseen)):
            if method not in methods and ALL_METHODS not in methods:
                flaw = f"{method.rpartition('.')[2]} of {unit.file} is in no test, and counts nowhere"
                yield path, f"{flaw}: name it under only, or drop it there"
        if suite and suite.guessed and makes_tests(unit.source):
            flaw = f"{unit.file} may make tests of what is handed in, and they would count nowhere"
            yield path, f"{flaw}: name a reference that has them, or name them under only"


@lint_rule("error", "unit-test-broken", takes_course=True)
def broken_unit_tests(subject: "Subject") -> "Iterator[Flaw]":
    """A test of the course's that does not compile, or cannot be loaded, says nothing about a submission."""
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
        yield path, f"{fault}: every submission would be ungraded"
    for path, unit, suite in _suites(subject):
        if suite.unknown:
            yield path, f"{unit.file} cannot be collected: {suite.unknown}"


@lint_rule("warning", "idle-method", takes_course=True)
def idle_methods(subject: "Subject") -> "Iterator[Flaw]":
    """A method that is skipped, disabled, private or static is run by nobody, and counts nowhere."""
    for path, unit, suite in _suites(subject):
        absent = f"is not found by {unit.framework}" if suite.is_certain else ""
        idle = dict.fromkeys(unit_methods(unit.source, unit.framework), absent)
        for name, why in (idle | {method.name: why_idle(method) for method in suite.methods}).items():
            if why:
                yield path, f"{name} of {unit.file} {why}: it is no case"
    for path, unit, _ in _files_of_tests(subject, "junit"):
        for method in find_java_methods(unit.source.decode()):
            if method.idle:
                name = method.name.rpartition(".")[2]
                yield path, f"{name} of {unit.file} {method.idle}, so JUnit does not run it: no case"


@lint_rule("warning", "hidden-beside-visible")
def hidden_beside_visible(subject: "Subject") -> "Iterator[Flaw]":
    """A student's program can print what lies in the file of a visible unit test."""
    for _, unit, tests in _files_of_tests(subject):
        shown = [test.visibility == "visible" for test in tests]
        if any(shown) and not all(shown) and (names := names_shared_with_hidden(unit, subject.spec)):
            path = next(path for path, test in subject.tests() if test is tests[shown.index(False)])
            what = f"{listed(names, most=3)}, which can be read where its visible tests run"
            flaw = f"hidden tests of {unit.file} use {what}"
            yield f"{path}.unit", f"{flaw}: put the hidden ones into a file of their own"


@lint_rule("warning", "decorator-without-effect")
def meaningless_decorators(subject: "Subject") -> "Iterator[Flaw]":
    """A decorator of another autograder hides nothing, orders nothing and ranks nobody here."""
    for path, unit, tests in _files_of_tests(subject, "pytest", "unittest"):
        # What the tests say in the spec, as an import writes them.
        carried = {"visibility"} if any(test.visibility != "visible" for test in tests) else set[str]()
        carried |= {"number"} if any(re.match(r"[\w.]+\) ", test.name) for test in tests) else set()
        for name, method in decorators_without_meaning(unit.source, unit.framework).items():
            own = "give these methods a test of their own, with visibility"
            if name not in carried:
                remedy = own if name == "visibility" else "take it out"
                yield path, f"@{name} of {method} in {unit.file} has no effect here: {remedy}"


@lint_rule("warning", "unchecked-share")
def unchecked_shares(subject: "Subject") -> "Iterator[Flaw]":
    """A share that a method sets by set_score comes out of the process in which the student's code runs."""
    for path, unit, _ in _files_of_tests(subject, "pytest", "unittest"):
        for method in python_methods(unit.source, unit.framework):
            named = " ".join(map(ast.unparse, method.node.decorator_list))
            if "partial_credit" in named and not exchanges_share(unit.source, method.name):
                flaw = f"the share that {method.name} of {unit.file} sets is taken as the program's process says it"
                remedy = "write its points as a number, and call set_score in the method itself"
                yield path, f"{flaw}, since no other can take its place: {remedy}"


@lint_rule("warning", "weights-without-effect", takes_course=True)
def weights_without_effect(subject: "Subject") -> "Iterator[Flaw]":
    """Weights share the points of a test, and these share nothing."""
    known = {test.name: test.cases for test in (subject.course.spec.tests if subject.course else ())}
    for path, test in subject.tests():
        where, cases = f"{path}.unit.weights", known.get(test.name, test.cases)
        unit = unit_of(cases[0])
        # Until a report or a framework is asked, one case may stand for all.
        is_known = len(cases) > 1 or (unit is not None and unit.method != ALL_METHODS)
        if where in subject.nodes and test.all_or_nothing:
            yield where, "all_or_nothing gives all points or none, however much a method counts: take one of them out"
        elif where in subject.nodes and is_known and test.points and len({case.weight for case in cases}) == 1:
            # Without points it is @weight(0) that they come from.
            yield where, "all methods of this test count the same, as they do without weights: take them out"


@lint_rule("error", "values-without-effect", asks="reference", each="tests")
def values_without_effect(subject: "Subject", path: str, test: Test) -> "Iterator[Flaw]":
    """Points that are to be shared among the values of a method are shared by nothing where each has one."""
    unit = unit_of(test.cases[0])
    answers = [answer.execution for answer in subject.answers if answer.test.name == test.name]
    runs = [unit_run_of(answer) if answer else None for answer in answers]
    if unit and unit.by_value and runs and all(run and run.is_recorded and run.values <= 1 for run in runs):
        flaw = f"no method of {unit.file} is run with several values, as by `{_BY_VALUES[unit.framework]}`"
        yield f"{path}.unit.values", f"{flaw}: take values out"


@lint_rule("warning", "shared-process", each="tests")
def shared_processes(_: "Subject", path: str, test: Test) -> "Iterator[Flaw]":
    """What methods share beside their process makes one of them depend on another, or easier to forge."""
    unit = unit_of(test.cases[0])
    if not unit or not unit.together:
        return
    if test.cases[0].stdin:
        flaw = "the methods share one process (together) and its input: the first that reads takes it from the"
        yield f"{path}.unit", f"{flaw} others, so take stdin or together out"
    if twice := inherited_methods(unit, [method_of(case).method for case in test.cases]):
        flaw = "one text, so a program that does one of them right sees whether the other is inverted"
        yield f"{path}.unit", f"{twice[0]} and {twice[1]} of {unit.file} are {flaw}: take together out"


@lint_rule("warning", "unit-test-lacks")
def lacking_archives(subject: "Subject") -> "Iterator[Flaw]":
    """A library without the libraries that it needs ends tests with a class that is not found."""
    for path, unit, _ in _files_of_tests(subject, "junit"):
        for companion in _COMPANIONS:
            if user := archive_lacking(course_archives(unit, subject.spec.build), companion):
                package = quote(companion.strip("/").replace("/", "."))
                yield path, f"{user} needs {package}, which no archive has: name its archive under jars"


@lint_rule("error", "values-missing")
def lacking_sources(subject: "Subject") -> "Iterator[Flaw]":
    """A parametrized test without its values never runs, and nobody gets its points."""
    for path, unit, tests in _files_of_tests(subject, "junit"):
        archives = course_archives(unit, subject.spec.build).values()
        available = {*unit.helpers, *tests[0].cases[0].files, *subject.spec.files.required_names}
        available |= {entry for content in archives for entry in archive_entries(content)}
        text = masked_java(unit.source.decode("utf-8", "replace"), texts=False)
        named = (resource for value in _FILE_SOURCE.findall(text) for resource in _RESOURCE.findall(value))
        if missing := sorted(resource for resource in named if resource[1:] not in available):
            files = joined([quote(resource) for resource in missing], "and")
            yield path, f"{unit.file} takes values from {files}, which is not there: name it under with"


@lint_rule("error", "sources-not-compiled")
def uncompiled_sources(subject: "Subject") -> "Iterator[Flaw]":
    """A test for JUnit is compiled with the classes of the build, and a source that is handed in is none."""
    if (build := subject.spec.build) and build.produces:
        return
    handed_in = [PurePosixPath(name) for name in subject.spec.files.required_names if name.endswith(".java")]
    for path, unit, _ in _files_of_tests(subject, "junit"):
        text = masked_java(unit.source.decode("utf-8", "replace"))
        if used := [name for name in handed_in if re.search(rf"\b{re.escape(name.stem)}\b", text)]:
            run = "" if build else f"build: {{run: javac {' '.join(map(str, handed_in))}, "
            what = f"nothing provides the classes of {quote(str(used[0]))} to {unit.file}, and nobody gets points"
            yield path, f"{what}: add {run}produces: ['*.class']{'}' if run else ' to build'}"


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
