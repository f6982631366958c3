"""How its cases stand in a handout, and why they are not recorded."""

from grader.kinds.reported_tests.describe import describe_cases

__all__ = ["describe_cases"]
why_not_recorded = "is run by a command with tests of its own, which are its cases"
why_not_public = "its tests are files of the course's own"
