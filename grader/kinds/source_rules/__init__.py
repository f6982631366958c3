"""What the source of a submission has and lacks, by its syntax trees or by a tool: the program is not run for it."""

from grader.kinds.base import Kind
from grader.kinds.source_rules.examine import absent_grammars, check_grammars, examine_source
from grader.kinds.style.tool import check_style, find_style_tool, shown_to_tool, style_version, style_versions

KIND = Kind(name="source", title="rules on the source", is_run=False)

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
