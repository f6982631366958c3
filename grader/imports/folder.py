"""The folder of an assignment of another grader, read with limits: nothing of it is run, no link is followed."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.core.build.staging import read_submission
from grader.core.build.tree import MIB, Refused, StagingLimits
from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.imports import check_name

TREE_LIMITS = StagingLimits(files=5_000, size=64 * MIB)
_TEXT_LIMIT = 2 * MIB  # of a file that is read as a program or a configuration


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """The files of an assignment."""

    path: Path
    files: Mapping[str, bytes]  # by the path in the folder, sorted

    def text(self, name: str) -> str:
        """Return the text of a file; UsageError when it is missing, too long, or not UTF-8."""
        content = self.content(name)
        if len(content) > _TEXT_LIMIT:
            raise UsageError(f"{self.path / name} has more than {_TEXT_LIMIT // MIB} MiB")
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UsageError(f"{self.path / name} is not UTF-8: {error.reason}") from error

    def content(self, name: str) -> bytes:
        """Return a file of the folder; UsageError when it is missing or outside."""
        if name not in self.files:
            problem = f"there is no file {one_line(name)}; the assignment needs it (a link is none)"
            raise UsageError(f"{self.path}: {problem}")
        return self.files[name]

    def json(self, name: str) -> Any:
        """Parse a file in JSON; UsageError when it is invalid, or has a key twice."""
        return parse_json(self.text(name), self.path / name)

    def below(self, name: str) -> Mapping[str, bytes]:
        """Return the files in a folder of this one, by their paths in it."""
        start = f"{name.rstrip('/')}/" if name.strip("/") else ""
        return {name.removeprefix(start): content for name, content in self.files.items() if name.startswith(start)}


def read_folder(path: Path, wanted: str) -> Folder:
    """Read the folder of an assignment; UsageError when it lacks the file `wanted`."""
    path = path.resolve()
    if not path.is_dir():
        problem = "is no folder" if path.exists() else "does not exist"
        raise UsageError(f"{path} {problem}; name the folder of the assignment, which has {wanted}")
    if not (path / wanted).is_file():
        raise UsageError(f"{path} has no {wanted}; name the folder that has it")
    return Folder(path=path, files=read_tree(path))


def read_tree(path: Path, limits: StagingLimits = TREE_LIMITS) -> dict[str, bytes]:
    """Read the files of a folder or an archive, sorted by path; UsageError for anything else, or one too large."""
    try:
        tree = read_submission(path.resolve(), limits)
    except Refused as refused:
        raise UsageError(f"{path}: {refused.fact.replace('submission', 'assignment')}") from refused
    return {name: tree.files[name].content for name in sorted(tree.files)}


def parse_json(text: str, where: Path) -> Any:
    """Parse a text in JSON; UsageError when it is invalid, has a key twice, or a number such as NaN."""
    try:
        return json.loads(text, object_pairs_hook=unique_keys, parse_constant=_refuse_number)
    except RecursionError as error:
        raise UsageError(f"{where} is nested too deeply") from error
    except ValueError as error:
        raise UsageError(f"{where} is not JSON: {one_line(str(error))}") from error


def _refuse_number(word: str) -> None:
    raise ValueError(f"{word} is no number")


def unique_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON for `object_pairs_hook`; ValueError when a key is there twice."""
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        twice = next(name for name, number in Counter(name for name, _ in pairs).items() if number > 1)
        raise ValueError(f"the key {twice!r} is there twice in one object")
    return mapping


def as_mapping(value: Any) -> Mapping[str, Any]:
    """Return a mapping; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def harmless_name(name: str) -> str:
    """Return a name for a file or a function made of any text."""
    return re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_")[:60] or "unnamed"


def safe_glob(name: str) -> str:
    """Return a path below a folder in which * stands for anything, like `safe_path`."""
    safe_path(name.replace("*", "x"))
    return name.removeprefix("./")


def safe_path(name: str) -> str:
    """Return a path below a folder in its shortest form; UsageError when it leaves the folder or has odd names."""
    short = name.removeprefix("./")
    if short.startswith("/") or ".." in short.split("/"):
        raise UsageError(f"the file {one_line(name)!r} lies outside the assignment's folder: put it there")
    check_name(short)
    return short
