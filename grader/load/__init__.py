"""Stage 1, YAML -> `Spec`: strict, with line and column, all mistakes at once."""

from grader.load.files import read_data
from grader.load.find import find_named, find_spec
from grader.load.source import Source, needs, source
from grader.load.spec import load, read
from grader.load.values import fits

__all__ = ["Source", "find_named", "find_spec", "fits", "load", "needs", "read", "read_data", "source"]
