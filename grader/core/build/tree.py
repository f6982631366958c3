"""A submission in memory: what a folder holds, or an archive; the layout rules change it, and the writer puts it down.

Names are paths from its top, with `/`, and with surrogates for bytes that are no UTF-8. Over a limit it is `Refused`.
"""

import hashlib
import os
import re
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from grader.core.errors import HostError
from grader.core.lazy import lazy_call

if TYPE_CHECKING:
    from grader.core.model.layout import StoredFile

MIB = 2**20
_NO_LINKS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_HOUR = 3600 * 10**9  # in nanoseconds
_PART_LENGTH, _PATH_LENGTH = 255, 1024  # bytes of a name, and of a path: what file systems take
# How programs, libraries and classes begin: of Linux, Java, macOS and Windows.
COMPILED = (b"\x7fELF", b"!<arch>\n", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"MZ", b"gpch")
# An archive is read in a process that needs neither.
_one_line, _store_file = lazy_call("grader.core.text", "one_line"), lazy_call("grader.core.model.layout", "store_file")
# Never part of the work, and never looked at, in a folder or an archive: version control, Python's cache, Emacs' locks
# (links to nowhere), and what macOS adds.
IGNORED = (".git", ".svn", ".hg", "__pycache__", ".#*", "__MACOSX", "._*", ".DS_Store")


def is_ignored(name: str) -> bool:
    """Whether a name, of a file or a folder, is one of `IGNORED`, which count for nothing."""
    return name in IGNORED or name.startswith((".#", "._"))


def is_too_long(name: str) -> bool:
    """Whether a path, or a part of it, is too long for a file system below the path of our folder."""
    path = os.fsencode(name)
    return len(path) > _PATH_LENGTH or max(map(len, path.split(b"/"))) > _PART_LENGTH


class StagingLimits(NamedTuple):
    """What a submission may hold."""

    files: int = 2_000  # files and folders together
    depth: int = 20  # folders one inside the other
    size: int = 20 * MIB  # bytes of all files together
    archive: int = 64 * MIB  # bytes of an archive as it is
    seconds: int = 10  # of processor time, for reading an archive
    memory: int = 512 * MIB  # bytes of address space, for reading an archive
    held: int | None = None  # bytes of a file of a folder that is read into memory; a larger one is `stored`


class Refused(Exception):  # noqa: N818 - the student's doing, so no error of ours; never leaves this stage
    """A submission that cannot be read and has to be handed in again; its text is the sentence for the student."""

    @property
    def fact(self) -> str:
        """What is wrong, for whoever hands nothing in."""
        return re.sub(", so hand it in again[^:]*", "", str(self))


class TreeFile(NamedTuple):
    """One regular file; `stored` says where a large one is, instead of in memory, where that was asked for."""

    content: bytes
    executable: bool = False
    stored: "StoredFile | None" = None


class FileTree(NamedTuple):
    """The files and folders of a submission, and the names of the rest: links, pipes, sockets, devices."""

    files: Mapping[str, TreeFile]
    folders: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()


def folders_above(names: Iterable[str]) -> frozenset[str]:
    """Return all folders on the way to these paths; a path that ends with a slash is itself one."""
    return frozenset(name[:place] for name in names for place, sign in enumerate(name) if sign == "/")


class Intake:
    """A tree while it is being read, checked against the limits at every step."""

    def __init__(self, limits: StagingLimits) -> None:
        """Begin with nothing."""
        self.limits = limits
        self.files: dict[str, TreeFile] = {}
        self.folders: set[str] = set()
        self.left_out: list[str] = []
        self.entered = self.size = 0

    def folder(self, parts: tuple[str, ...]) -> None:
        """Take a folder, unless it is the submission itself."""
        if parts:
            self.folders.add(self._enter(parts))

    def leave_out(self, parts: tuple[str, ...]) -> None:
        """Note what is neither a file nor a folder: a link, a pipe, a device."""
        if parts:
            self.left_out.append(self._enter(parts))

    def file(
        self, parts: tuple[str, ...], content: bytes, *, executable: bool, stored: "StoredFile | None" = None
    ) -> None:
        """Take a file, of which the content may be `stored`."""
        if not parts:
            raise Refused("the archive has a file without a name, so hand it in again")
        size = stored.size if stored else len(content)
        self.reserve(size)
        name = self._enter(parts)
        if name in self.files:
            raise Refused(f"the submission has two files with one name, so hand it in again: {name}")
        self.size += size
        self.files[name] = TreeFile(content=content, executable=executable, stored=stored)

    def link(self, parts: tuple[str, ...], _target: str) -> None:
        """Leave out a link in an archive, to a path from the folder that it lies in."""
        self.leave_out(parts)

    def copy(self, parts: tuple[str, ...], stream: IO[bytes], size: int, *, executable: bool) -> None:
        """Take a file of so many bytes, or of fewer where the stream ends before."""
        self.file(parts, stream.read(size), executable=executable)

    def reserve(self, size: int) -> None:
        """Refuse `size` bytes more, before they are read, if they are too many."""
        if self.size + size > self.limits.size:
            raise Refused(f"the submission has more than {self.limits.size // MIB} MiB, so hand it in again with less")

    def tree(self) -> FileTree:
        """Return what was read."""
        if both := sorted(self.files.keys() & self.folders):
            raise Refused(f"the submission has a file and a folder with one name, so hand it in again: {both[0]}")
        return FileTree(files=self.files, folders=frozenset(self.folders), left_out=tuple(sorted(self.left_out)))

    def _enter(self, parts: tuple[str, ...]) -> str:
        self.entered += 1
        if self.entered > self.limits.files:
            raise Refused(f"the submission has more than {self.limits.files:,} files, so hand it in again with fewer")
        if len(parts) - 1 > self.limits.depth:
            raise Refused(f"the submission has folders more than {self.limits.depth} deep, so hand it in again")
        name = "/".join(parts)
        if is_too_long(name):
            raise Refused(f"the submission has a file with too long a name, so hand it in again: {name[:40]}…")
        self.folders |= folders_above([name])
        return name


