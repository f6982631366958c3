"""A dialogue with the program: what is said to it, and what it must answer, step by step."""

from grader.kinds.base import Kind

KIND = Kind(name="dialogue", title="dialogues")
