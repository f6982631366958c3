"""The tests of students in a handout."""

from collections.abc import Iterator, Sequence

from grader.core.model.spec import Case, Spec
from grader.core.text import count
from grader.kinds.student_tests.model import TestedProgram


def describe_cases(cases: Sequence[Case], _spec: Spec) -> Iterator[str]:
    """Describe with what the tests are run, as lines of Markdown."""
    wrong = sum(1 for case in cases if (program := TestedProgram.of(case)) and program.name)
    yield f"Your tests are run with a right program of ours, and with {count(wrong, 'wrong program')}."
    yield "A test that fails with the right program does not count; each wrong program that fails another test does."
