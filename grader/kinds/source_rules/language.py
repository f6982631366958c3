"""How its cases are read and written."""

from grader.kinds.source_rules.reader import read_test

__all__ = ["read_test"]
