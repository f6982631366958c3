"""Stage 1, YAML -> `Spec`: strict, with line and column, all mistakes at once.

The names here are imported lazily: a cached spec does not need the code that reads one.
"""

from typing import TYPE_CHECKING

from grader.core.lazy import lazy_imports

if TYPE_CHECKING:
    from grader.core.reader.files import Source, needs, read_data, read_top, source
    from grader.core.reader.locate import course_folders, find_named, find_spec, root_at
    from grader.core.reader.paths import is_file, root_of_spec
    from grader.core.reader.spec import load, read
    from grader.core.reader.toolchains import languages_of_course
    from grader.kinds.functions.read_values import fits, is_plain_type

__all__ = [
    "Source",
    "course_folders",
    "find_named",
    "find_spec",
    "fits",
    "is_file",
    "is_plain_type",
    "languages_of_course",
    "load",
    "needs",
    "read",
    "read_data",
    "read_top",
    "root_at",
    "root_of_spec",
    "source",
]

__getattr__ = lazy_imports(
    __name__,
    {
        "grader.core.reader.files": ("Source", "needs", "read_data", "read_top", "source"),
        "grader.core.reader.locate": ("course_folders", "find_named", "find_spec", "root_at"),
        "grader.core.reader.paths": ("is_file", "root_of_spec"),
        "grader.core.reader.spec": ("load", "read"),
        "grader.core.reader.toolchains": ("languages_of_course",),
        "grader.kinds.functions.read_values": ("fits", "is_plain_type"),
    },
)
