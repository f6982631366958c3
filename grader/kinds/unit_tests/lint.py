"""Probable mistakes in the course's unit tests."""

import ast
import re
from collections.abc import Iterator, Mapping

from grader.core.errors import HostError
from grader.core.text import listed
from grader.kinds.unit_tests import java_lint
from grader.kinds.unit_tests.audit import exchanges_share, inherited_methods
from grader.kinds.unit_tests.java_faults import broken_test
from grader.kinds.unit_tests.java_text import find_java_methods, masked_java
from grader.kinds.unit_tests.model import ALL_METHODS, UnitFramework, UnitMethod, unit_of, unit_run_of
from grader.kinds.unit_tests.python_text import decorators_without_meaning, makes_tests, python_methods
from grader.kinds.unit_tests.reader import unit_methods
from grader.kinds.unit_tests.shipped import names_shared_with_hidden
from grader.kinds.unit_tests.suites import CollectedSuite, suite_of, why_idle
from grader.lint.subject import Flaw, FlawFinder, LintRule, Subject, lint_rule, rules_in

_BY_VALUES: Mapping[UnitFramework, str] = {
    "junit": "@ParameterizedTest",
    "pytest": "parametrize",
    "unittest": "subTest",
}
_INSTEAD: Mapping[str, str] = {"visibility": "give these methods a test of their own, with visibility"}


@lint_rule("warning", "unit-tests-alone")
def unit_tests_alone(subject: Subject) -> Iterator[Flaw]:
    """What a unit test says comes out of the process in which the student's code runs."""
    worth = [(path, test) for path, test in subject.tests() if test.points]
    if worth and all(unit_of(case) for _, test in worth for case in test.cases):
        flaw = (
            "a student's code runs in the process of a unit test, and can forge what comes of it if it is made for that"
        )
        yield f"{worth[0][0]}.unit", f"{flaw}: judge something from outside too, by args and expect or by functions"


@lint_rule("warning", "untested-method")
def untested_methods(subject: Subject) -> Iterator[Flaw]:
    """A method that was added to a unit test, and is in no list of `only`, counts for nobody."""
    wanted: dict[str, tuple[str, set[str]]] = {}
    for path, test in subject.tests():
        for unit in filter(None, map(unit_of, test.cases)):
            wanted.setdefault(unit.file, (f"{path}.unit", set()))[1].add(unit.method)
    every = {unit.file: unit for _, test in subject.tests() for unit in filter(None, map(unit_of, test.cases))}
    collected = {unit.file: suite for _, unit, suite in _suites(subject)}
    for file, (path, methods) in wanted.items():
        suite = collected.get(file)
        unseen = [one.name for one in suite.methods if not why_idle(one)] if suite and every[file].is_chosen else []
        for method in dict.fromkeys((*unit_methods(every[file].source, every[file].framework), *unseen)):
            if method not in methods and ALL_METHODS not in methods:
                name = method.rpartition(".")[2]
                yield path, f"{name} of {file} is in no test, and counts nowhere: name it under only, or drop it there"
        if suite and suite.guessed and makes_tests(every[file].source):
            flaw = f"{file} may make tests of what is handed in, and they would count nowhere"
            yield path, f"{flaw}: name a reference that has them, or name them under only"


def _suites(subject: Subject) -> Iterator[tuple[str, UnitMethod, CollectedSuite]]:
    """Yield what the framework collects from each file in Python, with the path of the first test that has it."""
    seen: set[str] = set()
    for path, test in subject.tests():
        unit = unit_of(test.cases[0])
        if subject.course and unit and unit.file not in seen and (suite := suite_of(test.cases[0], subject.course)):
            seen.add(unit.file)
            yield f"{path}.unit", unit, suite


