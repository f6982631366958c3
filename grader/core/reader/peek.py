"""Partial reading of a file to select the spec: the spec that it names, or the files that it requires."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

from grader.core.errors import SpecError
from grader.core.reader.files import read_top
from grader.core.reader.language import CONFIGURATION
from grader.core.reader.requirements import read_requires
from grader.core.reader.types import TABLES, TYPES
from grader.core.yaml.nodes import Scalar, entries_of, inside
from grader.core.yaml.value import Value, each_of, entries, fields, get, text

_Read = TypeVar("_Read")


def named_in(configuration: Path) -> str | None:
    """Return the spec that a course's `grader.yaml` names; None when it names none."""
    return _key_of(configuration, "spec", text, None)


def courses_in(configuration: Path) -> tuple[str, ...]:
    """Return the patterns of paths for which a `grader.yaml` says that they are courses of the instructor, too."""
    return _key_of(configuration, "courses", each_of(text), ())


_PROGRAMS = ("check", "function", "maker", "interaction", "validator-program", "scoring")
_KINDS_OF_CODE = frozenset({*_PROGRAMS, "reference-program", "reference-programs"})
_CODE_KEYS = frozenset(name for keys in TABLES.values() for name, key in keys.items() if key.kind in _KINDS_OF_CODE)
"""keys whose values are functions or programs of the instructor"""


def brings_code(path: Path) -> bool:
    """Whether a spec brings functions or programs of its author, which run outside a student's sandbox."""
    try:
        top = read_top(path, TYPES)
    except SpecError:
        return True
    parts = list(inside(top.node))
    names = {name for part in parts for name in entries_of(part)}
    return not names.isdisjoint(_CODE_KEYS) or any(isinstance(one, Scalar) and ".py:" in one.text for one in parts)


def required_packages(path: Path) -> tuple[str, ...]:
    """Return the packages for Python that a spec requires; none where it has mistakes."""
    try:
        top = read_top(path, TYPES)
    except SpecError:
        return ()
    found = entries(top).get("requires")
    required = read_requires(found[1]) if found else ()
    return () if top.context.problems else required


def _key_of(configuration: Path, key: str, reader: Callable[[Value], _Read], default: _Read) -> _Read:
    top = read_top(configuration)
    found = get(fields(top, CONFIGURATION), key, reader, default)
    if top.context.problems:
        raise SpecError(tuple(top.context.problems.values()))
    return found


def has_required_files(path: Path, names: set[str]) -> bool:
    """Whether all required files are there. A spec with mistakes may be the one that is meant, so it fits."""
    try:
        top = read_top(path, TYPES)
    except SpecError:
        return True
    files = entries(top).get("files")
    rules = entries(files[1]) if files else {}
    required = TYPES["file-rules"].read(files[1]).required if files and "required" in rules else ()
    # Only the first part of a path is searched for: this selects a spec, and staging reports missing files.
    firsts = [[name.split("/")[0] for name in one.names] for one in required if one.costs is None]
    return bool(top.context.problems) or all(
        any(fnmatchcase(name, first) for name in names for first in some) for some in firsts
    )
