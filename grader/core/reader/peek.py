"""Partial reading of a file to select the spec: the spec that it names, or the files that it requires."""

from fnmatch import fnmatchcase
from pathlib import Path

from grader.core.errors import SpecError
from grader.core.reader.files import read_top
from grader.core.reader.files_and_build import read_file_rules
from grader.core.reader.language import CONFIGURATION
from grader.core.yaml.value import entries, fields, get, text


def named_in(configuration: Path) -> str | None:
    """Return the spec that a course's `grader.yaml` names; None when it names none."""
    top = read_top(configuration)
    name = get(fields(top, CONFIGURATION), "spec", text, None)
    if top.context.problems:
        raise SpecError(tuple(top.context.problems.values()))
    return name


def has_required_files(path: Path, names: set[str]) -> bool:
    """Whether all required files are there. A spec with mistakes may be the one that is meant, so it fits."""
    try:
        top = read_top(path)
    except SpecError:
        return True
    files = entries(top).get("files")
    rules = entries(files[1]) if files else {}
    required = read_file_rules(files[1]).required if files and "required" in rules else ()
    # Only the first part of a path is searched for: this selects a spec, and staging reports missing files.
    firsts = [[name.split("/")[0] for name in one.names] for one in required if one.costs is None]
    return bool(top.context.problems) or all(
        any(fnmatchcase(name, first) for name in names for first in some) for some in firsts
    )
