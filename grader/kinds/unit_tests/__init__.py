"""Unit tests of the course, each of whose methods is a case."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind

KIND = Kind(
    name="unit",
    title="methods of unit tests",
    # ---- verify
    given=lazy_call("grader.kinds.unit_tests.mutants", "given_to_method"),
    excuse_reference=lazy_call("grader.kinds.unit_tests.mutants", "excuse_without_files"),
    times_reference=lazy_call("grader.kinds.unit_tests.mutants", "is_run_as_compiled"),
    entry_points=lazy_call("grader.kinds.unit_tests.mutants", "names_in_test"),
    # ---- lint
    lint_rules=lazy_call("grader.kinds.unit_tests.lint", "unit_lint_rules"),
    takes_default=lambda key: key in ("env", "files", "stdin"),
)
