"""Large files of a course, read when their content is used: a spec with many of them does not hold them all."""

import hashlib
from collections import UserDict
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
