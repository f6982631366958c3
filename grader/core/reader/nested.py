"""Courses inside other courses: what lies below a course is what students handed in, unless the outer one lists it.

A spec brings functions that run with the rights of the instructor. A student can hand in a folder with `specs/`, a
`grader.yaml` and a `toolchains.yaml`, and whoever works in that folder would otherwise use them.
"""

import os
import re
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path

from grader.core.errors import UsageError
from grader.core.reader.paths import TOOLCHAINS_NAME, is_file, root_of_spec

_CONFIGURATION = "grader.yaml"
_HANDED_IN = frozenset({"submissions", "sample_submissions", "sample-submissions"})
"""names of folders in which nothing is the instructor's own"""
_MAX_HEAD_BYTES = 65_536


def require_own(root: Path) -> None:
    """Raise UsageError where a course root lies inside another course that does not list it, or among submissions."""
    inner = Path(os.path.realpath(root))
    unsafe = "a student may have written them, and nothing there is used"
    for folder in inner.parents:
        if folder.name.lower() in _HANDED_IN:
            raise UsageError(
                f"{inner} has files of a course, but lies in {folder}, where work is handed in: {unsafe}; work in the "
                "course's own folder, or move the course elsewhere"
            )
    for outer in inner.parents:
        if is_file(outer / _CONFIGURATION) or any(map(_is_spec, spec_files(outer))):
            if not _lists(outer, inner):
                raise UsageError(
                    f"{inner} has files of a course, but lies inside the course {outer}: {unsafe}; work in {outer}, "
                    "or, if the inner course is yours, list it in "
                    f"{outer / _CONFIGURATION}: courses: [{inner.relative_to(outer).as_posix()}]"
                )
            inner = outer


def require_own_nearest(start: Path) -> None:
    """Raise UsageError where the nearest course at or above `start` is not the instructor's own."""
    for folder in (start, *start.parents):
        if spec_files(folder) or any(is_file(folder / name) for name in (_CONFIGURATION, TOOLCHAINS_NAME)):
            return require_own(folder)
    return None


def spec_files(folder: Path) -> list[Path]:
    """Return what is named as a spec in the folder of specs of a course; none where it may not be looked into."""
    try:
        return sorted(path for path in (folder / "specs").iterdir() if path.name.endswith(".yaml"))
    except OSError:
        return []


def _is_spec(path: Path) -> bool:
    """Whether a file says that it is a spec: others' YAML in a folder `specs` makes no course around another."""
    try:
        with path.open("rb") as file:
            return re.search(rb"(?m)^spec:[ \t]*1[ \t\r]*$", file.read(_MAX_HEAD_BYTES)) is not None
    except OSError:
        return False


def _lists(outer: Path, inner: Path) -> bool:
    """Whether a course names another in it as its own: in `courses`, or as the root of the spec that it names."""
    if inner.is_relative_to(outer / "specs"):  # what lies among its specs is its own
        return True
    if not is_file(outer / _CONFIGURATION):
        return False
    files = import_module("grader.core.reader.files")  # parses YAML, which a course alone does not need
    named, courses = files.read_configuration(outer / _CONFIGURATION)
    if named and is_file(outer / named) and root_of_spec(outer / named) == inner:
        return True
    parts = inner.relative_to(outer).parts
    patterns = ([part for part in pattern.split("/") if part not in {"", "."}] for pattern in courses)
    return any(len(parts) == len(pattern) and all(map(fnmatchcase, parts, pattern)) for pattern in patterns)