@lint_rule("error", "unit-test-broken", takes_course=True)
def broken_unit_tests(subject: Subject) -> Iterator[Flaw]:
    """A test of the course's that does not compile, or cannot be loaded, says nothing about a submission."""
    yield from _broken_in_python(subject)
    seen: set[str] = set()
    for path, test in subject.tests():
        for case in test.cases:
            unit = unit_of(case)
            if subject.course and unit and unit.framework == "junit" and unit.file not in seen:
                seen.add(unit.file)
                try:
                    fault = broken_test(unit, subject.course.asked_in(case))
                except HostError:  # a machine on which nothing compiles is told elsewhere
                    continue
                if fault:
                    yield f"{path}.unit", f"{fault}: every submission would be ungraded"


def _broken_in_python(subject: Subject) -> Iterator[Flaw]:
    told: set[str] = set()
    for test in subject.course.spec.tests if subject.course else ():
        for case in test.cases:
            unit = unit_of(case)
            if unit and unit.fault and unit.fault not in told:
                told.add(unit.fault)
                yield subject.path(case, "unit"), f"{unit.fault}: every submission would be ungraded"
    for path, unit, suite in _suites(subject):
        if suite.unknown:
            yield path, f"{unit.file} cannot be collected: {suite.unknown}"


@lint_rule("warning", "idle-method")
def idle_methods(subject: Subject) -> Iterator[Flaw]:
    """A method that is skipped, disabled, private or static is run by nobody, and counts nowhere."""
    for path, unit, suite in _suites(subject):
        collected = {one.name: one for one in suite.methods}
        for name in dict.fromkeys((*unit_methods(unit.source, unit.framework), *collected)):
            found = collected.get(name)
            why = why_idle(found) if found else f"is not found by {unit.framework}" if suite.is_certain else ""
            if why:
                yield path, f"{name} of {unit.file} {why}: it is no case"
    seen: set[str] = set()
    for path, test in subject.tests():
        for unit in filter(None, map(unit_of, test.cases)):
            if unit.framework == "junit" and unit.file not in seen:
                seen.add(unit.file)
                for method in find_java_methods(masked_java(unit.source.decode())):
                    if method.idle:
                        name = method.name.rpartition(".")[2]
                        yield f"{path}.unit", f"{name} of {unit.file} {method.idle}, so JUnit does not run it: no case"


@lint_rule("warning", "hidden-beside-visible")
def hidden_beside_visible(subject: Subject) -> Iterator[Flaw]:
    """A student's program can print what lies in the file of a visible unit test."""
    found: dict[str, dict[str, str]] = {}
    units: dict[str, UnitMethod] = {}
    for path, test in subject.tests():
        for unit in filter(None, map(unit_of, test.cases)):
            found.setdefault(unit.file, {}).setdefault(test.visibility, path)
            units.setdefault(unit.file, unit)
    for file, paths in found.items():
        names = names_shared_with_hidden(units[file], subject.spec) if "visible" in paths and len(paths) > 1 else []
        if names:
            path = next(path for visibility, path in paths.items() if visibility != "visible")
            flaw = f"hidden tests of {file} use {listed(names, most=3)}, which can be read where its visible tests run"
            yield f"{path}.unit", f"{flaw}: put the hidden ones into a file of their own"


@lint_rule("warning", "decorator-without-effect")
def meaningless_decorators(subject: Subject) -> Iterator[Flaw]:
    """A decorator of another autograder hides nothing, orders nothing and ranks nobody here."""
    seen = set[str]()
    for path, test in subject.tests():
        unit = unit_of(test.cases[0])
        if unit is None or unit.framework == "junit" or unit.file in seen:
            continue
        seen.add(unit.file)
        methods = list(python_methods(unit.source, unit.framework))
        carried = set(_decorators_in_spec(subject, unit.file))
        for name, method in decorators_without_meaning(methods, unit.source).items():
            if name in carried:
                continue
            remedy = _INSTEAD.get(name, "take it out")
            yield f"{path}.unit", f"@{name} of {method} in {unit.file} has no effect here: {remedy}"


