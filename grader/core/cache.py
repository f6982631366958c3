"""A cache on disk, addressed by content: loaded specs, answers of the reference, versions of tools, compiled probes.

A key contains everything that its value depends on. A lost value costs time, never a grade: on any error of the cache,
the value is computed again.
"""

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct
from platformdirs import user_cache_path

from grader.core.atomic import replace_files
from grader.core.model.decoding import decodable

Cached = TypeVar("Cached")
_SEAL_SIZE = 32


class Cache(Struct, frozen=True, kw_only=True):
    """A folder of cached values, one file for each key."""

    folder: Path

    def get_or_make(
        self,
        key: object,
        kind: type[Cached],
        make: Callable[[], Cached],
        *,
        fresh: bool = False,
        is_storable: Callable[[Cached], bool] = lambda _: True,
    ) -> Cached:
        """Return the value cached under `key` (any JSON value), else call `make`, and store and return its result.

        With `fresh`, the cache is not looked up. A result is stored only if `is_storable`.
        """
        value = None if fresh else self.look_up(key, kind)
        if value is None:
            value = make()
            if is_storable(value):
                self.store(key, value)
        return value

    def look_up(self, key: object, kind: type[Cached]) -> Cached | None:
        """Return the value cached under `key`; None when it is missing or damaged."""
        with suppress(OSError, msgspec.MsgspecError):
            sealed = memoryview(self._file(key).read_bytes())  # not copied: it may be long
            written = sealed[_SEAL_SIZE:]
            if sealed[:_SEAL_SIZE] == _seal(written):
                return msgspec.msgpack.decode(written, type=decodable(kind))
        return None

    def store(self, key: object, value: object) -> None:
        """Store a value under `key`; an error of the disk is ignored."""
        path = self._file(key)
        with suppress(OSError, OverflowError):  # OverflowError: an integer of more than 64 bits
            written = msgspec.msgpack.encode(value)
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_files(path.parent, {path.name: (_seal(written), written)}, sync=False)

    def _file(self, key: object) -> Path:
        return self.folder / key_digest(key)


def content_digest(content: bytes) -> str:
    """Return what tells a content from any other."""
    return hashlib.sha256(content).hexdigest()


def file_digests(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the digest of each file."""
    return {name: content_digest(content) for name, content in files.items()}


def key_digest(key: object) -> str:
    """Return what tells a key, of anything that JSON can write, from any other."""
    return content_digest(msgspec.json.encode(key, order="sorted"))


def _seal(written: bytes | memoryview) -> bytes:
    """Return a digest that detects a value damaged on disk."""
    return hashlib.sha256(written).digest()


def user_cache() -> Cache:
    """Return the cache in the user's cache folder."""
    return Cache(folder=user_cache_path("grader") / "answers-4")
