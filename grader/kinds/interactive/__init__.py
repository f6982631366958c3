"""A program of the course that speaks with the student's, and says whether that is right."""

from grader.kinds.base import Kind

KIND = Kind(name="interactive", title="conversations with a program of the course")
