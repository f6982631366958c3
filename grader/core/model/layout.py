"""What is handed in: how it has to be laid out and built, what the course puts right in it, and how it is stored."""

import hashlib
import re
from collections import UserDict
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

from msgspec import Struct, field

from grader.core.errors import HostError
from grader.core.model.limits import LimitName, LimitOverrides

Commands = tuple[tuple[str, ...], ...]  # commands, each in words, that run one after the other
Trouble = Literal["missing", "build-failed", "cannot-start"]


class RequiredFile(Struct, frozen=True, kw_only=True):
    """A file that a submission must have."""

    names: tuple[str, ...]  # names or globs, of which any one is enough
    costs: Fraction | None = None  # points that it costs when it is missing; None when nothing can be built without it


class FileRules(Struct, frozen=True, kw_only=True):
    """Names or globs of the files of a submission."""

    required: tuple[RequiredFile, ...] = ()
    discard: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    made: tuple[str, ...] | None = None  # what the build makes; None where nothing is built
    is_inspected: bool = False

    @property
    def required_names(self) -> tuple[str, ...]:
        """The names of all that is required."""
        return tuple(name for file in self.required for name in file.names)


class Build(Struct, frozen=True, kw_only=True):
    """How a program is made: commands, one after the other, and the files that they must leave behind."""

    run: Commands
    produces: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)  # they replace what was handed in under their names
    jars: tuple[str, ...] = ()
    limits: LimitOverrides = field(default_factory=dict)


class NotebookRules(Struct, frozen=True, kw_only=True):
    """How a module is made of a notebook."""

    after_error: Literal["stop", "go-on"] = "stop"
    leaves_out_broken: bool = False


def matches_glob(name: str, pattern: str) -> bool:
    """Whether a path matches a glob in which `*` goes over folders, and `**/` stands for none as well."""
    return fnmatchcase(name, pattern) or any(
        matches_glob(name, pattern[: match.start()] + pattern[match.end() :])
        for match in re.finditer(r"(?<![^/])\*\*/", pattern)
    )


def java_class_path(build: Build | None) -> Mapping[str, str]:
    """Return the setting by which Java's tools find the course's archives, before all that was handed in."""
    return {"CLASSPATH": ":".join((*build.jars, "."))} if build and build.jars else {}


class Change(Struct, frozen=True, kw_only=True):
    """What the course changes in the work of a student before it is built, in this order."""

    rename: Mapping[str, str] = field(default_factory=dict)  # a name, or a glob for one file -> the name it gets
    files: Mapping[str, bytes] = field(default_factory=dict)
    prepare: Commands = ()
    run: Commands = ()  # the commands that build it, instead of those of the spec; none for those
    leave_out: Literal["", "broken-cells"] = ""


class Repair(Struct, frozen=True, kw_only=True):
    """What the course does for work that cannot be built or started as handed in, and what that costs."""

    name: str
    about: str
    when: Trouble
    missing: tuple[str, ...] = ()  # for `missing`: the required files that are, of which the change may do without
    change: Change
    keeps: Fraction = Fraction(1)
    costs: Fraction = Fraction(0)


class Adjustment(Struct, frozen=True, kw_only=True):
    """What the instructor decided for one submission, and why."""

    reason: str
    change: Change = Change()
    points: Fraction = Fraction(0)


# Large files of a course, read when their content is used: a spec with many of them does not hold them all.


_PIECE_BYTES = 2**20


class StoredFile(Struct, frozen=True, kw_only=True):
    """A file as it was when its spec was loaded, with its SHA-256 in hexadecimal."""

    path: str
    size: int
    digest: str

    def read(self) -> bytes:
        """Return the content; HostError when it is another one by now."""
        return b"".join(self.pieces())

    def pieces(self) -> Iterator[bytes]:
        """Yield the content piece by piece; HostError at the end when it was another one."""
        digest = hashlib.sha256()
        try:
            with Path(self.path).open("rb", buffering=0) as file:
                while piece := file.read(_PIECE_BYTES):
                    digest.update(piece)
                    yield piece
        except OSError as error:
            raise HostError(f"{self.path}: it cannot be read any more: {error.strerror}") from error
        if digest.hexdigest() != self.digest:
            raise HostError(f"{self.path} has changed since the spec was loaded: start again")


def store_file(path: Path, opened: BinaryIO | None = None, most: float = inf) -> StoredFile:
    """Read a file once, opened already or not, for its digest, but no more than `most` bytes. Raises OSError."""
    digest, size = hashlib.sha256(), 0
    with opened or path.open("rb") as file:
        while piece := file.read(int(min(_PIECE_BYTES, most - size))):
            size += len(piece)
            digest.update(piece)
    return StoredFile(path=str(path), size=size, digest=digest.hexdigest())


