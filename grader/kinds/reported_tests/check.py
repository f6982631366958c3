"""Probable mistakes in tests that a command runs and reports."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from grader.core.lazy import lazy_regex
from grader.core.lint import lint_rule
from grader.core.model.spec import Test
from grader.core.text import count, listed, quote
from grader.kinds.reported_tests.model import NAMELESS, ReportedTestCase
from grader.kinds.unit_tests.model import unit_of

if TYPE_CHECKING:
    from grader.check.subject import Flaw, Subject


@lint_rule(None, "unit-tests-alone")
def reported_tests_alone(subject: "Subject") -> "Iterator[Flaw]":
    """Find specs all of whose points come of tests that run in the process of the submission."""
    worth = [(path, test) for path, test in subject.tests() if test.points]
    first = next((path for path, test in worth if ReportedTestCase.of(test.cases[0])), "")
    if first and all(unit_of(case) or ReportedTestCase.of(case) for _, test in worth for case in test.cases):
        flaw = "a student's code runs together with these tests, and can forge their report if it is made for that"
        yield f"{first}.unit", f"{flaw}: judge something from outside too, by args and expect or by functions"


@lint_rule("warning", "tests-handed-in")
def tests_handed_in(subject: "Subject") -> "Iterator[Flaw]":
    """A command that finds its tests in what was handed in runs the student's own, which all pass."""
    build = subject.spec.build
    for path, test in subject.tests():
        asked = ReportedTestCase.of(test.cases[0])
        if asked and not (asked.files or test.cases[0].files or (build and build.files)):
            flaw = "no file of the course's is there when the tests are run, so a submission decides what they are"
            yield f"{path}.unit.command", f"{flaw}: name the tests under with, there or in build"


@lint_rule("error", "nameless-tests", each="tests")
def nameless_tests(subject: "Subject", path: str, test: Test) -> "Iterator[Flaw]":
    """Which tests there are has to be known before a submission's report is read; else every case is ungraded."""
    asked = ReportedTestCase.of(test.cases[0])
    if asked and not asked.name and subject.spec.reference is None:
        yield f"{path}.unit.command", f"which tests it reports is not known: {NAMELESS}"


def _reported(subject: "Subject") -> Iterator[tuple[Test, str, list[ReportedTestCase]]]:
    """Yield each test, as it is known by the reference's report, with its path and what its cases ask."""
    for test in subject.course.spec.tests if subject.course else ():
        if asked := [payload for case in test.cases if (payload := ReportedTestCase.of(case))]:
            yield test, subject.path(test.cases[0], "unit"), asked


@lint_rule("warning", "todo-test", asks="reference")
def todo_tests(subject: "Subject") -> "Iterator[Flaw]":
    """jest-junit writes a `test.todo` as a test that passed."""
    for _, path, asked in _reported(subject):
        texts = [content.decode(errors="replace") for content in asked[0].files.values()]
        names = {todo["name"] for text in texts for todo in _TODO.finditer(text)}
        for payload in asked:
            # The names of its groups come before it, with the reporter's separator.
            if any(payload.name == name or payload.name.endswith(f" {name}") for name in names):
                flaw = f"{quote(payload.name)} is a test.todo, and passed in the report: everybody has its points"
                yield path, f"{flaw}: write the test, or take it out"


@lint_rule("warning", "uncounted-test", asks="reference")
def uncounted_tests(subject: "Subject") -> "Iterator[Flaw]":
    """A report is asked how it ended where it claims that all of the reference's tests passed."""
    known: dict[tuple[object, ...], tuple[str, int, dict[str, int]]] = {}
    for test, path, asked in _reported(subject):
        for case, payload in zip(test.cases, asked, strict=True):
            if payload.total and not payload.unavailable:
                _, _, counted = known.setdefault(
                    (payload.commands, payload.format, payload.source), (path, payload.total, {})
                )
                counted |= {payload.full or payload.name: payload.times} if case.weight and test.points else {}
    for path, total, counted in known.values():
        if (lacking := total - sum(counted.values())) > 0:
            counts = "count" if lacking > 1 else "counts"
            flaw = f"of {count(total, 'test')} in the reference's report {lacking} {counts} nowhere"
            effect = "so a submission that forges the report may do without, and need not end as the reference does"
            yield path, f"{flaw}, {effect}: let each count, or drop it from the tests"


_TODO = lazy_regex(r"\b(?:test|it)\.todo\(\s*(?P<quote>['\"`])(?P<name>.{1,300}?)(?P=quote)")


@lint_rule("warning", "idle-test", asks="reference")
def idle_tests(subject: "Subject") -> "Iterator[Flaw]":
    """A test that the reference's run skips, as `test.skip` and `#[ignore]` do, is no case of anybody's."""
    for _, path, asked in _reported(subject):
        for outcome, how in (("skipped", "skipped"), ("todo", "marked as TODO")):
            names = [quote(name) for name, reference in asked[0].idle if reference == outcome]
            are, cases = ("are", "no cases") if len(names) > 1 else ("is", "no case")
            flaw = f"{listed(names, most=3)} {are} {how} with the reference, so {cases}"
            if names:
                yield path, f"{flaw}: let the reference run what is to count"
