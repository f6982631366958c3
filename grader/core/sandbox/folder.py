"""The working folder of a command: filled before the gate opens, looked at after the last process is gone.

All access is by descriptor, relative to that of the folder, and never through a link: a link that a student's program
left may point anywhere.
"""

import os
import stat
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import IO

from grader.core.errors import HostError
from grader.core.lazy import lazy_call
from grader.core.model.execution import MAX_COLLECTED_BYTES, MAX_COLLECTED_FILES, MAX_NAMES
from grader.core.model.layout import matches_glob
from grader.core.sandbox.cgroup import creating_as
from grader.core.threads import FORK_LOCK

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
_ARCHIVE_TIME = 315_532_800  # the first that there is in an archive, 1980
_PROGRAMS = (b"\x7fELF", b"#!")  # how a file begins that can be started by its name
_OLD_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MAX_DEPTH, _MAX_FOLDER_BYTES = 64, 3000  # the kernel takes 4096 bytes, with our own folder before and a name behind
_remove_tree = lazy_call("shutil", "rmtree")  # which imports three libraries for archives
_OLD_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def copy_in(source: Path, work: int, user: int | None) -> None:
    """Copy the files and folders below `source`, a folder of ours, into `work`, with the times of the files.

    Executable files stay so.
    """
    for folder, folders, files in os.walk(source, onerror=_raise):
        relative = folder[len(os.fspath(source)) :].lstrip("/")
        with creating_as(user):
            for name in folders:
                _make_folder(os.path.join(relative, name), work)
        for name in files:
            _copy_file(os.path.join(folder, name), os.path.join(relative, name), work, user)


def _raise(error: OSError) -> None:
    raise error


def copy_out(work: int, target: Path) -> None:
    """Copy the folders and readable regular files of `work` to the folder `target`, anew, with the times of the files.

    Files beyond `MAX_COLLECTED_FILES`, or beyond `MAX_COLLECTED_BYTES` together, are left out.
    """
    _remove_tree(target, ignore_errors=True)
    target.mkdir()
    copied, rest = os.open(target, _OLD_FOLDER), MAX_COLLECTED_BYTES
    try:
        for name, mode in islice(_all_below(work), MAX_COLLECTED_FILES):
            if stat.S_ISDIR(mode):
                _make_folder(name, copied)
            elif stat.S_ISREG(mode) and mode & stat.S_IRUSR and (size := os.stat(name, dir_fd=work).st_size) <= rest:
                with suppress(PermissionError):
                    _copy_file(name, name, copied, None, work)
                    rest -= size
    finally:
        os.close(copied)


def _copy_file(source: str, name: str, work: int, user: int | None, folder: int | None = None) -> None:
    with _open_old(source, folder) as reading:
        facts, done = os.fstat(reading.fileno()), 0
        with _new_file(name, work, 0o755 if facts.st_mode & stat.S_IXUSR else 0o644, user) as writing:
            while done < facts.st_size and (sent := os.sendfile(writing, reading.fileno(), done, facts.st_size - done)):
                done += sent
            os.utime(writing, ns=(facts.st_mtime_ns, facts.st_mtime_ns))


def _make_folder(name: str, work: int) -> None:
    with suppress(FileExistsError):
        os.mkdir(name, dir_fd=work)
        os.chmod(name, 0o755, dir_fd=work)  # noqa: S103 - as `mkdir` does for most users


@contextmanager
def _new_file(name: str, work: int, mode: int, user: int | None = None) -> Iterator[int]:
    """Open a file to be written, for one at a time: others start programs meanwhile, however slow the disk is."""
    with FORK_LOCK, creating_as(user):
        file = os.open(name, _NEW_FILE, 0o600, dir_fd=work)
        try:
            os.fchmod(file, mode)  # whatever our umask is: a program may look
            yield file
        finally:
            os.close(file)


def write_in(files: Mapping[str, bytes], work: int, user: int | None) -> None:
    """Write `files` (relative name -> content) into `work`, in place of existing ones; programs become executable.

    Raises HostError for a name that leads outside.
    """
    with creating_as(user):
        for name, content in files.items():
            parts = Path(name).parts
            if not parts or name.startswith("/") or ".." in parts:
                raise HostError(
                    f"{name!r} is no name for a file in the working folder; use a relative one without '..'"
                )
            _clear_way(parts, work)
            for depth in range(1, len(parts)):
                _make_folder(os.path.join(*parts[:depth]), work)
            with _new_file(name, work, 0o755 if content.startswith(_PROGRAMS) else 0o644) as file:
                rest = memoryview(content)
                while rest:
                    rest = rest[os.write(file, rest) :]
                if content.startswith(b"PK"):  # machines of Java that share its classes know an archive by its time
                    os.utime(file, (_ARCHIVE_TIME, _ARCHIVE_TIME))


def _clear_way(parts: Sequence[str], work: int) -> None:
    """Remove handed-in files where one of our files, or a folder on its way, is to be."""
    for depth in range(1, len(parts) + 1):
        name = os.path.join(*parts[:depth])
        try:
            is_folder = stat.S_ISDIR(os.stat(name, dir_fd=work, follow_symlinks=False).st_mode)
        except OSError:
            return
        if is_folder == (depth < len(parts)):
            continue
        if is_folder:
            _remove_tree(name, dir_fd=work)
        else:
            os.unlink(name, dir_fd=work)