@lint_rule("warning", "unchecked-share")
def unchecked_shares(subject: Subject) -> Iterator[Flaw]:
    """A share that a method sets by set_score comes out of the process in which the student's code runs."""
    seen = set[str]()
    for path, test in subject.tests():
        unit = unit_of(test.cases[0])
        if unit is None or unit.framework == "junit" or unit.file in seen:
            continue
        seen.add(unit.file)
        for method in python_methods(unit.source, unit.framework):
            named = " ".join(map(ast.unparse, method.node.decorator_list))
            if "partial_credit" in named and not exchanges_share(unit.source, method.name):
                flaw = f"the share that {method.name} of {unit.file} sets is taken as the program's process says it"
                remedy = "write its points as a number, and call set_score in the method itself"
                yield f"{path}.unit", f"{flaw}, since no other can take its place: {remedy}"


def _decorators_in_spec(subject: Subject, file: str) -> Iterator[str]:
    """Yield the decorators of which the tests of a file say the same in the spec, as an import writes them."""
    tests = [test for _, test in subject.tests() if (unit := unit_of(test.cases[0])) and unit.file == file]
    if any(test.visibility != "visible" for test in tests):
        yield "visibility"
    if any(re.match(r"[\w.]+\) ", test.name) for test in tests):
        yield "number"


@lint_rule("warning", "weights-without-effect")
def weights_without_effect(subject: Subject) -> Iterator[Flaw]:
    """Weights share the points of a test, and these share nothing."""
    known = {test.name: test.cases for test in (subject.course.spec.tests if subject.course else ())}
    for path, test in subject.tests():
        if f"{path}.unit.weights" not in subject.source.places:
            continue
        where, cases = f"{path}.unit.weights", known.get(test.name, test.cases)
        unit = unit_of(cases[0])
        # Until a report or a framework is asked, one case may stand for all.
        is_known = len(cases) > 1 or (unit is not None and unit.method != ALL_METHODS)
        if test.all_or_nothing:
            yield where, "all_or_nothing gives all points or none, however much a method counts: take one of them out"
        elif (
            is_known and len({case.weight for case in cases}) == 1 and test.points
        ):  # else @weight(0) would leave it no case
            yield where, "all methods of this test count the same, as they do without weights: take them out"


@lint_rule("error", "values-without-effect", asks="reference")
def values_without_effect(subject: Subject) -> Iterator[Flaw]:
    """Points that are to be shared among the values of a method are shared by nothing where each has one."""
    for path, test in subject.tests():
        unit = unit_of(test.cases[0])
        if unit is None or not unit.by_value:
            continue
        answers = [one.execution for one in subject.answers if one.test.name == test.name]
        runs = [unit_run_of(one) for one in answers if one is not None]
        if answers and len(runs) == len(answers) and all(run and run.is_recorded and run.values <= 1 for run in runs):
            flaw = f"no method of {unit.file} is run with several values, as by `{_BY_VALUES[unit.framework]}`"
            yield f"{path}.unit.values", f"{flaw}: take values out"


@lint_rule("warning", "shared-process")
def shared_processes(subject: Subject) -> Iterator[Flaw]:
    """What methods share beside their process makes one of them depend on another, or easier to forge."""
    for path, test in subject.tests():
        unit = unit_of(test.cases[0])
        if unit is None or not unit.together:
            continue
        if test.cases[0].stdin:
            flaw = (
                "the methods share one process (together) and its input: the first that reads takes it from the others"
            )
            yield f"{path}.unit", f"{flaw}, so take stdin or together out"
        if twice := inherited_methods(unit, [one.method for one in map(unit_of, test.cases) if one]):
            flaw = "one text, so a program that does one of them right sees whether the other is inverted"
            yield f"{path}.unit", f"{twice[0]} and {twice[1]} of {unit.file} are {flaw}: take together out"


def unit_lint_rules() -> Mapping[str, LintRule | FlawFinder]:
    """Return the rules on unit tests."""
    return {**rules_in(__name__), **rules_in(java_lint.__name__)}
