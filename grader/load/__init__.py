"""Stage 1, YAML -> `Spec`: strict, with line and column, all mistakes at once."""

from grader.load.files import Source, course_folders, find_named, find_spec, is_file, needs, read_data, read_top, source
from grader.load.spec import load, read
from grader.load.values import fits, is_plain_type

__all__ = [
    "Source",
    "course_folders",
    "find_named",
    "find_spec",
    "fits",
    "is_file",
    "is_plain_type",
    "load",
    "needs",
    "read",
    "read_data",
    "read_top",
    "source",
]
