"""What verify and lint ask of its cases."""

from grader.kinds.unit_tests.lint import unit_lint_rules as lint_rules
from grader.kinds.unit_tests.mutants import (
    excuse_without_files as excuse_reference,
)
from grader.kinds.unit_tests.mutants import (
    given_to_method as given,
)
from grader.kinds.unit_tests.mutants import (
    is_run_as_compiled as times_reference,
)
from grader.kinds.unit_tests.mutants import (
    names_in_test as entry_points,
)
from grader.kinds.unit_tests.mutants import (
    silence_method as silence,
)

__all__ = ["entry_points", "excuse_reference", "given", "lint_rules", "silence", "times_reference"]
