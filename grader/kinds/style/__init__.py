"""A tool that looks at the style of the source; nothing is run."""

from grader.kinds.base import Kind

KIND = Kind(name="style", title="looks at the style", is_run=False)
