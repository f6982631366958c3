"""Reported tests in a handout: the command that runs them, and their names where these are known."""

from collections.abc import Iterator, Sequence

from grader.core.model.spec import Case, Spec
from grader.core.report.feedback import code
from grader.kinds.reported_tests.model import ReportedTestCase


def describe_cases(cases: Sequence[Case], _spec: Spec) -> Iterator[str]:
    """Describe the tests, as lines of Markdown."""
    tests = [ReportedTestCase.required(case) for case in cases]
    command = code(tests[0].command_text())
    names = [test.name for test in tests if test.name]
    if not names:
        yield f"Tests of ours, run by {command}."
        return
    yield f"Tests of ours, run by {command}:"
    yield from ("", *(f"- {code(name)}" for name in names))