def make_pipe(name: str, work: int, user: int | None) -> None:
    """Make a named pipe in the working folder, which its command may open for reading and writing."""
    with creating_as(user):
        _clear_way((name,), work)
        os.mkfifo(name, 0o600, dir_fd=work)


def names_in(work: int) -> tuple[str, ...]:
    """Return the relative paths of everything below `work`, sorted; folders end with `/`.

    At most `MAX_NAMES`, and one more that shows that there are others.
    """
    entries = islice(_all_below(work), MAX_NAMES + 1)
    return tuple(sorted(name + "/" if stat.S_ISDIR(mode) else name for name, mode in entries))


def _all_below(work: int) -> Iterator[tuple[str, int]]:
    """Yield path and mode of each entry, folders before what is in them; links are not followed."""
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            descriptor = _open_folder(folder or ".", work)
        except OSError:
            continue
        try:
            if not os.fstat(descriptor).st_mode & stat.S_IXUSR:  # of one that can only be listed
                os.chmod(descriptor, 0o700)
            for name in os.listdir(descriptor):
                mode = os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode
                path = os.path.join(folder, name)
                yield path, mode
                if stat.S_ISDIR(mode) and path.count("/") < _MAX_DEPTH and len(os.fsencode(path)) <= _MAX_FOLDER_BYTES:
                    waiting.append(path)
        finally:
            os.close(descriptor)


def _open_folder(name: str, work: int) -> int:
    """Open a folder, even an unreadable one. No process is left that could put a link in its place."""
    try:
        return os.open(name, _OLD_FOLDER, dir_fd=work)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=work)
        return os.open(name, _OLD_FOLDER, dir_fd=work)


def collect(work: int, patterns: Sequence[str], most: int) -> tuple[dict[str, bytes], dict[str, int]]:
    """Return the contents of the regular files whose path matches one of `patterns`, up to `most` bytes together.

    The second result has the size of each file that did not fit, and of the first that is over `MAX_COLLECTED_FILES`.
    The others over that are left out, as are links and all else that is no regular file.
    """
    globs = {pattern for pattern in patterns if any(sign in pattern for sign in "*?[")}
    exact = {*patterns} - globs  # secret names are new each time: none is compiled to a pattern
    contents: dict[str, bytes] = {}
    uncollected: dict[str, int] = {}
    for name, mode in _all_below(work):
        if stat.S_ISREG(mode) and (name in exact or any(matches_glob(name, pattern) for pattern in globs)):
            content = _read_regular(work, name, most)
            is_one_too_many = content is not None and len(contents) + len(uncollected) == MAX_COLLECTED_FILES
            if isinstance(content, bytes) and not is_one_too_many:
                most -= len(content)
                contents[name] = content
            elif content is not None:
                uncollected[name] = content if isinstance(content, int) else len(content)
            if is_one_too_many:
                break
    return contents, uncollected


def _read_regular(work: int, name: str, most: int) -> bytes | int | None:
    """Return the content of a regular file, or its size when that is over `most`; None for all else."""
    with suppress(OSError), _open_old(name, work) as file:
        facts = os.fstat(file.fileno())
        if stat.S_ISREG(facts.st_mode):
            return facts.st_size if facts.st_size > most else file.read()
    return None


def _open_old(name: str, folder: int | None = None) -> IO[bytes]:
    """Open a path that may have become anything: no link is followed, and no pipe is waited for."""
    return os.fdopen(os.open(name, _OLD_FILE, dir_fd=folder), "rb", buffering=0)


def remove_tree(folder: Path) -> None:
    """Remove a file or folder that a program left, however deep, without following a link."""
    try:
        if stat.S_ISDIR(folder.lstat().st_mode):
            for _, folders, files, at in os.fwalk(folder, topdown=False):
                for name in files:
                    os.unlink(name, dir_fd=at)
                for name in folders:
                    os.rmdir(name, dir_fd=at)
            folder.rmdir()
        else:
            folder.unlink()
    except (OSError, RecursionError):  # as for a link to a folder, which is among the folders
        with suppress(OSError):
            subprocess.run(["/bin/rm", "-rf", "--", folder], check=False, stderr=subprocess.DEVNULL)


def seal_code(work: int) -> dict[str, tuple[int, ...]]:
    """Make the programs and libraries in a working folder read-only, and return stamps that any change would alter.

    A program that opens one for writing has to change its mode first. That alters the time of the last change, which
    no program can set.
    """
    for path in code_stamps(work):
        os.chmod(path, os.stat(path, dir_fd=work).st_mode & 0o555, dir_fd=work)
    return code_stamps(work)


def code_stamps(work: int) -> dict[str, tuple[int, ...]]:
    """Return number, mode and time of the last change of each program and library in a working folder."""
    code = (path for path, mode in _all_below(work) if stat.S_ISREG(mode) and _is_code(path, work))
    facts = ((path, os.stat(path, dir_fd=work, follow_symlinks=False)) for path in code)
    return {path: (fact.st_ino, fact.st_mode, fact.st_ctime_ns, fact.st_size) for path, fact in facts}


def _is_code(name: str, folder: int) -> bool:
    with suppress(OSError), _open_old(name, folder) as file:
        return file.read(4) == b"\x7fELF"
    return False  # whoever made it unreadable has changed its mode
