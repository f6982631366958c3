"""Unit tests of the course, each of whose methods is a case."""

from grader.kinds.base import Kind

KIND = Kind(name="unit", title="methods of unit tests")
