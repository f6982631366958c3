"""Large files of a course, which are read when their content is used: a spec with many of them does not hold them all.

A field of a record that may hold such a file is declared by `read_when_used`; whoever uses the field gets the content.
"""

import hashlib
from collections.abc import Iterator, Mapping
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct

from grader.core.errors import HostError

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

    def __repr__(self) -> str:
        """Show what is the same for files of the same content."""
        return f"StoredFile({self.size}, {self.digest})"


def store_file(path: Path) -> StoredFile:
    """Read a file once, for its digest. Raises OSError."""
    with path.open("rb") as file:
        return store_stream(file, path)


def store_stream(file: BinaryIO, path: Path, most: float = inf) -> StoredFile:
    """Read the open file at `path` once, for its digest, but no more than `most` bytes. Raises OSError."""
    digest, size = hashlib.sha256(), 0
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
    return next(iter(content_pieces(content)), b"")[:count]


class ContentsByName(Mapping[str, bytes]):
    """Files by their names, each read when it is asked for. `contents` may grow."""

    def __init__(self, contents: Mapping[str, LazyBytes]) -> None:  # noqa: D107
        self.contents = contents

    def __getitem__(self, name: str) -> bytes:  # noqa: D105
        return content_of(self.contents[name])

    def __iter__(self) -> Iterator[str]:  # noqa: D105
        return iter(self.contents)

    def __len__(self) -> int:  # noqa: D105
        return len(self.contents)

    def __contains__(self, name: object) -> bool:
        """Whether there is such a file, which is not read for that."""
        return name in self.contents

    def __repr__(self) -> str:
        """Show what is the same for files of the same content."""
        return repr(self.contents)


def contents_of(files: Mapping[str, bytes]) -> Mapping[str, LazyBytes]:
    """Return files by their names, those that are stored unread."""
    return files.contents if isinstance(files, ContentsByName) else files


_SLOTS: dict[tuple[type[Struct], str], Any] = {}


def read_when_used(record: type[Struct], *fields: str) -> None:
    """Let fields of a record hold something with a method `read`: whoever uses such a field gets what that returns.

    Making, copying and comparing records works on what a field holds, so it reads nothing.
    """

    def read(slot: Any, self: Struct) -> Any:
        held = slot.__get__(self)
        return held.read() if hasattr(held, "read") else held

    for name in fields:
        _SLOTS[record, name] = record.__dict__[name]
        setattr(record, name, property(partial(read, record.__dict__[name])))


def unread(record: Struct, field: str) -> Any:
    """Return what such a field holds, without reading it."""
    return _SLOTS[type(record), field].__get__(record)
