"""An archive's bytes -> the tree in it: zip, and tar, also packed, recognised by their first bytes alone.

A submission is not unpacked onto the disk: members are read into memory, bounded by what they declare and by what they
are. A ratio is not looked at: a page of blanks is no bomb, and 20 MiB in all are harmless. Archives of a course, which
may be large, are unpacked into an empty folder, piece by piece and within such limits. What counts is what counts in a
folder: links and devices are left out, and what is never looked at is skipped. A path that could lead elsewhere when
unpacked by another tool is `Refused`, with its name. So is what is damaged, encrypted or of another kind: kinds that
would take a library in C to read, such as RAR, are no student's risk to take with the machine that grades.

The libraries for archives are not made for hostile ones: a header of some bytes keeps `tarfile` busy for ever
(CVE-2024-6232), and takes no signal meanwhile. So `serve_archive` and `serve_unpacking` read in a helper process with
a limit on time and memory, which `staging` starts. To start quickly, this module imports only `tree`, `archive_kinds`,
`errors` and the standard library.
"""

import bz2
import gzip
import io
import lzma
import marshal
import os
import re
import stat
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import IO, cast

from grader.core.build.archive_kinds import BZIP2, GZIP, HEAD_BYTES, TAR, TAR_MAGIC, XZ, ZIPS, NoArchiveError
from grader.core.build.tree import MIB, FileTree, Intake, Refused, StagingLimits, is_ignored
from grader.core.errors import HostError

_PIECE_BYTES = 2**20
_OPENED: Mapping[bytes, Callable[[IO[bytes]], io.BufferedIOBase]] = {
    GZIP: lambda packed: gzip.GzipFile(fileobj=packed),
    BZIP2: bz2.BZ2File,
    XZ: lzma.LZMAFile,
}
"""how packed tars begin, and what unpacks them"""
_ENCRYPTED, _UTF8 = 0x1, 0x800
_MAX_LINK_BYTES = 4096
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
    """Read an archive's bytes; raises `Refused` for what is dangerous, damaged or over a limit.

    Raises NoArchiveError for anything else.
    """
    intake = Intake(limits)
    _read_into(intake, io.BytesIO(data))
    return intake.tree()


def unpack_archive(path: str, target: str, limits: StagingLimits) -> None:
    """Unpack an archive into the empty folder `target`, piece by piece; raises as `read_archive` does.

    Raises HostError when the disk fails.
    """
    intake = _Unpacking(limits, target)
    with open(path, "rb") as file:  # noqa: PTH123 - starts sooner
        _read_into(intake, file)
    intake.tree()
    intake.make_links()


class _Unpacking(Intake):
    """A tree while it is written into a folder, with the links that stay inside it.

    Links are made when all files are there, so that none is written through one. Whoever reads them checks again where
    they lead, since a link may lead through another.
    """

    def __init__(self, limits: StagingLimits, target: str) -> None:
        """Begin with an empty folder."""
        super().__init__(limits)
        self._target = target
        self._links: dict[str, str] = {}

    def link(self, parts: tuple[str, ...], target: str) -> None:
        """Take a link; `Refused` for one that leads out of the archive."""
        is_path = 0 < len(os.fsencode(target)) < _MAX_LINK_BYTES and "\0" not in target and target[0] != "/"
        if not is_path or _leads_out((*parts[:-1], *target.split("/"))):
            raise Refused(f"the archive has a link that leads out of it: {'/'.join(parts)}")
        self.leave_out(parts)
        self._links["/".join(parts)] = target

    def make_links(self) -> None:
        """Make the links, where nothing else has their names, and none through another."""
        for name, target in self._links.items():
            if around := next((one for one in _folders_around(name) if one in self._links), ""):
                raise Refused(f"the archive has something in a link: {name}, in {around}")
            try:
                os.makedirs(os.path.dirname(f"{self._target}/{name}"), exist_ok=True)  # noqa: PTH103, PTH120
                os.symlink(target, f"{self._target}/{name}")  # noqa: PTH211
            except (FileExistsError, NotADirectoryError) as error:
                raise Refused(f"the archive has a link with the name of something else: {name}") from error
            except OSError as error:
                raise _disk_error(self._target, error) from error

    def copy(self, parts: tuple[str, ...], stream: IO[bytes], size: int, *, executable: bool) -> None:
        """Write a file of so many bytes, or of fewer where the stream ends before."""
        self.file(parts, b"", executable=executable)
        name = "/".join(parts)
        try:
            os.makedirs(os.path.dirname(f"{self._target}/{name}"), exist_ok=True)  # noqa: PTH103, PTH120
            file = open(f"{self._target}/{name}", "xb")  # noqa: PTH123, SIM115
        except (FileExistsError, NotADirectoryError) as error:
            raise Refused(f"the archive has both a file and a folder on the way to {name}") from error
        except OSError as error:
            raise _disk_error(self._target, error) from error
        with file:
            while size and (piece := stream.read(min(size, _PIECE_BYTES))):
                size -= len(piece)
                self.reserve(len(piece))
                self.size += len(piece)
                try:
                    file.write(piece)
                except OSError as error:
                    raise _disk_error(self._target, error) from error
            if executable:
                os.fchmod(file.fileno(), 0o755)


def _folders_around(name: str) -> Iterator[str]:
    parts = name.split("/")
    return ("/".join(parts[:count]) for count in range(1, len(parts)))


def _leads_out(parts: tuple[str, ...]) -> bool:
    """Whether a path leads out of the folder that it starts in, at any of its parts."""
    depth = 0
    for part in parts:
        depth += {"..": -1, ".": 0, "": 0}.get(part, 1)
        if depth < 0:
            return True
    return False


