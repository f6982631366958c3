"""How its cases stand in a handout, and why they are not recorded."""

from grader.kinds.functions.describe import describe_case, list_heading

__all__ = ["describe_case", "list_heading"]
why_not_recorded = "calls functions, and what they come to is no run of a program"
