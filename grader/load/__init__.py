"""Stage 1, YAML -> `Spec`: strict, with line and column, all mistakes at once."""

from grader.load.files import Source, course_folders, find_named, find_spec, is_file, needs, read_data, read_top, source
from grader.load.functions import fits
from grader.load.spec import load, read

__all__ = [
    "Source",
    "course_folders",
    "find_named",
    "find_spec",
    "fits",
    "is_file",
    "load",
    "needs",
    "read",
    "read_data",
    "read_top",
    "source",
]
