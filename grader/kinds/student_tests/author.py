"""How its cases stand in a handout, and why they are not recorded."""

from grader.kinds.student_tests.describe import describe_cases

__all__ = ["describe_cases"]
why_not_recorded = "runs tests that a student wrote"
why_not_public = "its programs are files of the course's own"
