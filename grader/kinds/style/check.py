"""What verify and lint ask of its cases."""

from grader.kinds.style.lint import files_for_tool as source_files
from grader.kinds.style.lint import style_lint_rules as lint_rules
from grader.kinds.style.reference import look_at_style as look_at_reference

__all__ = ["lint_rules", "look_at_reference", "source_files"]
