"""What verify and lint ask of its cases."""

from grader.kinds.reported_tests.launch import given_to_test as given
from grader.kinds.reported_tests.lint import reported_lint_rules as lint_rules

__all__ = ["given", "lint_rules"]
