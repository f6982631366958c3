"""A further run under a tool that watches how the program handles its memory."""

from grader.kinds.base import Kind

KIND = Kind(name="memory-clean", title="runs in which the memory is watched")
