"""An archive's bytes -> the tree in it: zip, and tar, also packed, recognised by their first bytes alone.

Nothing is unpacked onto the disk: members are read into memory, bounded by what they declare and by what they are. A
ratio is not looked at: a page of blanks is no bomb, and 20 MiB in all are harmless. Anything that could lead elsewhere
when unpacked by another tool is refused, with its name. What is damaged, encrypted or of another kind is `Unreadable`:
kinds that would take a library in C to read, such as RAR, are no student's risk to take with the machine that grades.

The libraries for archives are not made for hostile ones: a header of some bytes keeps `tarfile` busy for ever
(CVE-2024-6232), and takes no signal meanwhile. So `serve_archive` reads in a helper process with a limit on time and
memory, which `staging` starts. To start quickly, this module imports only `tree`, `archive_kinds` and the
standard library.
"""

import bz2
import gzip
import io
import lzma
import marshal
import re
import stat
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping

from grader.core.build.archive_kinds import BZIP2, GZIP, TAR, TAR_MAGIC, XZ, ZIPS, NoArchiveError
from grader.core.build.tree import MIB, FileTree, Intake, Refused, StagingLimits, Unreadable, is_ignored

_ZIP_ENTRY = b"PK\x01\x02"
_OPENED: Mapping[bytes, Callable[[io.BytesIO], io.BufferedIOBase]] = {
    GZIP: lambda packed: gzip.GzipFile(fileobj=packed),
    BZIP2: bz2.BZ2File,
    XZ: lzma.LZMAFile,
}
"""how packed tars begin, and what unpacks them"""
_ENCRYPTED, _UTF8 = 0x1, 0x800
_PACKED_AS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The other methods unpack without a bound on memory in Python's zipfile."""

_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    gzip.BadGzipFile,
    zlib.error,
    lzma.LZMAError,
    OSError,  # of bz2
    EOFError,
    RecursionError,  # a long chain of extended headers in a tar
    NotImplementedError,  # a newer version of zip
    OverflowError,
    ValueError,  # a name or a number that does not decode
)
"""What the libraries raise for an archive that is cut off, broken or made to confuse them."""


def read_archive(data: bytes, limits: StagingLimits) -> FileTree:
    """Read an archive's bytes; `Refused` for what is dangerous or over a limit, `Unreadable` for what is damaged.

    Raises NoArchiveError for anything else.
    """
    intake = Intake(limits)
    packed = next((opened for start, opened in _OPENED.items() if data.startswith(start)), None)
    try:
        if packed:
            with packed(io.BytesIO(data)) as stream:
                content = stream.read(limits.archive + 1)
            if len(content) > limits.archive:
                raise Refused(f"the archive unpacks to more than {limits.archive // MIB} MiB")
            _read_tar(intake, content)
        elif data[TAR_MAGIC] == TAR:
            _read_tar(intake, data)
        elif data.startswith(ZIPS):
            _read_zip(intake, data)
        else:
            _read_tar(intake, data)  # one older than its magic, if it is any
    except MemoryError as error:
        raise Refused(f"the archive takes more than {limits.memory // MIB} MiB to read") from error
    except _DAMAGE as error:
        raise Unreadable(f"the archive is damaged or cut off, so hand it in again: {error}") from error
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
                raise Unreadable(f"the archive is encrypted, so hand it in again without a password: {name}")
            if info.compress_type not in _PACKED_AS:
                raise Unreadable(f"the archive is packed by an unusual method, so pack it as a plain zip: {name}")
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
        if data[TAR_MAGIC] == TAR:
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


def serve_archive() -> None:
    """Read the limits and the archive on standard input; write the tree, or why there is none, to standard output.

    A tree is written as the fields of `FileTree`, a refusal as the name of its class and its sentence, what is no
    archive as nothing.
    """
    limits = StagingLimits(**marshal.load(sys.stdin.buffer))  # noqa: S302 - plain values, of our own process
    answer: tuple[object, ...]
    try:
        tree = read_archive(sys.stdin.buffer.read(), limits)
        files = {name: (file.content, file.executable) for name, file in tree.files.items()}
        answer = (files, tree.folders, tree.left_out)
    except Refused as refused:
        answer = (type(refused).__name__, str(refused))
    except NoArchiveError:
        answer = ()
    marshal.dump(answer, sys.stdout.buffer)
    sys.stdout.flush()
