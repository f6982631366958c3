"""A submission, a folder or a zip or tar.gz, is copied once, into a private folder; all else works on the copy.

Read it, take its digest, put its layout right, write it down. What a student did wrong ends as `Staged.problem` or a
finding; only a path that is no submission, or a disk of ours that fails, raises.

Nothing that a student plants in a folder leads out of it: every folder is opened from the top, part by part, without
following links, one descriptor at a time, no recursion, whatever the depth. Files are opened without waiting, which a
pipe would make us do, and looked at again after opening.

Archives are read by `archive`, in a process of its own that has a time and a size.
"""

import hashlib
import marshal
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from grader.core.build.archive_kinds import (
    HEAD_BYTES,
    NoArchiveError,
    is_called_archive,
    looks_like_archive,
    no_archive,
)
from grader.core.build.layout import archive_within, arrange, with_unpacked
from grader.core.build.tree import (
    MIB,
    FileTree,
    Intake,
    Refused,
    StagingLimits,
    TreeFile,
    copy_error,
    digest,
    is_ignored,
    write_tree,
)
from grader.core.cache import Cache
from grader.core.errors import HostError, UsageError
from grader.core.helper_process import Helper, ask_once
from grader.core.model import VERSION
from grader.core.model.layout import FileRules
from grader.core.model.stored_file import store_file
from grader.core.model.submission import Finding, Staged, Submission
from grader.core.text import one_line

_BOUNDS = StagingLimits()
_NO_LINKS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WANTED = "give the path of a folder or of a zip or tar.gz archive"
_NEITHER = "is neither a folder nor a zip or tar.gz archive"


def check_path(path: Path) -> None:
    """Raise UsageError unless `path` is a folder, or meant as an archive: a quick look, before anything is graded."""
    try:
        if path.is_dir() or (path.is_file() and (is_archive(path) or is_called_archive(path.name, _head_of(path)))):
            return
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; {_WANTED}") from error
    raise UsageError(f"{path} {_NEITHER}")


def stage(submission: Submission, rules: FileRules, target: Path, limits: StagingLimits = _BOUNDS) -> Staged:
    """Copy a submission into the empty folder `target`.

    Raises UsageError for a path that is no submission, HostError when the copy fails.
    """
    tree, staged = read_work(submission.path, rules, limits)
    write_tree(tree, target)
    return msgspec.structs.replace(staged, folder=target)


def read_work(path: Path, rules: FileRules, limits: StagingLimits = _BOUNDS) -> tuple[FileTree, Staged]:
    """Read a submission as `stage` copies it, without writing anything; raises as `stage` does.

    Return its files where the layout was put right, and what `stage` says of it, but for the folder.
    """
    try:
        tree = read_submission(path, limits)
    except Refused as why:
        refusal = Staged(folder=path, digest=_refusal_digest(why), problem=str(why), is_readable=False)
        return FileTree({}), refusal
    found: tuple[Finding, ...] = ()
    problem, work = "", tree
    if name := archive_within(tree, rules):
        try:
            work, found = with_unpacked(tree, name, read_archive_file(tree.files[name].content, limits), rules)
        except Refused as refused:
            problem = f"{one_line(name)}: {refused}"
    layout = arrange(work, rules)
    return layout.tree, Staged(
        folder=path,
        digest=digest(tree),
        findings=(*found, *layout.findings),
        problem=problem or layout.problem,
        is_readable=not problem,
        missing=layout.missing,  # the rest of a folder may be enough for a repair
    )


def submission_digest(path: Path, cache: Cache) -> str:
    """Return the digest that `stage` would, without copying anything; raises as `stage` does.

    That of an archive is remembered by its content: to read it takes a process of its own.
    """

    def read() -> str:
        try:
            return digest(read_submission(path))
        except Refused as refused:
            return _refusal_digest(refused)

    try:
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    except OSError:  # reported when it is read
        content = ""
    return cache.get_or_make(["archive", VERSION, content], str, read) if content else read()


def _refusal_digest(refused: Refused) -> str:
    """Only the reason of the refusal is known, so that reason identifies the submission."""
    return hashlib.sha256(os.fsencode(f"refused: {refused}")).hexdigest()


