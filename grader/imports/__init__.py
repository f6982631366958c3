"""An assignment converted from another grader's files, and written completely or not at all.

The assignment is first written into a temporary folder and loaded from there, so that the spec has no mistakes. Then
its files are moved to their places, none of which may exist already.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from grader.core.errors import HostError, SpecError, UsageError
from grader.core.model.layout import LazyBytes, StoredFile, content_pieces
from grader.core.reader.spec import load
from grader.core.text import count, one_line
from grader.core.yaml.dumping import dump_spec
from grader.core.yaml.nodes import Node

_HARMLESS = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,254}")  # a part of a path that can be carried over


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A spec and its files, not written yet."""

    id: str
    spec: Mapping[str, Node]
    # path below the course root -> content; all lie in places that belong to this assignment alone
    files: Mapping[str, LazyBytes]
    origin: str  # what it was made of, as a comment tells it
    notes: Sequence[str] = ()  # what could not be carried over, a sentence each
    others: Mapping[str, Mapping[str, Node]] = field(default_factory=dict)  # by their ids: in other languages
    shared: Mapping[str, LazyBytes] = field(default_factory=dict)  # for several assignments; one that is there stays
    points: Fraction | int | float | None = None  # what the assignment is worth there, where that is known
    lost: Fraction = Fraction(0)  # what it is worth less here, for a reason that a note tells

    @property
    def specs(self) -> Mapping[str, Mapping[str, Node]]:
        """All specs by their ids, in order."""
        return {self.id: self.spec, **self.others}


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The files that were written, and notes on what could not be converted."""

    spec: Path
    files: Sequence[str]
    notes: Sequence[str]


def identifier(name: str | None, otherwise: str) -> str:
    """Return the requested id, or an id made of the other name; UsageError when it is not a valid id."""
    slug = re.sub(r"[^a-z0-9]+", "-", otherwise.lower()).strip("-") if name is None else name
    if not re.fullmatch("[a-z0-9-]{1,80}", slug):
        raise UsageError(f"no id can be made of {one_line(slug or otherwise)!r}; name one of a-z, 0-9 and - with --id")
    return slug


def check_name(path: str) -> None:
    """Raise UsageError unless all parts of a path are safe file names on every system."""
    for part in path.split("/"):
        if not _HARMLESS.fullmatch(part) or part.endswith("."):
            raise UsageError(f"the name {one_line(path)!r} is refused: use letters, digits, and . _ - + in names")


Tell = Callable[[str, int], None]  # takes note of what is done, `reading`, `writing` or `checking`, and of its bytes


def write_assignment(imported: Imported, root: Path, *, link: bool = False, tell: Tell = lambda *_: None) -> Written:
    """Write an assignment below the course root, file by file and piece by piece.

    With `link`, large files are hard links to those of the other grader, where the file system can have them; they are
    copied elsewhere, and a note says so. Raises UsageError when a file exists already or the spec is invalid, and
    HostError when the disk fails. Whatever ends it, nothing half-written is left.
    """
    specs = {f"specs/{name}.yaml": _to_yaml(imported, spec).encode() for name, spec in imported.specs.items()}
    present = [name for name in imported.shared if os.path.lexists(root / name)]
    missing = {name: content for name, content in imported.shared.items() if name not in present}
    files = {**specs, **imported.files, **missing}
    # What is moved as a whole: `specs/x.yaml`, `data/x`, `sample_submissions/x`.
    places = sorted({"/".join(PurePosixPath(name).parts[:2]) for name in files})
    for place in places:
        if os.path.lexists(root / place):
            raise UsageError(f"{root / place} is there already: remove it, or name another assignment with --id")
    try:
        root.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".grader-import-", dir=root))
        try:
            unlinked = _write_files(files, staging, link=link, tell=tell)
            for name in present:
                (staging / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(root / name, staging / name)
            for spec in specs:
                load(staging / spec)
            _move_all(sorted(places, key=lambda place: place.startswith("specs/")), staging, root)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    except SpecError as error:
        reasons = "; ".join(f"{problem.path}: {problem.message}" for problem in error.problems[:3])
        raise UsageError(f"this cannot be made a spec: {reasons}") from error
    except OSError as error:
        raise HostError(f"cannot write to {root}: {error.strerror}; choose a folder that can be with --out") from error
    notes = list(imported.notes)
    if link and unlinked:
        why = "they lie on another file system, or may not be linked by this user"
        notes.append(f"Links: {count(len(unlinked), 'file')} copied, not linked: {why}.")
    return Written(spec=root / f"specs/{imported.id}.yaml", files=sorted(files), notes=notes)


def _write_files(files: Mapping[str, LazyBytes], folder: Path, *, link: bool, tell: Tell) -> Sequence[str]:
    """Write files, or link them; return the names of those that might be linked, and are not."""
    unlinked: list[str] = []
    size = 0
    for name, content in files.items():
        check_name(name)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if link and isinstance(content, StoredFile) and _is_linked(content, path):
            continue
        unlinked += [name] if isinstance(content, StoredFile) else []
        with path.open("xb") as file:
            for piece in content_pieces(content):
                file.write(piece)
                size += len(piece)
                tell("writing", size)
    tell("checking", size)
    return unlinked


def _is_linked(content: StoredFile, path: Path) -> bool:
    """Make a hard link, if that is possible; HostError when the file is another one by now."""
    try:
        os.link(content.path, path, follow_symlinks=False)
    except OSError:
        return False
    for _ in replace(content, path=str(path)).pieces():  # which raises for another content
        pass
    return True


def _move_all(places: Sequence[str], staging: Path, root: Path) -> None:
    """Move what is written to its places, all or nothing; the specs last, since they refer to the rest."""
    moved: list[str] = []
    try:
        for place in places:
            (root / place).parent.mkdir(exist_ok=True)
            if os.path.lexists(root / place):
                raise UsageError(f"{root / place} has come to be there meanwhile; nothing of it was changed")  # noqa: TRY301
            moved.append(place)
            (staging / place).rename(root / place)
    except BaseException:  # Ctrl-C too
        for place in moved:
            if not os.path.lexists(staging / place):
                (root / place).rename(staging / place)
        raise


def _to_yaml(imported: Imported, spec: Mapping[str, Node]) -> str:
    """Write a spec; a comment above it lists what could not be converted."""
    comments = [f"Made from {imported.origin} by grader import."]
    if imported.notes:
        comments += ["What could not be carried over as it was:", *(f"- {note}" for note in imported.notes)]
    return dump_spec(spec, [one_line(comment, 4000) for comment in comments])
