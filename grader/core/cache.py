"""What is kept on disk by content: loaded specs, answers of the reference, versions of tools, compiled probes.

A key says all that its answer depends on. Losing an answer costs time, never a grade: whatever is wrong with the cache,
we ask again.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct
from platformdirs import user_cache_path

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
            descriptor, name = tempfile.mkstemp(dir=path.parent)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(_seal(written))
                    file.write(written)
                Path(name).replace(path)  # whole or not at all, whoever else writes or reads it now
            except OSError:
                Path(name).unlink(missing_ok=True)
                raise

    def _file(self, key: object) -> Path:
        return self.folder / hashlib.sha256(msgspec.json.encode(key, order="sorted")).hexdigest()


def _seal(written: bytes | memoryview) -> bytes:
    """Return what tells an answer as it was written from one that a disk has damaged."""
    return hashlib.sha256(written).digest()


def user_cache() -> Cache:
    """Return the cache in the user's own folder for such."""
    return Cache(folder=user_cache_path("grader") / "answers-3")
