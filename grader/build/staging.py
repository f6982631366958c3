"""A submission is copied once, into a private folder, and everything after that works on the copy.

Read it (a folder by descriptor, an archive in memory), take its digest, put its layout right, write it down. What a
student did wrong ends as `Staged.problem` or a finding; only a path that is no submission, or a disk of ours that
fails, raises.
"""

import hashlib
import os
import stat
from pathlib import Path

from grader.build.archives import NoArchiveError, is_archive, read_archive
from grader.build.folders import read_folder
from grader.build.layout import arrange
from grader.build.tree import MIB, Refused, StagingLimits, Tree, digest, write
from grader.errors import HostError, UsageError
from grader.model import FileRules, Staged, Submission

_LIMITS = StagingLimits()
_WANTED = "give the path of a folder or of a zip or tar.gz archive"


def check_path(path: Path) -> None:
    """Raise UsageError unless `path` is a folder or an archive: a quick look, before anything is graded."""
    try:
        if path.is_dir() or (path.is_file() and is_archive(path)):
            return
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; {_WANTED}") from error
    raise UsageError(f"{path} is neither a folder nor a zip or tar.gz archive")


def stage(submission: Submission, rules: FileRules, target: Path, limits: StagingLimits = _LIMITS) -> Staged:
    """Copy a submission into the empty folder `target`.

    Raises UsageError for a path that is no submission, HostError when the copy fails.
    """
    try:
        tree = read_submission(submission.path, limits)
    except Refused as refused:
        return Staged(folder=target, digest=_mark(refused), problem=str(refused))
    layout = arrange(tree, rules)
    write(layout.tree, target)
    return Staged(folder=target, digest=digest(tree), findings=layout.findings, problem=layout.problem)


def submission_digest(path: Path, limits: StagingLimits = _LIMITS) -> str:
    """Return the digest that `stage` would, without copying anything; raises as `stage` does."""
    try:
        return digest(read_submission(path, limits))
    except Refused as refused:
        return _mark(refused)


def _mark(refused: Refused) -> str:
    """Nothing of it is known but why it was refused, so this is what tells it from another one."""
    return hashlib.sha256(os.fsencode(f"refused: {refused}")).hexdigest()


def read_submission(path: Path, limits: StagingLimits = _LIMITS) -> Tree:
    """Read a submission into memory; raises UsageError, HostError, or `Refused` for one that is over a limit."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{path}: {reason}; {_WANTED}") from error
    try:
        return _read_opened(descriptor, limits)
    except NoArchiveError as error:
        raise UsageError(f"{path} is neither a folder nor a zip or tar.gz archive") from error
    except OSError as error:
        what = f"{path}: {error.filename}" if error.filename else path
        raise HostError(f"{what} cannot be read: {error.strerror}; make it readable for the user who grades") from error
    finally:
        os.close(descriptor)


def _read_opened(descriptor: int, limits: StagingLimits) -> Tree:
    kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
    if kind == stat.S_IFDIR:
        return read_folder(descriptor, limits)
    if kind == stat.S_IFREG:
        return read_archive(_bytes(descriptor, limits), limits)
    raise NoArchiveError


def _bytes(descriptor: int, limits: StagingLimits) -> bytes:
    with os.fdopen(descriptor, "rb", closefd=False) as stream:
        content = stream.read(limits.archive + 1)
    if len(content) > limits.archive:
        raise Refused(f"the archive has more than {limits.archive // MIB} MiB")
    return content
