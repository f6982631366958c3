"""A submission, a folder or a zip or tar.gz, is copied once, into a private folder; all else works on the copy.

Read it, take its digest, put its layout right, write it down. What a student did wrong ends as `Staged.problem` or a
finding; only a path that is no submission, or a disk of ours that fails, raises.

Nothing that a student plants in a folder leads out of it: every folder is opened from the top, part by part, without
following links, one descriptor at a time, no recursion, whatever the depth. Files are opened without waiting, which a
pipe would make us do, and looked at again after opening.

Archives are told apart by content, never by name, and nothing of them is unpacked onto the disk: members are read into
memory, bounded by what they declare and by what they are. A ratio is not looked at: a page of blanks is no bomb, and
20 MiB in all hurt nobody. Anything that could lead elsewhere when unpacked by another tool is refused, with its name.
"""

import gzip
import hashlib
import io
import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from grader.build.layout import arrange
from grader.build.tree import (
    MIB,
    FileTree,
    Intake,
    Refused,
    StagingLimits,
    TreeFile,
    digest,
    is_ignored,
    write_tree,
)
from grader.errors import HostError, UsageError
from grader.model import FileRules, Staged, Submission

_BOUNDS = StagingLimits()
_NO_LINKS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WANTED = "give the path of a folder or of a zip or tar.gz archive"

_GZIP, _ZIP, _ZIP_ENTRY, _TAR = b"\x1f\x8b", b"PK\x03\x04", b"PK\x01\x02", b"ustar"
_TAR_MAGIC = slice(257, 262)
_ENCRYPTED, _UTF8 = 0x1, 0x800
_PACKED_AS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The other methods unpack without a bound on memory in Python's zipfile."""

_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    gzip.BadGzipFile,
    zlib.error,
    EOFError,
    RecursionError,  # a long chain of extended headers in a tar
    NotImplementedError,  # a newer version of zip
    OverflowError,
    ValueError,  # a name or a number that does not decode
)
"""What the libraries raise for an archive that is cut off, broken or made to confuse them."""


def check_path(path: Path) -> None:
    """Raise UsageError unless `path` is a folder or an archive: a quick look, before anything is graded."""
    try:
        if path.is_dir() or (path.is_file() and is_archive(path)):
            return
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; {_WANTED}") from error
    raise UsageError(f"{path} is neither a folder nor a zip or tar.gz archive")


def stage(submission: Submission, rules: FileRules, target: Path, limits: StagingLimits = _BOUNDS) -> Staged:
    """Copy a submission into the empty folder `target`.

    Raises UsageError for a path that is no submission, HostError when the copy fails.
    """
    try:
        tree = read_submission(submission.path, limits)
    except Refused as refused:
        return Staged(folder=target, digest=_refusal_digest(refused), problem=str(refused))
    layout = arrange(tree, rules)
    write_tree(layout.tree, target)
    return Staged(
        folder=target,
        digest=digest(tree),
        findings=layout.findings,
        problem=layout.problem,
        missing=layout.missing,
    )


def submission_digest(path: Path, limits: StagingLimits = _BOUNDS) -> str:
    """Return the digest that `stage` would, without copying anything; raises as `stage` does."""
    try:
        return digest(read_submission(path, limits))
    except Refused as refused:
        return _refusal_digest(refused)


def _refusal_digest(refused: Refused) -> str:
    """Nothing of it is known but why it was refused, so this is what tells it from another one."""
    return hashlib.sha256(os.fsencode(f"refused: {refused}")).hexdigest()