def read_submission(
    path: Path, limits: StagingLimits = _BOUNDS, tell: Callable[[int], None] = lambda _size: None
) -> FileTree:
    """Read a submission into memory; raises UsageError, HostError, or `Refused` for one that is over a limit.

    `tell` takes note of the bytes of a folder that are read so far, file by file.
    """
    try:
        descriptor = _open(os.fspath(path), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{path}: {reason}; {_WANTED}") from error
    try:
        kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
        if kind == stat.S_IFDIR:
            return _read_folder(path, descriptor, Intake(limits), tell)
        if kind != stat.S_IFREG:
            raise UsageError(f"{path} {_NEITHER}")
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            content = stream.read(limits.archive + 1)
        if len(content) > limits.archive:
            raise Refused(f"the archive has more than {limits.archive // MIB} MiB, so hand it in again with less")
        if is_called_archive(path.name, content):
            return read_archive_file(content, limits)
        return _ask_reader(content, limits, path)
    except OSError as error:
        what = f"{path}: {error.filename}" if error.filename else path
        raise HostError(f"{what} cannot be read: {error.strerror}; make it readable for the user who grades") from error
    finally:
        os.close(descriptor)


def _open(name: str, flags: int, folder: int | None = None) -> int:
    """Open a part of what was handed in; `Refused` when only its mode keeps us out, which came along with it."""
    try:
        return os.open(name, flags, dir_fd=folder)
    except PermissionError as error:
        if not _is_closed(name, folder):
            raise  # files of another user, who has to make them readable for us
        closed = f"{one_line(Path(name).name)} cannot be read because of its permissions"
        raise Refused(f"{closed}; hand it in again, or run `chmod -R u+rwX`") from error


def _is_closed(name: str, folder: int | None) -> bool:
    """Whether something that we may not open is our own, or lies in a closed folder that is."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_uid == os.geteuid()
    except PermissionError:
        return folder is not None and os.fstat(folder).st_uid == os.geteuid()


def _read_folder(path: Path, descriptor: int, intake: Intake, tell: Callable[[int], None]) -> FileTree:
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
                    tell(intake.size)
                else:
                    intake.leave_out(below)
    return intake.tree()


@contextmanager
def _opened(top: int, parts: tuple[str, ...]) -> Iterator[int]:
    descriptor = os.dup(top)
    try:
        for part in parts:
            below = _open(part, _NO_LINKS | os.O_DIRECTORY, descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def _read_file(intake: Intake, top: Path, folder: int, parts: tuple[str, ...]) -> None:
    descriptor = _open(parts[-1], _NO_LINKS, folder)
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            intake.leave_out(parts)
            return
        intake.reserve(status.st_size)
        held = intake.limits.held
        is_stored = held is not None and status.st_size > held
        stored = store_file(top.joinpath(*parts), stream, status.st_size) if is_stored else None
        content = b"" if stored else stream.read(status.st_size)
    intake.file(parts, content, executable=bool(status.st_mode & stat.S_IXUSR), stored=stored)


def is_archive(path: Path) -> bool:
    """Whether a file begins as an archive does; it may still be damaged. Raises OSError."""
    return looks_like_archive(_head_of(path))


def _head_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def read_archive_file(content: bytes, limits: StagingLimits = _BOUNDS) -> FileTree:
    """Read what was meant as an archive, in another process.

    Raises `Refused` when it is none, damaged or over a limit.
    """
    try:
        return _ask_reader(content, limits)
    except NoArchiveError as error:
        raise no_archive(content) from error


def unpack_archive_file(path: Path, target: Path, limits: StagingLimits) -> None:
    """Unpack a zip or tar of a course into the empty folder `target`, in another process and piece by piece.

    Raises `Refused` for one that is damaged, over a limit or could lead out of the folder, UsageError for what is no
    archive, and HostError when the disk fails.
    """
    _ask_reader(b"", limits, path, target)


def _ask_reader(
    content: bytes, limits: StagingLimits, path: Path | None = None, target: Path | None = None
) -> FileTree:
    """Return what `archive.serve` answers, and raise as that says; of what is no archive at a path, UsageError."""
    reader = Helper(
        task="read an archive",
        code="from grader.core.build.archive import serve\nserve()",
        packages=("grader", "grader.core.build"),  # without what their `__init__` imports, which takes longer
        seconds=limits.seconds,
        memory=limits.memory,
    )
    request = (tuple(limits), str(path) if target else "", str(target))
    found = ask_once(reader, marshal.dumps(request) + content)
    if found.is_out_of_time:
        raise Refused(f"the archive takes more than {limits.seconds} s to read, so hand it in again as a plain zip")
    if found.status:
        raise HostError(f"an archive could not be read: {found.errors.decode(errors='replace').strip()[-500:]}")
    kind, *answer = marshal.loads(found.output)  # noqa: S302 - from our own code, and plain values whatever they are
    if kind == NoArchiveError.__name__:
        raise UsageError(f"{path} {_NEITHER}") if path else NoArchiveError
    if kind:
        raise (HostError if kind == HostError.__name__ else Refused)(*answer)
    files, folders, left_out = answer
    return FileTree({name: TreeFile(*file) for name, file in files.items()}, folders, left_out)


def pack(path: Path) -> bytes:
    """Read a submission, folder or archive, into bytes for a machine that cannot see it.

    Unpacked there, it has the same digest and the same findings. Raises as `read_submission` does.
    """
    tree = read_submission(path)
    files = [(os.fsencode(name), file.content, file.executable) for name, file in tree.files.items()]
    names = [list(map(os.fsencode, sorted(some))) for some in (tree.folders, tree.left_out)]
    return msgspec.msgpack.encode([files, *names])


def unpack(content: bytes, target: Path) -> None:
    """Write what `pack` returned into the empty folder `target`; raises HostError when that fails."""
    kind: Any = tuple[list[tuple[bytes, bytes, bool]], list[bytes], list[bytes]]
    files, folders, left_out = msgspec.msgpack.decode(content, type=kind)
    packed = {os.fsdecode(name): TreeFile(*file) for name, *file in files}
    write_tree(FileTree(packed, frozenset(map(os.fsdecode, folders))), target)
    # Links, pipes and other things that are never looked at travel as names alone, and become links that lead nowhere.
    try:
        for name in left_out:
            (target / os.fsdecode(name)).symlink_to("nowhere")
    except OSError as error:
        raise copy_error(target, error) from error
