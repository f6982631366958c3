"""Unit tests of the course, each of whose methods is a case."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind

KIND = Kind(
    name="unit",
    title="methods of unit tests",
    # ---- lint
    lint_rules=lazy_call("grader.kinds.unit_tests.lint", "unit_lint_rules"),
    takes_default=lambda key: key in ("env", "files", "stdin"),
)
