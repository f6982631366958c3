"""A submission, a folder or a zip or tar.gz, is copied once, into a private folder; all else works on the copy.

A student's mistake ends as `Staged.problem` or a finding; only a path that is no submission, or a failing disk of ours,
raises. Nothing that a student plants in a folder leads out of it: every folder is opened from the top, part by part,
without following links. Files are opened without blocking, since one may be a pipe, and checked again once open.
"""

import hashlib
import marshal
import os
import stat
from collections.abc import Callable
from pathlib import Path

import msgspec

from grader.core.build import tree
from grader.core.build.layout import archive_within, arrange, with_unpacked
from grader.core.build.tree import (
    FileTree,
    Intake,
    Refused,
    StagingLimits,
    TreeFile,
    digest,
    is_called_archive,
    open_part,
    read_opened_folder,
    write_tree,
)
from grader.core.cache import Cache
from grader.core.errors import HostError, UsageError
from grader.core.lazy import lazy_modules
from grader.core.model import VERSION
from grader.core.model.layout import FileRules, Staged, Submission
from grader.core.text import one_line, size

_BOUNDS = StagingLimits()
_WANTED = "give the path of a folder or of a zip or tar.gz archive"
_NEITHER = "is neither a folder nor a zip or tar.gz archive"


def check_path(path: Path) -> None:
    """Raise UsageError unless `path` is a folder, or meant as an archive: a quick look, before anything is graded."""
    try:
        if path.is_dir() or (path.is_file() and is_archive(path, by_name=True)):
            return
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; {_WANTED}") from error
    raise UsageError(f"{path} {_NEITHER}")


def stage(submission: Submission, rules: FileRules, target: Path, limits: StagingLimits = _BOUNDS) -> Staged:
    """Copy a submission into the empty folder `target`; UsageError for no submission, HostError when the copy fails."""
    tree, staged = read_work(submission.path, rules, limits)
    write_tree(tree, target)
    return msgspec.structs.replace(staged, folder=target)


def read_work(path: Path, rules: FileRules, limits: StagingLimits = _BOUNDS) -> tuple[FileTree, Staged]:
    """Return the files of a submission where its layout was put right, and what `stage` says of it; raises alike."""
    tree, identity, refusal = _identify(path, limits)
    staged = Staged(folder=path, digest=identity, problem=refusal or None, is_readable=not refusal)
    if refusal:
        return tree, staged
    work = tree
    archives = [name for name, file in tree.files.items() if is_called_archive(name, file.content)]
    if archives and (name := archive_within(tree, archives, rules)):
        try:
            work, findings = with_unpacked(tree, name, read_archive_file(tree.files[name].content, limits), rules)
            staged = msgspec.structs.replace(staged, findings=tuple(findings))
        except Refused as refused:  # the rest of a folder may be enough for a repair
            staged = msgspec.structs.replace(staged, problem=f"{one_line(name)}: {refused}", is_readable=False)
    return arrange(work, rules, staged)


def _identify(path: Path, limits: StagingLimits) -> tuple[FileTree, str, str]:
    """Read a submission: return its files, its digest, and why it is refused, by which alone it is known then."""
    try:
        tree = read_submission(path, limits)
    except Refused as refused:
        return FileTree({}), hashlib.sha256(os.fsencode(f"refused: {refused}")).hexdigest(), str(refused)
    return tree, digest(tree), ""


def submission_digest(path: Path, cache: Cache) -> str:
    """Return the digest that `stage` would, without copying anything, of an archive by its content; raises alike."""
    try:
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    except OSError:  # reported when it is read
        content = ""
    if not content:
        return _identify(path, _BOUNDS)[1]
    return cache.get_or_make(["archive", VERSION, content], str, lambda: _identify(path, _BOUNDS)[1])


def read_submission(
    path: Path, limits: StagingLimits = _BOUNDS, note_size: Callable[[int], None] = lambda _size: None
) -> FileTree:
    """Read a submission into memory; raises UsageError, HostError, or `Refused` for one that is over a limit.

    `note_size` gets the bytes of a folder that are read so far, file by file.
    """
    try:
        descriptor = open_part(os.fspath(path), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{path}: {reason}; {_WANTED}") from error
    try:
        kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
        if kind == stat.S_IFDIR:
            return read_opened_folder(path, descriptor, Intake(limits), note_size)
        if kind != stat.S_IFREG:
            raise UsageError(f"{path} {_NEITHER}")
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            content = stream.read(limits.archive + 1)
        if len(content) > limits.archive:
            raise Refused(f"the archive has more than {size(limits.archive)}, so hand it in again with less")
        if is_called_archive(path.name, content):
            return read_archive_file(content, limits)
        return _ask_reader(content, limits, path)
    except OSError as error:
        what = f"{path}: {error.filename}" if error.filename else path
        raise HostError(f"{what} cannot be read: {error.strerror}; make it readable for the user who grades") from error
    finally:
        os.close(descriptor)


def is_archive(path: Path, *, by_name: bool = False) -> bool:
    """Whether a file begins as an archive, which may be damaged, or is called one, `by_name`. Raises OSError."""
    with path.open("rb") as file:
        head = file.read(tree.HEAD_BYTES)
    return tree.looks_like_archive(head) or (by_name and is_called_archive(path.name, head))


def read_archive_file(content: bytes, limits: StagingLimits = _BOUNDS) -> FileTree:
    """Read what was meant as an archive, in another process; `Refused` when it is none, damaged or over a limit."""
    try:
        return _ask_reader(content, limits)
    except tree.NoArchiveError as error:
        raise tree.no_archive(content) from error


def unpack_archive_file(path: Path, target: Path, limits: StagingLimits) -> None:
    """Unpack a zip or tar of a course into the empty folder `target`, in another process; raises as others do."""
    _ask_reader(b"", limits, path, target)


def _ask_reader(
    content: bytes, limits: StagingLimits, path: Path | None = None, target: Path | None = None
) -> FileTree:
    """Return what `archive.serve` answers, and raise as that says; of what is no archive at a path, UsageError."""
    helpers = lazy_modules("grader.core")("helper_process")
    reader = helpers.Helper(
        task="read an archive",
        code="from grader.core.build.archive import serve\nserve()",
        packages=("grader", "grader.core.build"),  # without what their `__init__` imports, which takes longer
        seconds=limits.seconds,
        memory=limits.memory,
    )
    reply = helpers.ask_once(reader, marshal.dumps((tuple(limits), str(path) if target else "", str(target))) + content)
    if reply.is_out_of_time:
        raise Refused(f"the archive takes more than {limits.seconds} s to read, so hand it in again as a plain zip")
    if reply.status:
        raise HostError(f"an archive could not be read: {reply.errors.decode(errors='replace').strip()[-500:]}")
    kind, *answer = marshal.loads(reply.output)  # noqa: S302 - from our own code, and plain values whatever they are
    if kind == tree.NoArchiveError.__name__:
        raise UsageError(f"{path} {_NEITHER}") if path else tree.NoArchiveError
    if kind:
        raise (HostError if kind == HostError.__name__ else Refused)(*answer)
    files, folders, left_out = answer
    return FileTree({name: TreeFile(*file) for name, file in files.items()}, folders, left_out)
