"""A cache on disk by content, of which nothing is read that another user may have written; any error means a miss."""

import atexit
import functools
import hashlib
import os
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from grader.core.lazy import lazy_call
from grader.core.model.layout import contents_of
from grader.core.model.values import decodable
from grader.core.text import one_line

Cached = TypeVar("Cached")
ANSWERS = "answers-4"  # the folder below it that may not be trusted
_SEAL_SIZE = 32


def replace_files(
    folder: Path, files: Mapping[str, Sequence[bytes | memoryview]], mode: int = 0o600, *, sync: bool = True
) -> None:
    """Write files of these parts beside those in `folder`, safe with `sync`, and then put them in their places."""
    beside = {name: folder / f".{name}.{os.urandom(8).hex()}" for name in files}
    try:
        for name, parts in files.items():
            descriptor = os.open(beside[name], os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
            with os.fdopen(descriptor, "wb") as file:
                file.writelines(parts)
                file.flush()
                if sync:
                    os.fsync(file.fileno())
        for name, path in beside.items():
            path.replace(folder / name)
    finally:
        for path in beside.values():
            path.unlink(missing_ok=True)


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
        """Return the value cached under `key`, unless `fresh`; else that of `make`, which is stored if it may be."""
        if not fresh and (cached := self.look_up(key, kind)) is not None:
            return cached
        value = make()
        if is_storable(value):
            self.store(key, value)
        return value

    def look_up(self, key: object, kind: type[Cached]) -> Cached | None:
        """Return the value cached under `key`; None when it is missing or damaged."""
        with suppress(OSError, msgspec.MsgspecError):
            sealed = memoryview(_read_own(self.folder / key_digest(key)))  # not copied: it may be long
            written = sealed[_SEAL_SIZE:]
            if sealed[:_SEAL_SIZE] == hashlib.sha256(written).digest():  # else it was damaged on the disk
                return msgspec.msgpack.decode(written, type=decodable(kind))
        return None

    def store(self, key: object, value: object) -> None:
        """Store a value under `key`; an error of the disk is ignored."""
        path = self.folder / key_digest(key)
        with suppress(OSError, OverflowError):  # OverflowError: an integer of more than 64 bits
            written = msgspec.msgpack.encode(value)
            for folder in reversed([parent for parent in (path.parent, *path.parent.parents) if not parent.exists()]):
                folder.mkdir(mode=0o700, exist_ok=True)
            replace_files(path.parent, {path.name: (hashlib.sha256(written).digest(), written)}, sync=False)


def content_digest(content: bytes) -> str:
    """Return what tells a content from any other."""
    return hashlib.sha256(content).hexdigest()


def file_digests(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the digest of each file."""
    contents = contents_of(files).items()
    return {name: content_digest(data) if isinstance(data, bytes) else data.digest for name, data in contents}


def key_digest(key: object) -> str:
    """Return what tells a key, of anything that JSON can write, from any other."""
    return content_digest(msgspec.json.encode(key, order="sorted", enc_hook=contents_of))


def _read_own(path: Path) -> bytes:
    """Read a file that is no link and that nobody else wrote; raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode) or facts.st_uid not in {os.geteuid(), 0} or facts.st_mode & stat.S_IWOTH:
            raise PermissionError(f"{path} may be another user's")
        return file.read()


def user_cache() -> Cache:
    """Return the cache in the user's cache folder, or one for this process alone where others could write."""
    return Cache(folder=_trusted_folder(grader_cache_folder() / ANSWERS))


def grader_cache_folder() -> Path:
    """Return the folder below which all is stored that can be made again, as the XDG Base Directory standard says."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else Path(os.path.expanduser("~/.cache"))) / "grader"  # noqa: PTH111


@functools.cache
def _trusted_folder(folder: Path) -> Path:
    """Return the folder, or a fresh one that is removed at exit; says so once, on standard error."""
    if not (why := why_untrusted(folder)):
        return folder
    sys.stderr.write(
        f"grader: {why}, so answers are cached for this run alone; name a folder of your own in XDG_CACHE_HOME\n"
    )
    try:
        own = lazy_call("tempfile", "TemporaryDirectory")(prefix="grader-cache-", ignore_cleanup_errors=True)
    except OSError:
        return Path(os.devnull, "none")  # there cannot be a file, so nothing is cached
    atexit.register(own.cleanup)
    return Path(own.name)


def why_untrusted(folder: Path) -> str:
    """Name the owner, mode or link, also above a folder, by which others could change its content; "" without one."""
    if not folder.is_absolute():  # as the base directory specification says: it would be a student's folder
        return f"the cache folder {one_line(str(folder))} is not an absolute path"
    at, rest, links = Path("/"), [*reversed(folder.parts[1:])], 0
    while True:
        try:
            facts = at.lstat()
        except OSError:
            return ""  # what is missing is made by us; what cannot be read is no cache
        if why := _why_others(facts, is_last=not rest):
            return f"the cache is not used, as {one_line(str(at))} {why}"
        if stat.S_ISLNK(facts.st_mode):
            links += 1
            if links > 40:  # noqa: PLR2004 - as on Linux
                return f"the cache is not used, as {one_line(str(at))} is a link to itself"
            rest += reversed(at.readlink().parts)
            at = at.parent
        if not rest:
            return ""
        part = rest.pop()
        at = at.parent if part == ".." else at / part


def _why_others(facts: os.stat_result, *, is_last: bool) -> str:
    """Say why another user may change what lies in a folder, or made this link; empty if none can."""
    me = os.geteuid()
    # Within a user namespace the root of the machine has another number: that of the owner of `/`.
    if facts.st_uid not in ({me, 0} if is_last else {me, 0, Path("/").stat().st_uid}):
        return "belongs to another user"
    if stat.S_ISLNK(facts.st_mode) or (facts.st_mode & stat.S_ISVTX and not is_last):
        return ""
    # Many systems give each user a group of the same number, and let it write.
    is_shared = facts.st_mode & stat.S_IWGRP and facts.st_gid not in {0, me, facts.st_uid}
    return "can be written to by others" if is_shared or facts.st_mode & stat.S_IWOTH else ""
