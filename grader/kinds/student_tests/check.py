"""What verify and lint ask of its cases."""

from grader.core.model.spec import Case
from grader.kinds.student_tests.lint import student_tests_lint_rules as lint_rules

__all__ = ["lint_rules"]


def given(case: Case) -> object:
    """Return what distinguishes a case."""
    return case.id
