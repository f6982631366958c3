"""What the source of a submission has and lacks, by its syntax trees or by a tool: the program is not run for it."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind
from grader.kinds.source_rules.examine import absent_grammars, check_grammars, examine_source
from grader.kinds.style.tool import check_style, find_style_tool, shown_to_tool, style_version, style_versions

KIND = Kind(
    name="source",
    title="rules on the source",
    is_run=False,
    # ---- verify
    given=lambda case: case.payload,
    # ---- lint
    lint_rules=lazy_call("grader.kinds.source_rules.lint", "source_lint_rules"),
    source_files=lazy_call("grader.kinds.source_rules.lint", "files_with_rules"),
)

__all__ = [
    "KIND",
    "absent_grammars",
    "check_grammars",
    "check_style",
    "examine_source",
    "find_style_tool",
    "shown_to_tool",
    "style_version",
    "style_versions",
]
