"""A plain start of the program: what every other kind differs from."""

from grader.kinds.base import Kind

KIND = Kind(name="program", title="starts of the program")
