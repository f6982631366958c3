"""An assignment made from another grader's files, and how it is written down: all of it, or nothing.

It is written into a folder of its own first and loaded from there, so that what comes out is a spec without mistakes;
then it is moved to its places, none of which may be taken.
"""

import os
import re
import shutil
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from grader.errors import HostError, SpecError, UsageError
from grader.load import load
from grader.text import one_line
from grader.yaml.nodes import Listing, Node
from grader.yaml.writing import dump, plain, quoted, table

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,254}")
"""a part of a path that can be carried over: that of the problem package format, and `+`"""
_WIDTH = 118


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A spec and its files, not written yet."""

    id: str
    spec: Mapping[str, Node]
    files: Mapping[str, bytes]
    """path below the course root -> content; all lie in places that belong to this assignment alone"""
    origin: str
    """what it was made of, as a comment tells it"""
    notes: Sequence[str] = ()
    """what could not be carried over, a sentence each"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What was written, and what could not be carried over."""

    spec: Path
    files: Sequence[str]
    notes: Sequence[str]


def identifier(name: str | None, otherwise: str) -> str:
    """Return the id that was asked for, or make one of another name; UsageError when it is none."""
    found = re.sub(r"[^a-z0-9]+", "-", otherwise.lower()).strip("-") if name is None else name
    if not re.fullmatch("[a-z0-9-]{1,80}", found):
        raise UsageError(f"no id can be made of {one_line(found or otherwise)!r}; name one of a-z, 0-9 and - with --id")
    return found


def check_name(path: str) -> None:
    """Raise UsageError unless a path's parts are all of the kind that is harmless anywhere."""
    for part in path.split("/"):
        if not NAME.fullmatch(part) or part.endswith("."):
            raise UsageError(f"the name {one_line(path)!r} is refused: use letters, digits, and . _ - + in names")


def write(imported: Imported, root: Path) -> Written:
    """Write an assignment below the course root.

    Raises UsageError when something is there already, or is no spec, and HostError when the disk fails.
    """
    spec = f"specs/{imported.id}.yaml"
    files = {spec: to_yaml(imported).encode(), **imported.files}
    places = _places(files)
    for place in places:
        if os.path.lexists(root / place):
            raise UsageError(f"{root / place} is there already: remove it, or name another assignment with --id")
    try:
        root.mkdir(parents=True, exist_ok=True)
        workshop = Path(tempfile.mkdtemp(prefix=".grader-import-", dir=root))
        try:
            _fill(workshop, files)
            load(workshop / spec)
            _move(workshop, root, places)
        finally:
            shutil.rmtree(workshop, ignore_errors=True)
    except SpecError as error:
        reasons = "; ".join(f"{problem.path}: {problem.message}" for problem in error.problems[:3])
        raise UsageError(f"this cannot be made a spec: {reasons}") from error
    except OSError as error:
        raise HostError(f"cannot write to {root}: {error.strerror}; choose a folder that can be with --out") from error
    return Written(spec=root / spec, files=sorted(files), notes=imported.notes)


def to_yaml(imported: Imported) -> str:
    """Write the spec, with what could not be carried over as a comment before it."""
    parts = [_comment(f"Made from {imported.origin} by grader import.")]
    if imported.notes:
        parts += [_comment("What could not be carried over as it was:"), *(_comment(f"- {n}") for n in imported.notes)]
    parts.append("\n")
    for key, node in imported.spec.items():
        if key == "tests" and isinstance(node, Listing):
            tests = [textwrap.indent(dump(_list_of(test), open_levels=2), "  ") for test in node.items]
            parts.append("\ntests:\n" + "\n".join(tests))
        else:
            parts.append(dump(table({key: node}), open_levels=1))
    return "".join(parts)


def text_or_word(value: str) -> Node:
    """Return a text, without quotes where it is a word that can stand alone and is none of the language's."""
    is_word = re.fullmatch(r"[A-Za-z](?:[A-Za-z0-9_./ -]*[A-Za-z0-9])?", value) is not None
    return plain(value) if is_word and value.lower() not in _WORDS else quoted(value)


_WORDS = ("reference", "any", "success", "failure", "true", "false", "null", "yes", "no", "on", "off", "y", "n")
"""words that mean something without quotes, here or to other readers of YAML"""


def _list_of(node: Node) -> Listing:
    return Listing(items=(node,), line=1, column=1, size=1, depth=1)


def _comment(text: str) -> str:
    lines = textwrap.wrap(one_line(text, 4000), _WIDTH, subsequent_indent="  " if text.startswith("-") else "")
    return "".join(f"# {line}\n" for line in lines)


def _places(names: Mapping[str, bytes]) -> list[str]:
    """Return what is moved as a whole: `specs/x.yaml`, `data/x`, `sample_submissions/x`."""
    return sorted({"/".join(PurePosixPath(name).parts[:2]) for name in names})


def _fill(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        check_name(name)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _move(workshop: Path, root: Path, places: Sequence[str]) -> None:
    """Move everything to its place, the spec last: until it is there, nothing refers to the rest."""
    for place in sorted(places, key=lambda place: place.startswith("specs/")):
        (root / place).parent.mkdir(exist_ok=True)
        if os.path.lexists(root / place):
            raise UsageError(f"{root / place} has come to be there meanwhile; nothing of it was changed")
        (workshop / place).rename(root / place)