def read_submission(path: Path, limits: StagingLimits = _BOUNDS) -> FileTree:
    """Read a submission into memory; raises UsageError, HostError, or `Refused` for one that is over a limit."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{path}: {reason}; {_WANTED}") from error
    try:
        kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
        if kind == stat.S_IFDIR:
            return _read_folder(descriptor, limits)
        if kind != stat.S_IFREG:
            raise NoArchiveError  # noqa: TRY301 - told below, as for a file that is none
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            content = stream.read(limits.archive + 1)
        if len(content) > limits.archive:
            raise Refused(f"the archive has more than {limits.archive // MIB} MiB")
        return read_archive(content, limits)
    except NoArchiveError as error:
        raise UsageError(f"{path} is neither a folder nor a zip or tar.gz archive") from error
    except OSError as error:
        what = f"{path}: {error.filename}" if error.filename else path
        raise HostError(f"{what} cannot be read: {error.strerror}; make it readable for the user who grades") from error
    finally:
        os.close(descriptor)


def _read_folder(descriptor: int, limits: StagingLimits) -> FileTree:
    intake = Intake(limits=limits)
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        parts = waiting.pop()
        with _opened(descriptor, parts) as folder, os.scandir(folder) as entries:
            for entry in entries:
                if is_ignored(entry.name):
                    continue
                below = (*parts, entry.name)
                if entry.is_dir(follow_symlinks=False):
                    intake.folder(below)
                    waiting.append(below)
                elif entry.is_file(follow_symlinks=False):
                    _read_file(intake, folder, below)
                else:
                    intake.leave_out(below)
    return intake.tree()


@contextmanager
def _opened(top: int, parts: tuple[str, ...]) -> Iterator[int]:
    descriptor = os.dup(top)
    try:
        for part in parts:
            below = os.open(part, _NO_LINKS | os.O_DIRECTORY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def _read_file(intake: Intake, folder: int, parts: tuple[str, ...]) -> None:
    descriptor = os.open(parts[-1], _NO_LINKS, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            intake.leave_out(parts)
            return
        intake.reserve(status.st_size)
        content = stream.read(status.st_size)
    intake.file(parts, content, executable=bool(status.st_mode & stat.S_IXUSR))


# ---------------------------------------------------------------- archives


class NoArchiveError(Exception):
    """The bytes are neither a zip nor a tar, packed or not."""


def is_archive(path: Path) -> bool:
    """Whether a file begins, or ends, as an archive does; it may still be damaged. Raises OSError."""
    with path.open("rb") as file:
        head = file.read(_TAR_MAGIC.stop)
    return (
        head.startswith((_GZIP, _ZIP))
        or head[_TAR_MAGIC] == _TAR
        or zipfile.is_zipfile(path)
        or tarfile.is_tarfile(path)
    )


def read_archive(data: bytes, limits: StagingLimits) -> FileTree:
    """Read an archive's bytes; `Refused` for what is dangerous, damaged or over a limit, else `NoArchiveError`."""
    intake = Intake(limits=limits)
    try:
        if data.startswith(_GZIP):
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
                content = stream.read(limits.archive + 1)
            if len(content) > limits.archive:
                raise Refused(f"the archive unpacks to more than {limits.archive // MIB} MiB")
            _read_tar(intake, content)
        elif data[_TAR_MAGIC] == _TAR:
            _read_tar(intake, data)
        elif data.startswith(_ZIP) or zipfile.is_zipfile(io.BytesIO(data)):
            _read_zip(intake, data)
        else:
            _read_tar(intake, data)
    except _DAMAGE as error:
        raise Refused(f"the archive is damaged or cut off: {error}") from error
    return intake.tree()


def _read_zip(intake: Intake, data: bytes) -> None:
    if data.count(_ZIP_ENTRY) > intake.limits.members:  # before the library makes an object of each
        raise Refused(f"the archive has more than {intake.limits.members:,} entries")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            name = _zip_name(info)
            parts = _safe_parts(name)
            if any(is_ignored(part) for part in parts):
                continue
            mode = info.external_attr >> 16
            if stat.S_IFMT(mode) not in {0, stat.S_IFREG, stat.S_IFDIR}:
                raise Refused(f"the archive has a link or a special file: {name}")
            if name.endswith("/"):
                intake.folder(parts)
                continue
            intake.reserve(info.file_size)
            if info.flag_bits & _ENCRYPTED:
                raise Refused(f"the archive is encrypted: {name}")
            if info.compress_type not in _PACKED_AS:
                raise Refused(f"the archive is packed by an unusual method: {name}; pack it as a plain zip")
            with archive.open(info) as stream:
                content = stream.read(info.file_size)  # without a size it would unpack whatever is there, then cut it
            intake.file(parts, content, executable=bool(mode & stat.S_IXUSR))


