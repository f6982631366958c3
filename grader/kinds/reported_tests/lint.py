"""Probable mistakes in tests that a command runs and reports."""

from collections.abc import Iterator, Mapping

from grader.kinds.reported_tests.model import NAMELESS, reported_test_of
from grader.kinds.unit_tests.model import unit_of
from grader.lint.subject import Flaw, FlawFinder, LintRule, Subject


def reported_tests_alone(subject: Subject) -> Iterator[Flaw]:
    """Find specs all of whose points come of tests that run in the process of the submission."""
    worth = [(path, test) for path, test in subject.tests() if test.points]
    cases = [case for _, test in worth for case in test.cases]
    first = next((path for path, test in worth if reported_test_of(test.cases[0])), "")
    if first and all(unit_of(case) or reported_test_of(case) for case in cases):
        flaw = "a student's code runs together with these tests, and can forge their report if it is made for that"
        yield f"{first}.unit", f"{flaw}: judge something from outside too, by args and expect or by functions"


def tests_handed_in(subject: Subject) -> Iterator[Flaw]:
    """Find commands that get no file of the course's: which tests they run, the submission decides."""
    build = subject.spec.build
    for path, test in subject.tests():
        asked = reported_test_of(test.cases[0])
        if asked and not (asked.files or test.cases[0].files or (build and build.files)):
            flaw = "no file of the course's is there when the tests are run, so a submission decides what they are"
            yield f"{path}.unit.command", f"{flaw}: name the tests under with, there or in build"


def nameless_tests(subject: Subject) -> Iterator[Flaw]:
    """Find tests whose names neither the spec nor the report of a reference could say."""
    for path, test in subject.tests():
        asked = reported_test_of(test.cases[0])
        if asked and not asked.name and subject.spec.reference is None:
            yield f"{path}.unit.command", f"which tests it reports is not known: {NAMELESS}"


def reported_lint_rules() -> Mapping[str, LintRule | FlawFinder]:
    """Return the rules on reported tests."""
    return {
        "unit-tests-alone": reported_tests_alone,
        "nameless-tests": LintRule(
            "error",
            nameless_tests,
            "Which tests there are has to be known before a submission's report is read; else every case is ungraded.",
            after="reference-differs",
        ),
        "tests-handed-in": LintRule(
            "warning",
            tests_handed_in,
            "A command that finds its tests in what was handed in runs the student's own, which all pass.",
            after="reference-differs",
        ),
    }
