"""How its cases stand in a handout, and why they are not recorded."""

from grader.kinds.style.describe import describe_cases

__all__ = ["describe_cases"]
why_not_recorded = "looks at the source, and nothing is run for it"
