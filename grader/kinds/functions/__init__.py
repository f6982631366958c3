"""Calls of a student's functions and methods, made by a probe in the sandbox."""

from grader.kinds.base import Kind

KIND = Kind(name="functions", title="calls of functions")
