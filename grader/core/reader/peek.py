"""Partial reading of a spec, to select it: the files that it requires."""

from collections.abc import Callable
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

from grader.core.errors import SpecError
from grader.core.model.layout import FileRules
from grader.core.reader.files import read_top, unless_wrong
from grader.core.reader.requirements import read_requires
from grader.core.reader.types import TYPES
from grader.core.yaml.value import Value, entries

_Read = TypeVar("_Read")


def required_packages(path: Path) -> tuple[str, ...]:
    """Return the packages for Python that a spec requires; none where it has mistakes."""
    with suppress(SpecError):
        return _key_of(path, "requires", read_requires, ())
    return ()


def has_required_files(path: Path, names: set[str]) -> bool:
    """Whether all required files are there. A spec with mistakes may be the one that is meant, so it fits."""
    try:
        required = _key_of(path, "files", TYPES["file-rules"].read, FileRules()).required
    except SpecError:
        return True
    # Only the first part of a path is searched for: this selects a spec, and staging reports missing files.
    firsts = [[name.split("/")[0] for name in one.names] for one in required if one.costs is None]
    return all(any(fnmatchcase(name, first) for name in names for first in some) for some in firsts)


def _key_of(path: Path, key: str, reader: Callable[[Value], _Read], default: _Read) -> _Read:
    """Read one key of a spec, and nothing of the others; SpecError where it has mistakes."""
    top = read_top(path, TYPES)
    found = entries(top)
    return unless_wrong(top, reader(found[key][1]) if key in found else default)
