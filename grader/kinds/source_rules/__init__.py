"""What the source of a submission has and lacks, by its syntax trees or by a tool: the program is not run for it."""

from grader.kinds.source_rules.examine import absent_grammars, check_grammars, examine_source
from grader.kinds.style.tool import check_style, find_style_tool, shown_to_tool, style_version, style_versions

__all__ = [
    "absent_grammars",
    "check_grammars",
    "check_style",
    "examine_source",
    "find_style_tool",
    "shown_to_tool",
    "style_version",
    "style_versions",
]
