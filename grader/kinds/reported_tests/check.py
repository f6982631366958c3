"""Probable mistakes in tests that a command runs and reports."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from grader.core.lazy import lazy_regex
from grader.core.model.spec import Test
from grader.kinds import Flaw, flaw, lint_rule
from grader.kinds.reported_tests.model import NAMELESS, ReportedTestCase
from grader.kinds.unit_tests.model import unit_of

if TYPE_CHECKING:
    from grader.check.subject import Subject


@lint_rule("unit-tests-alone")
def _reported_tests_alone(subject: "Subject") -> Iterator[Flaw]:
    """Find specs all of whose points come of tests that run in the process of the submission."""
    worth = [(path, test) for path, test in subject.tests() if test.points]
    first = next((path for path, test in worth if ReportedTestCase.of(test.cases[0])), "")
    if first and all(unit_of(case) or ReportedTestCase.of(case) for _, test in worth for case in test.cases):
        yield flaw(f"{first}.unit", "reported")


@lint_rule("tests-handed-in")
def _tests_handed_in(subject: "Subject") -> Iterator[Flaw]:
    build = subject.spec.build
    for path, test in subject.tests():
        asked = ReportedTestCase.of(test.cases[0])
        if asked and not (asked.files or test.cases[0].files or (build and build.files)):
            yield flaw(f"{path}.unit.command")


@lint_rule("nameless-tests", each="tests")
def _nameless_tests(subject: "Subject", path: str, test: Test) -> Iterator[Flaw]:
    asked = ReportedTestCase.of(test.cases[0])
    if asked and not asked.name and subject.spec.reference is None:
        yield flaw(f"{path}.unit.command", remedy=NAMELESS)


def _reported(subject: "Subject") -> Iterator[tuple[Test, str, list[ReportedTestCase]]]:
    """Yield each test, as it is known by the reference's report, with its path and what its cases ask."""
    for test in subject.course.spec.tests if subject.course else ():
        if asked := [payload for case in test.cases if (payload := ReportedTestCase.of(case))]:
            yield test, subject.path(test.cases[0], "unit"), asked


@lint_rule("todo-test")
def _todo_tests(subject: "Subject") -> Iterator[Flaw]:
    for _, path, asked in _reported(subject):
        texts = [content.decode(errors="replace") for content in asked[0].files.values()]
        names = {todo["name"] for text in texts for todo in _TODO.finditer(text)}
        for payload in asked:
            # The names of its groups come before it, with the reporter's separator.
            if any(payload.name == name or payload.name.endswith(f" {name}") for name in names):
                yield flaw(path, name=payload.name)


@lint_rule("uncounted-test")
def _uncounted_tests(subject: "Subject") -> Iterator[Flaw]:
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
            yield flaw(path, total=total, lacking=lacking)


_TODO = lazy_regex(r"\b(?:test|it)\.todo\(\s*(?P<quote>['\"`])(?P<name>.{1,300}?)(?P=quote)")


@lint_rule("idle-test")
def _idle_tests(subject: "Subject") -> Iterator[Flaw]:
    for _, path, asked in _reported(subject):
        for outcome in ("skipped", "todo"):
            if names := [name for name, reference in asked[0].idle if reference == outcome]:
                yield flaw(path, names=names, outcome=outcome)