def _disk_error(target: str, error: OSError) -> HostError:
    return HostError(f"an archive cannot be unpacked in {target}: {error.strerror}; TMPDIR may name another folder")


def _read_into(intake: Intake, file: IO[bytes]) -> None:
    head = file.read(HEAD_BYTES)
    file.seek(0)
    packed = next((opened for start, opened in _OPENED.items() if head.startswith(start)), None)
    try:
        if packed:
            with packed(file) as stream:
                _read_tar(intake, cast("IO[bytes]", stream))
        elif head.startswith(ZIPS) and head[TAR_MAGIC] != TAR:
            _read_zip(intake, file)
        else:
            _read_tar(intake, file)  # also one older than its magic, if it is any
    except MemoryError:
        pass  # it holds what was read so far: without it there is memory to say so
    except _DAMAGE as error:
        raise Refused(f"the archive is damaged or cut off, so hand it in again: {error}") from error
    else:
        return
    limit = f"{intake.limits.memory // MIB} MiB"
    raise Refused(f"the archive takes more than {limit} to read, so hand it in again with less")


def _read_zip(intake: Intake, file: IO[bytes]) -> None:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            name = _zip_name(info)
            if any(map(is_ignored, name.split("/"))):
                continue
            parts = _safe_parts(name)
            mode = info.external_attr >> 16
            if stat.S_ISLNK(mode):
                intake.link(parts, _zip_link(archive, info))
                continue
            if stat.S_IFMT(mode) not in {0, stat.S_IFREG, stat.S_IFDIR}:
                intake.leave_out(parts)
                continue
            if name.endswith("/"):
                intake.folder(parts)
                continue
            intake.reserve(info.file_size)
            if info.flag_bits & _ENCRYPTED:
                raise Refused(f"the archive is encrypted, so hand it in again without a password: {name}")
            if info.compress_type not in _PACKED_AS:
                raise Refused(f"the archive is packed by an unusual method, so pack it as a plain zip: {name}")
            with archive.open(info) as stream:  # without a size it would unpack whatever is there, then cut it
                intake.copy(parts, stream, info.file_size, executable=bool(mode & stat.S_IXUSR))


def _zip_link(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> str:
    """Return where a link leads; nowhere where it is encrypted, or packed by a method that may take any memory."""
    if info.flag_bits & _ENCRYPTED or info.compress_type not in _PACKED_AS:
        return ""
    with archive.open(info) as stream:
        return os.fsdecode(stream.read(_MAX_LINK_BYTES))


def _zip_name(info: zipfile.ZipInfo) -> str:
    """Give the name as bytes on Linux mean it: a name not marked as UTF-8 is whatever the packer's system wrote."""
    name = info.orig_filename
    if not info.flag_bits & _UTF8:
        name = name.encode("cp437").decode("utf-8", "surrogateescape")
    return name.replace("\\", "/")


def _read_tar(intake: Intake, file: IO[bytes]) -> None:
    for archive, member in _tar_members(file):
        if any(map(is_ignored, member.name.split("/"))):
            continue
        parts = _safe_parts(member.name)
        if member.isdir():
            intake.folder(parts)
            continue
        if member.issym() or member.islnk():
            up = "../" * (len(parts) - 1 if member.islnk() else 0)  # a hard link has a path from the top
            intake.link(parts, up + member.linkname)
            continue
        if not member.isreg():
            intake.leave_out(parts)
            continue
        intake.reserve(member.size)
        stream = archive.extractfile(member)
        intake.copy(parts, stream or io.BytesIO(), member.size, executable=bool(member.mode & stat.S_IXUSR))


def _tar_members(file: IO[bytes]) -> Iterator[tuple[tarfile.TarFile, tarfile.TarInfo]]:
    is_tar = file.read(HEAD_BYTES)[TAR_MAGIC] == TAR
    file.seek(0)
    try:
        archive = tarfile.TarFile(fileobj=file, encoding="utf-8", errors="surrogateescape")
    except tarfile.ReadError as error:
        if is_tar:
            raise
        raise NoArchiveError from error
    for member in archive:
        if member.size < 0:
            raise tarfile.ReadError(f"a file has a negative size: {member.name}")
        yield archive, member
    file.seek(archive.offset)
    if file.read(tarfile.BLOCKSIZE).strip(b"\0"):  # the library takes this for the end
        raise tarfile.ReadError("a header in the middle is broken")
    while file.read(_PIECE_BYTES):  # where it is packed, its sum is looked at behind all of it
        pass


def _safe_parts(name: str) -> tuple[str, ...]:
    if "\0" in name:
        shown = name.partition(chr(0))[0]
        raise Refused(f"the archive has a name with a null byte, so hand it in again: {shown}")
    if name.startswith("/") or re.match("[A-Za-z]:/", name):
        raise Refused(f"the archive has an absolute path, so hand it in again: {name}")
    parts = tuple(part for part in name.split("/") if part not in {"", "."})
    if ".." in parts:
        raise Refused(f"the archive has a path that leads out of it, so hand it in again: {name}")
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


def serve_unpacking() -> None:
    """Read the limits, the path of an archive and that of a folder on standard input; write as `serve_archive` does."""
    given, path, target = marshal.load(sys.stdin.buffer)  # noqa: S302 - plain values, of our own process
    answer: tuple[str, ...] = ("", "")
    try:
        unpack_archive(path, target, StagingLimits(**given))
    except (Refused, HostError) as error:
        answer = (type(error).__name__, str(error))
    except NoArchiveError:
        answer = ()
    marshal.dump(answer, sys.stdout.buffer)
    sys.stdout.flush()
