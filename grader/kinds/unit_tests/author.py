"""How its cases stand in a handout, and why they are not recorded."""

from grader.kinds.unit_tests.describe import describe_cases

__all__ = ["describe_cases"]
why_not_recorded = "is a unit test, whose cases are its methods"
why_not_public = "its unit test is a file of the course's own"