def open_part(name: str, flags: int, folder: int | None = None) -> int:
    """Open a part of what was handed in; `Refused` when only its mode keeps us out, which came along with it."""
    try:
        return os.open(name, flags, dir_fd=folder)
    except PermissionError as error:
        try:
            owner = os.stat(name, dir_fd=folder, follow_symlinks=False).st_uid
        except PermissionError:  # the folder is closed
            owner = -1 if folder is None else os.fstat(folder).st_uid
        if owner != os.geteuid():
            raise error from None  # files of another user, who has to make them readable for us
        closed = f"{_one_line(Path(name).name)} cannot be read because of its permissions"
        raise Refused(f"{closed}; hand it in again, or run `chmod -R u+rwX`") from error


def read_opened_folder(path: Path, descriptor: int, intake: Intake, note_size: Callable[[int], None]) -> FileTree:
    """Read an open folder without following links; `note_size` gets the bytes so far, file by file. Raises OSError."""
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
                    _read_file(intake, path, folder, below)
                    note_size(intake.size)
                else:
                    intake.leave_out(below)
    return intake.tree()


@contextmanager
def _opened(top: int, parts: tuple[str, ...]) -> Iterator[int]:
    descriptor = os.dup(top)
    try:
        for part in parts:
            below = open_part(part, _NO_LINKS | os.O_DIRECTORY, descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def _read_file(intake: Intake, top: Path, folder: int, parts: tuple[str, ...]) -> None:
    descriptor = open_part(parts[-1], _NO_LINKS, folder)
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            intake.leave_out(parts)
            return
        intake.reserve(status.st_size)
        is_held = intake.limits.held is None or status.st_size <= intake.limits.held
        stored = None if is_held else _store_file(top.joinpath(*parts), stream, status.st_size)
        content = b"" if stored else stream.read(status.st_size)
    intake.file(parts, content, executable=bool(status.st_mode & stat.S_IXUSR), stored=stored)


def digest(tree: FileTree) -> str:
    """SHA-256, hexadecimal, over all names, executable bits and contents; each framed by its length."""
    frames = [(b"executable" if file.executable else b"file", name, file.content) for name, file in tree.files.items()]
    frames += [(b"folder", name, b"") for name in tree.folders] + [(b"left out", name, b"") for name in tree.left_out]
    total = hashlib.sha256()
    for kind, name, content in sorted((kind, os.fsencode(name), content) for kind, name, content in frames):
        for piece in (kind, name, content):
            total.update(len(piece).to_bytes(8, "big"))
            total.update(piece)
    return total.hexdigest()


def write_tree(tree: FileTree, target: Path, *, with_links: bool = False) -> None:
    """Put a tree into the empty folder `target`, readable for everybody whatever the umask; HostError if that fails.

    All files get one time. Only what is compiled is older, so that `make` makes it anew where it knows of what. With
    links what was left out is there as links that lead nowhere.
    """
    now = time.time_ns()
    try:
        for name in sorted(tree.folders):
            (target / name).mkdir()
            (target / name).chmod(0o755)
        for name, file in tree.files.items():
            write_file(target / name, file)
            changed = now - _HOUR if file.content.startswith(COMPILED) else now
            os.utime(target / name, ns=(changed, changed))
        for name in tree.left_out if with_links else ():
            (target / name).symlink_to("nowhere")
    except OSError as error:
        raise HostError(f"cannot copy the submission to {target}: {error.strerror}; is the disk full?") from error


def write_file(path: Path, file: TreeFile) -> None:
    """Make one new file; `OSError` if something is there already, a link included."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(file.content)
        os.fchmod(descriptor, 0o755 if file.executable else 0o644)


# Of names that promise an archive; not all of them can be read.
ARCHIVE_ENDINGS = (".zip", ".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tar", ".rar", ".7z")
ZIPS = (b"PK\x03\x04", b"PK\x05\x06")
GZIP, BZIP2, XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0"  # how tars begin that are packed
TAR_MAGIC, TAR = slice(257, 262), b"ustar"  # where a tar says that it is one, and how
HEAD_BYTES = TAR_MAGIC.stop  # of a file, for `looks_like_archive`


class NoArchiveError(Exception):
    """The bytes are neither a zip nor a tar, packed or not."""


def looks_like_archive(head: bytes) -> bool:
    """Whether a file begins as an archive does that can be read; it may still be damaged."""
    return head.startswith((GZIP, BZIP2, XZ, *ZIPS)) or head[TAR_MAGIC] == TAR


# How archives begin that are not read, and what they are called.
_FOREIGN = {
    b"Rar!\x1a\x07": "RAR",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"LZIP": "lzip",
    b"\x1f\x9d": "compress",
    b"MSCF": "cabinet",
}


def is_called_archive(name: str, head: bytes) -> bool:
    """Whether a file was meant as an archive: by its name, or by a format that is not read."""
    return name.lower().endswith(ARCHIVE_ENDINGS) or head.startswith(tuple(_FOREIGN))


def no_archive(head: bytes) -> Refused:
    """Say of a file that was meant as an archive why it is none that can be read."""
    kind = next((kind for start, kind in _FOREIGN.items() if head.startswith(start)), "")
    what = f"this is an archive of the kind {kind}, which is not read here" if kind else "this is no archive"
    return Refused(f"{what if head else 'the file is empty'}; hand it in again, packed as a zip")
