"""What is kept on disk by content: loaded specs, answers of the reference, versions of tools, compiled probes.

A key says all that its answer depends on. Losing an answer costs time, never a grade: whatever is wrong with the cache,
we ask again.
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

Remembered = TypeVar("Remembered")
_SEAL_SIZE = 32


class Cache(Struct, frozen=True, kw_only=True):
    """A folder of answers, one file for each key."""

    folder: Path

    def remember(
        self,
        key: object,
        kind: type[Remembered],
        find: Callable[[], Remembered],
        *,
        fresh: bool = False,
        keep: Callable[[Remembered], bool] = lambda _: True,
    ) -> Remembered:
        """Return the answer kept under `key` (anything that JSON can say), or what `find` returns, and keep that.

        With `fresh`, finds it in any case. Where `keep` says no, what was found is only returned.
        """
        answer = None if fresh else self.recall(key, kind)
        if answer is None:
            answer = find()
            if keep(answer):
                self.keep(key, answer)
        return answer

    def recall(self, key: object, kind: type[Remembered]) -> Remembered | None:
        """Return the answer kept under `key`; None when there is none that is whole."""
        with suppress(OSError, msgspec.MsgspecError):
            kept = memoryview(self._file(key).read_bytes())  # of which nothing is copied: it may be long
            written = kept[_SEAL_SIZE:]
            if kept[:_SEAL_SIZE] == _seal(written):
                return msgspec.msgpack.decode(written, type=decodable(kind))
        return None

    def keep(self, key: object, answer: object) -> None:
        """Keep an answer under `key`, as far as that can be done."""
        path = self._file(key)
        with suppress(OSError, OverflowError):  # the latter for an enormous number
            written = msgspec.msgpack.encode(answer)
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
    """Return what tells an answer as it was written from one that a disk has damaged."""
    return hashlib.sha256(written).digest()


def user_cache() -> Cache:
    """Return the cache in the user's own folder for such."""
    return Cache(folder=user_cache_path("grader") / "answers-3")
