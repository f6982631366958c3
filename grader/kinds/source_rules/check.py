"""What verify and lint ask of its cases."""

from grader.kinds.source_rules.lint import files_with_rules as source_files
from grader.kinds.source_rules.lint import source_lint_rules as lint_rules

__all__ = ["lint_rules", "source_files"]
