"""How its cases stand in a handout, and why they are not recorded."""

from collections.abc import Sequence

from grader.core.model.spec import Case, Spec
from grader.kinds.source_rules.describe import describe_case

__all__ = ["describe_case"]
why_not_recorded = "looks at the source, and nothing is run for it"


def list_heading(_cases: Sequence[Case], _spec: Spec) -> str:
    """Return the line above a list of rules."""
    return "Looked at without being run:"