def _zip_name(info: zipfile.ZipInfo) -> str:
    """Give the name as bytes on Linux mean it: a name not marked as UTF-8 is whatever the packer's system wrote."""
    name = info.orig_filename
    if not info.flag_bits & _UTF8:
        name = name.encode("cp437").decode("utf-8", "surrogateescape")
    return name.replace("\\", "/")


def _read_tar(intake: Intake, data: bytes) -> None:
    for archive, member in _tar_members(data, intake.limits):
        parts = _safe_parts(member.name)
        if any(is_ignored(part) for part in parts):
            continue
        if member.isdir():
            intake.folder(parts)
            continue
        if not member.isreg():
            raise Refused(f"the archive has a link or a special file: {member.name}")
        intake.reserve(member.size)
        stream = archive.extractfile(member)
        content = stream.read(member.size) if stream else b""
        intake.file(parts, content, executable=bool(member.mode & stat.S_IXUSR))


def _tar_members(data: bytes, limits: StagingLimits) -> Iterator[tuple[tarfile.TarFile, tarfile.TarInfo]]:
    try:
        archive = tarfile.TarFile(fileobj=io.BytesIO(data), encoding="utf-8", errors="surrogateescape")
    except tarfile.ReadError as error:
        if data[_TAR_MAGIC] == _TAR:
            raise
        raise NoArchiveError from error
    for count, member in enumerate(archive):
        if count >= limits.members:
            raise Refused(f"the archive has more than {limits.members:,} entries")
        if member.size < 0:
            raise Refused(f"the archive has a file with a negative size: {member.name}")
        yield archive, member
    if data[archive.offset : archive.offset + tarfile.BLOCKSIZE].strip(b"\0"):  # the library takes this for the end
        raise tarfile.ReadError("a header in the middle is broken")


def _safe_parts(name: str) -> tuple[str, ...]:
    if "\0" in name:
        raise Refused(f"the archive has a name with a null byte: {name.partition(chr(0))[0]}")
    if name.startswith("/") or re.match("[A-Za-z]:/", name):
        raise Refused(f"the archive has an absolute path: {name}")
    parts = tuple(part for part in name.split("/") if part not in {"", "."})
    if ".." in parts:
        raise Refused(f"the archive has a path that leads out of it: {name}")
    return parts


# ---------------------------------------------------------------- to and from another machine


def pack(path: Path) -> bytes:
    """Read a submission, folder or archive, into bytes for a machine that cannot see it.

    Unpacked there, it has the same digest and the same findings. Raises as `read_submission` does.
    """
    tree = read_submission(path)
    files = [(os.fsencode(name), file.executable, file.content) for name, file in tree.files.items()]
    names = [[os.fsencode(name) for name in sorted(some)] for some in (tree.folders, tree.left_out)]
    return msgspec.msgpack.encode([files, *names])


def unpack(content: bytes, target: Path) -> None:
    """Write what `pack` returned into the empty folder `target`; raises HostError when that fails."""
    kind = tuple[list[tuple[bytes, bool, bytes]], list[bytes], list[bytes]]
    decoded: Any = msgspec.msgpack.decode(content, type=kind)
    files, folders, left_out = decoded
    tree = FileTree(
        files={os.fsdecode(name): TreeFile(content=data, executable=executable) for name, executable, data in files},
        folders=frozenset(map(os.fsdecode, folders)),
        left_out=tuple(map(os.fsdecode, left_out)),
    )
    write_tree(tree, target)
    # Links, pipes and other things that are never looked at travel as names alone, and become links that lead nowhere.
    for name in tree.left_out:
        try:
            (target / name).symlink_to("nowhere")
        except OSError as error:
            raise HostError(f"cannot copy the submission to {target}: {error.strerror}; is the disk full?") from error
