"""An archive's bytes -> the tree in it: zip, and tar, also packed, recognised by their first bytes alone.

Members are read into memory; their declared and their real size are both bounded. Archives of a course may be large,
and are unpacked into a folder. A path that leads out of the archive is `Refused`, and so is a damaged or encrypted
archive, or one of a format that only a library in C reads, such as RAR.

The libraries for archives are not made for hostile ones: a header of some bytes keeps `tarfile` busy for ever
(CVE-2024-6232). So `serve` reads in a helper process with a limit on time and memory, which `staging` starts. To start
quickly, this module imports only `tree`, `lazy`, `errors` and the standard library.
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
from contextlib import contextmanager
from itertools import accumulate
from typing import IO, cast

from grader.core.build.tree import (
    BZIP2,
    GZIP,
    HEAD_BYTES,
    MIB,
    TAR,
    TAR_MAGIC,
    XZ,
    ZIPS,
    FileTree,
    Intake,
    NoArchiveError,
    Refused,
    StagingLimits,
    folders_above,
    is_ignored,
)
from grader.core.errors import HostError

_PIECE_BYTES = 2**20
_OPENED: Mapping[bytes, Callable[[IO[bytes]], io.BufferedIOBase]] = {
    GZIP: lambda packed: gzip.GzipFile(fileobj=packed),
    BZIP2: bz2.BZ2File,
    XZ: lzma.LZMAFile,
}  # how packed tars begin, and what unpacks them
_ENCRYPTED, _UTF8 = 0x1, 0x800
_MAX_LINK_BYTES = 4096
_PACKED_AS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others unpack without a bound on memory
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError)


def read_archive(data: bytes, limits: StagingLimits) -> FileTree:
    """Read an archive; `Refused` for what is dangerous, damaged or over a limit, NoArchiveError for anything else."""
    intake = Intake(limits)
    _read_into(intake, io.BytesIO(data))
    return intake.tree()


def unpack_archive(path: str, target: str, limits: StagingLimits) -> FileTree:
    """Unpack an archive into the empty folder `target`; raises as `read_archive` does, and HostError of the disk."""
    intake = _Unpacking(limits, target)
    with open(path, "rb") as file:  # noqa: PTH123 - starts sooner
        _read_into(intake, file)
    tree = intake.tree()
    intake.make_links()
    return tree


class _Unpacking(Intake):
    """A tree while it is written into a folder, with the links that stay inside it.

    Links are made last, so that no file is written through one. Readers check them again: one may lead through another.
    """

    def __init__(self, limits: StagingLimits, target: str) -> None:
        """Begin with an empty folder."""
        super().__init__(limits)
        self._target = target
        self._links: dict[str, str] = {}

    def link(self, parts: tuple[str, ...], target: str) -> None:
        """Take a link; `Refused` for one that leads out of the archive."""
        is_path = 0 < len(os.fsencode(target)) < _MAX_LINK_BYTES and "\0" not in target and target[0] != "/"
        steps = [{"..": -1, ".": 0, "": 0}.get(part, 1) for part in (*parts[:-1], *target.split("/"))]
        if not is_path or min(accumulate(steps)) < 0:
            raise Refused(f"the archive has a link that leads out of it: {'/'.join(parts)}")
        self.leave_out(parts)
        self._links["/".join(parts)] = target

    def make_links(self) -> None:
        """Make the links, where nothing else has their names, and none through another."""
        for name, target in self._links.items():
            if around := sorted(folders_above([name]) & self._links.keys()):
                raise Refused(f"the archive has something in a link: {name}, in {around[0]}")
            with self._writing(f"a link with the name of something else: {name}"):
                os.makedirs(os.path.dirname(f"{self._target}/{name}"), exist_ok=True)  # noqa: PTH103, PTH120
                os.symlink(target, f"{self._target}/{name}")  # noqa: PTH211

    def copy(self, parts: tuple[str, ...], stream: IO[bytes], size: int, *, executable: bool) -> None:
        """Write a file of so many bytes, or of fewer where the stream ends before."""
        self.file(parts, b"", executable=executable)
        path, clash = "/".join((self._target, *parts)), f"both a file and a folder on the way to {'/'.join(parts)}"
        with self._writing(clash):
            os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
            file = open(path, "xb")  # noqa: PTH123, SIM115
        with file:
            while size and (piece := stream.read(min(size, _PIECE_BYTES))):
                size -= len(piece)
                self.reserve(len(piece))
                self.size += len(piece)
                with self._writing(clash):
                    file.write(piece)
            if executable:
                os.fchmod(file.fileno(), 0o755)

    @contextmanager
    def _writing(self, clash: str) -> Iterator[None]:
        """Raise HostError for an error of the disk; Refused where names exclude each other, as `clash` says."""
        try:
            yield
        except (FileExistsError, NotADirectoryError) as error:
            raise Refused(f"the archive has {clash}") from error
        except OSError as error:
            what = f"an archive cannot be unpacked in {self._target}: {error.strerror}"
            raise HostError(f"{what}; TMPDIR may name another folder") from error


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
    except (*_BROKEN, EOFError, OSError, RuntimeError, OverflowError, ValueError) as error:
        # OSError is also of bz2, RuntimeError of a newer zip or a long chain of headers, ValueError of bad names.
        raise Refused(f"the archive is damaged or cut off, so hand it in again: {error}") from error
    else:
        return
    limit = f"{intake.limits.memory // MIB} MiB"
    raise Refused(f"the archive takes more than {limit} to read, so hand it in again with less")


def _read_zip(intake: Intake, file: IO[bytes]) -> None:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            name = info.orig_filename
            if not info.flag_bits & _UTF8:  # then its bytes are in the encoding of the packer's system
                name = name.encode("cp437").decode("utf-8", "surrogateescape")
            name = name.replace("\\", "/")
            if any(map(is_ignored, name.split("/"))):
                continue
            parts = _safe_parts(name)
            mode = info.external_attr >> 16
            is_plain = not info.flag_bits & _ENCRYPTED and info.compress_type in _PACKED_AS
            if stat.S_ISLNK(mode):
                intake.link(parts, os.fsdecode(archive.open(info).read(_MAX_LINK_BYTES)) if is_plain else "")
            elif stat.S_IFMT(mode) not in {0, stat.S_IFREG, stat.S_IFDIR}:
                intake.leave_out(parts)
            elif name.endswith("/"):
                intake.folder(parts)
            else:
                intake.reserve(info.file_size)
                if info.flag_bits & _ENCRYPTED:
                    raise Refused(f"the archive is encrypted, so hand it in again without a password: {name}")
                if not is_plain:
                    raise Refused(f"the archive is packed by an unusual method, so pack it as a plain zip: {name}")
                with archive.open(info) as stream:  # without a size it would unpack all, then cut it
                    intake.copy(parts, stream, info.file_size, executable=bool(mode & stat.S_IXUSR))


def _read_tar(intake: Intake, file: IO[bytes]) -> None:
    for archive, member in _tar_members(file):
        if any(map(is_ignored, member.name.split("/"))):
            continue
        parts = _safe_parts(member.name)
        if member.isdir():
            intake.folder(parts)
        elif member.issym() or member.islnk():
            up = "../" * (len(parts) - 1 if member.islnk() else 0)  # a hard link has a path from the top
            intake.link(parts, up + member.linkname)
        elif not member.isreg():
            intake.leave_out(parts)
        else:
            intake.reserve(member.size)
            stream = archive.extractfile(member) or io.BytesIO()
            intake.copy(parts, stream, member.size, executable=bool(member.mode & stat.S_IXUSR))


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
        raise Refused(f"the archive has a name with a null byte, so hand it in again: {name.partition(chr(0))[0]}")
    if name.startswith("/") or re.match("[A-Za-z]:/", name):
        raise Refused(f"the archive has an absolute path, so hand it in again: {name}")
    parts = tuple(part for part in name.split("/") if part not in {"", "."})
    if ".." in parts:
        raise Refused(f"the archive has a path that leads out of it, so hand it in again: {name}")
    return parts


def serve() -> None:
    """Read limits and an archive, or two paths to unpack it; write "" and the tree, or an error and its sentence."""
    bounds, path, target = marshal.load(sys.stdin.buffer)  # noqa: S302 - plain values, of our own process
    limits = StagingLimits(*bounds)
    answer: tuple[object, ...]
    try:
        tree = unpack_archive(path, target, limits) if path else read_archive(sys.stdin.buffer.read(), limits)
        files = {name: (file.content, file.executable) for name, file in tree.files.items()}
        answer = ("", files, tree.folders, tree.left_out)
    except (Refused, HostError, NoArchiveError) as error:
        answer = (type(error).__name__, str(error))
    marshal.dump(answer, sys.stdout.buffer)
    sys.stdout.flush()
