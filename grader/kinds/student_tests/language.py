"""How its cases are read and written."""

from grader.kinds.student_tests.reader import read_test

__all__ = ["read_test"]