LazyBytes = bytes | StoredFile


def content_of(content: LazyBytes) -> bytes:
    """Return the whole of a content."""
    return content.read() if isinstance(content, StoredFile) else content


def content_pieces(content: LazyBytes) -> Iterator[bytes]:
    """Yield a content piece by piece."""
    return content.pieces() if isinstance(content, StoredFile) else iter((content,))


def size_of(content: LazyBytes) -> int:
    """Return how many bytes a content has."""
    return content.size if isinstance(content, StoredFile) else len(content)


def first_bytes(content: LazyBytes, count: int) -> bytes:
    """Return the beginning of a content, of no more than a piece."""
    return next(content_pieces(content), b"")[:count]


class ContentsByName(UserDict[str, Any]):  # noqa: PLW1641 - a mapping has no hash
    """Files by their names, each read when it is asked for. `data` has them unread, and may grow."""

    def __init__(self, data: Mapping[str, LazyBytes]) -> None:  # noqa: D107
        self.data = data  # type: ignore[assignment]  # no copy, which the base would make

    def __getitem__(self, name: str) -> bytes:  # noqa: D105
        return content_of(self.data[name])

    def __eq__(self, other: object) -> bool:
        """Whether the contents are the same; those of stored files by their digests."""
        return isinstance(other, Mapping) and self.data == contents_of(other)


def contents_of(files: Mapping[str, bytes]) -> Mapping[str, LazyBytes]:
    """Return files by their names, those that are stored unread."""
    return files.data if isinstance(files, ContentsByName) else files


def read_when_used(record: type[Struct], *fields: str) -> None:
    """Let fields of a record hold something with a method `read`, which copying and comparing do not call: uses do."""
    for name in fields:
        setattr(record, name, property(partial(_read, record.__dict__[name])))


def _read(slot: Any, record: Struct) -> Any:
    held = slot.__get__(record)
    return held.read() if hasattr(held, "read") else held


def unread(record: Struct, field: str) -> Any:
    """Return what such a field holds, without reading it."""
    return vars(type(record))[field].fget.args[0].__get__(record)


# ---------------- What a student handed in, staged and built


FORGED: Final = "forged"  # kind of a finding for the staff alone: a case passed as no honest program does


class Submission(Struct, frozen=True, kw_only=True):
    """What a student handed in: a folder or an archive. `id` is its name, which may hold anything a file name may."""

    id: str
    path: Path


class Finding(Struct, frozen=True, kw_only=True):
    """Something about a submission that costs nothing by itself but that the student should know."""

    kind: str
    message: str


class Staged(Struct, frozen=True, kw_only=True):
    """A private copy of a submission, after the layout was put right."""

    folder: Path
    digest: str  # SHA-256 over names and contents as they were handed in, hexadecimal
    findings: tuple[Finding, ...] = ()
    problem: str | None = None  # why it cannot be built or run, in one sentence; None when it can
    is_readable: bool = True
    missing: tuple[RequiredFile, ...] = ()  # what is required and not there, if that is all that is wrong


class BuildResult(Struct, frozen=True, kw_only=True):
    """How the build went. A submission with nothing to build is `ok` with no command."""

    ok: bool
    command: str = ""
    log: bytes = b""
    message: str = ""
    is_readable: bool = True
    time: float = 0.0
    limit: "LimitName | None" = None
    findings: tuple[Finding, ...] = ()
    repaired: "Repaired | None" = None  # all else is about the work as it was handed in
    tried: "tuple[FailedRepair, ...]" = ()


class Repaired(Struct, frozen=True, kw_only=True):
    """The repairs that were made, and how the build went with them."""

    repairs: tuple[Repair, ...]
    messages: tuple[str, ...]
    command: str
    log: bytes
    time: float


class FailedRepair(Struct, frozen=True, kw_only=True):
    """A repair, or several together, that did not help."""

    names: tuple[str, ...]
    message: str


class Artifact(Struct, frozen=True, kw_only=True):
    """What can be run: a folder of files, each case gets a fresh copy. Exists also when the build failed."""

    folder: Path
    build: BuildResult
    handed_in: Path | None = None  # where the work was repaired: the same without the repair
    made: Mapping[str, bytes] = {}  # files of ours for the cases of a kind, besides those in `folder`

    @property
    def charged(self) -> frozenset[str]:
        """The required files whose absence a repair has charged: nothing else is lost by the names."""
        return frozenset(name for repair in getattr(self.build.repaired, "repairs", ()) for name in repair.missing)
