"""A problem package as it lies in its folder: its files, and its YAML as plain values.

It is read as a submission is: by descriptor, links left out, within limits. Every name has to be of the kind that the
format allows, so that none of them leads anywhere when it is written again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.build import Refused
from grader.build.staging import read_submission
from grader.build.tree import MIB, StagingLimits
from grader.errors import UsageError
from grader.imports.imported import check_name
from grader.load import read_data

PROBLEM = "problem.yaml"
_LIMITS = StagingLimits(files=20_000, size=64 * MIB)
_IMPORTED = ("data/sample/", "data/secret/", "submissions/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A problem package."""

    path: Path
    problem: Mapping[str, Any]
    """its `problem.yaml`"""
    files: Mapping[str, bytes]
    """path in the package -> content, but for names with a dot in front, which do not belong to it"""
    links: Sequence[str]
    """what is neither a file nor a folder"""

    @property
    def name(self) -> str:
        """Its own name, that of its folder."""
        return self.path.name

    @property
    def is_legacy(self) -> bool:
        """Whether it is of the older form, with `testdata.yaml`."""
        return str(self.problem.get("problem_format_version", "legacy")).startswith("legacy")

    @property
    def is_scoring(self) -> bool:
        """Whether submissions get points, and are not accepted or rejected only."""
        return "scoring" in words(self.problem.get("type"))

    @property
    def has_validator(self) -> bool:
        """Whether it has an output validator of its own."""
        if self.is_legacy:
            return words(self.problem.get("validation"))[:1] == ["custom"]
        return any(name.startswith(("output_validator/", "output_validators/")) for name in self.files)

    def data(self, name: str) -> Mapping[str, Any]:
        """Return what a YAML file holds; nothing when there is none. Raises SpecError for one with mistakes."""
        return _mapping(self.path, name) if name in self.files else {}

    def below(self, folder: str) -> Mapping[str, bytes]:
        """Return the files in a folder, by their path in it, in the order of the names."""
        return {
            name.removeprefix(folder): content
            for name, content in sorted(self.files.items())
            if name.startswith(folder)
        }


def read_package(path: Path) -> Package:
    """Read the package in a folder; UsageError for what is none, or has a name that is refused."""
    path = path.resolve()
    if not path.is_dir():
        raise UsageError(f"{path} is no folder; unpack the problem package, and name its folder")
    if not (path / PROBLEM).is_file():
        raise UsageError(f"{path} is no problem package: it has no {PROBLEM}; name the folder that has it")
    try:
        tree = read_submission(path, _LIMITS)
    except Refused as refused:
        raise UsageError(f"{path}: {str(refused).replace('submission', 'package')}") from refused
    if PROBLEM not in tree.files:
        raise UsageError(f"{path}: {PROBLEM} is a link; put the file itself there")
    own = {name: file.content for name, file in tree.files.items() if not _is_aside(name)}
    for name in (*own, *tree.left_out):
        if name.startswith(_IMPORTED) and not _is_aside(name):
            check_name(name)
    return Package(path=path, problem=_mapping(path, PROBLEM), files=own, links=tree.left_out)


def words(value: Any) -> list[str]:
    """Return the words of a text or of a list; none of anything else."""
    if isinstance(value, str):
        return value.split()
    return [str(item) for item in value] if isinstance(value, list) else []


def mapping(value: Any) -> Mapping[str, Any]:
    """Return a mapping; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def _is_aside(name: str) -> bool:
    return name != ".timelimit" and any(part.startswith((".", "-")) for part in name.split("/"))


def _mapping(path: Path, name: str) -> Mapping[str, Any]:
    data = read_data(path / name)
    if data is not None and not isinstance(data, dict):
        raise UsageError(f"{path / name}: a mapping is wanted, key by key")
    return data or {}
