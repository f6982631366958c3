"""Courses inside other courses: what lies below a course is what students handed in, unless the outer one lists it.

A spec brings functions that run with the rights of the instructor. A student can hand in a folder with `specs/`, a
`grader.yaml` and a `toolchains.yaml`, and whoever works in that folder would otherwise use them.
"""

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path

from grader.core.errors import UsageError
from grader.core.lazy import lazy_regex
from grader.core.reader.paths import TOOLCHAINS_NAME, is_file, root_of_spec

_CONFIGURATION = "grader.yaml"
_HANDED_IN = frozenset({"submissions", "sample_submissions", "sample-submissions"})
"""names of folders in which nothing is the instructor's own"""
_SPEC = lazy_regex(rb"(?m)^spec:[ \t]*1[ \t\r]*$")
_MAX_HEAD_BYTES = 65_536


def require_own(root: Path) -> None:
    """Raise UsageError where a course root lies inside another course that does not list it, or among submissions."""
    inner = Path(os.path.realpath(root))
    for folder in inner.parents:
        if folder.name.lower() in _HANDED_IN:
            raise UsageError(
                f"{inner} has files of a course, but lies in {folder}, where work is handed in: a student may have "
                "written them, and nothing there is used; work in the course's own folder, or move the course elsewhere"
            )
    for outer in inner.parents:
        if not _is_course(outer):
            continue
        if not _lists(outer, inner):
            raise UsageError(
                f"{inner} has files of a course, but lies inside the course {outer}: a student may have written them, "
                f"and nothing there is used; work in {outer}, or, if the inner course is yours, list it in "
                f"{outer / _CONFIGURATION}: courses: [{inner.relative_to(outer).as_posix()}]"
            )
        inner = outer


def require_own_nearest(start: Path) -> None:
    """Raise UsageError where the nearest course at or above `start` is not the instructor's own."""
    nearest = next((folder for folder in (start, *start.parents) if has_course_files(folder)), None)
    if nearest is not None:
        require_own(nearest)


def has_course_files(folder: Path) -> bool:
    """Whether a folder has something that a course has: specs, languages, or a configuration."""
    return (
        any(is_file(folder / name) for name in (_CONFIGURATION, TOOLCHAINS_NAME))
        or next(_spec_files(folder), None) is not None
    )


def _is_course(folder: Path) -> bool:
    """Whether a folder around another is a course. Others' YAML in a folder `specs` makes none."""
    return is_file(folder / _CONFIGURATION) or any(_is_spec(path) for path in _spec_files(folder))


def _spec_files(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder / "specs") as entries:
            names = sorted(entry.name for entry in entries if entry.name.endswith(".yaml"))
    except OSError:  # there is none, or it may not be looked into
        names = []
    return (folder / "specs" / name for name in names)


def _is_spec(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return _SPEC.search(file.read(_MAX_HEAD_BYTES)) is not None
    except OSError:
        return False


def _lists(outer: Path, inner: Path) -> bool:
    """Whether a course names another in it as its own: in `courses`, or as the root of the spec that it names.

    What lies among its specs is its own.
    """
    if inner.is_relative_to(outer / "specs"):
        return True
    configuration = outer / _CONFIGURATION
    if not is_file(configuration):
        return False
    peek = import_module("grader.core.reader.peek")  # parses YAML, which a course alone does not need
    named = peek.named_in(configuration)
    if named and is_file(outer / named) and root_of_spec(outer / named) == inner:
        return True
    parts = inner.relative_to(outer).parts
    return any(_matches(parts, pattern) for pattern in peek.courses_in(configuration))


def _matches(parts: tuple[str, ...], pattern: str) -> bool:
    wanted = [part for part in pattern.split("/") if part not in {"", "."}]
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))
