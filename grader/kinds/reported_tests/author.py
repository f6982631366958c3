"""Reported tests in a handout: the command that runs them, and their names where these are known."""

from collections.abc import Iterator, Sequence

from grader.core.model.spec import Case, Spec
from grader.core.report.document import code
from grader.kinds.reported_tests.model import ReportedTestCase


def describe_cases(cases: Sequence[Case], _spec: Spec) -> Iterator[str]:
    """Describe the tests, as lines of Markdown."""
    tests = [ReportedTestCase.required(case) for case in cases]
    names = [f"- {code(test.name)}" for test in tests if test.name]
    yield f"Tests of ours, run by {code(tests[0].command_text())}{':' if names else '.'}"
    yield from ("", *names) if names else ()
