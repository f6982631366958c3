"""A tool that looks at the style of the source; nothing is run."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind

KIND = Kind(
    name="style",
    title="looks at the style",
    is_run=False,
    # ---- verify
    given=lambda case: case.payload,
    look_at_reference=lazy_call("grader.kinds.style.reference", "look_at_style"),
    # ---- lint
    lint_rules=lazy_call("grader.kinds.style.lint", "style_lint_rules"),
    source_files=lazy_call("grader.kinds.style.lint", "files_for_tool"),
)
