"""Stage 1, YAML -> `Spec`: strict, with line and column, all mistakes at once."""

from grader.load.files import Source, find_named, find_spec, needs, read_data, source
from grader.load.functions import fits
from grader.load.spec import load, read

__all__ = ["Source", "find_named", "find_spec", "fits", "load", "needs", "read", "read_data", "source"]
