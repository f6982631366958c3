"""Loose files of one student -> a folder that can be graded.

Canvas, and Moodle if it is told so, give every file of a class in one folder, with whose it is in front of its name.
`gather` makes a folder for each student, with the names as the student gave them. The files are linked where the disk
can do that, so that this costs next to nothing.
"""

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from grader.classroom.entries import Found, Loose
from grader.classroom.names import CANVAS, read_name, without_copy
from grader.errors import HostError
from grader.report import safe_name
from grader.text import one_line


def gather(found: Found, target: Path, wanted: Sequence[str] = ()) -> Found:
    """Make a folder below `target` of each loose submission, and return everything with those as the paths.

    `wanted` are names or patterns of files that the assignment asks for: `Queens-1.java`, as Canvas calls what is
    handed in again, becomes `Queens.java` when that is wanted and the other is not. Raises HostError.
    """
    folders = {loose.id: _folder(loose, target / safe_name(loose.id), wanted) for loose in found.loose}
    entries = tuple(replace(entry, path=folders.get(entry.id, entry.path)) for entry in found.entries)
    return replace(found, entries=entries, loose=())


def _folder(loose: Loose, folder: Path, wanted: Sequence[str]) -> Path:
    files = {_name(path, name, wanted): path for path, name in loose.files}  # the later one of two with one name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for name, path in files.items():
            _link(path, folder / name)
    except OSError as error:
        where = one_line(str(error.filename2 or error.filename or folder))
        raise HostError(f"{where}: {error.strerror}; remove {one_line(str(folder))}, and start again") from error
    return folder


def _name(path: Path, name: str, wanted: Sequence[str]) -> str:
    if name in (".", ".."):
        return "_"
    before = without_copy(name) if read_name(path.name).platform == CANVAS else name
    return before if _is_wanted(before, wanted) and not _is_wanted(name, wanted) else name


def _is_wanted(name: str, wanted: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in wanted)


def _link(path: Path, new: Path) -> None:
    try:
        os.link(path, new, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:  # another disk, or one that cannot link
        shutil.copyfile(path, new, follow_symlinks=False)
