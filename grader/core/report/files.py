"""The files of a report: a folder's name for any student, and files that are there whole or not at all.

Each is written next to its place, and moved there only when all of them are safe on the disk: an older report is never
half of one.
"""

import errno
import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from grader.core.atomic import replace_files
from grader.core.errors import HostError
from grader.core.lazy import lazy_regex
from grader.core.text import is_visible, one_line, to_bytes

NAME_BYTES = 200
"""bytes of a name; file systems allow 255, and a suffix may come behind it"""

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,-_.+@()")
# At the start, these hide a file, look like an option, like a formula to a spreadsheet, or like nothing at all.
_NOT_FIRST = frozenset(" -.+@")
# The files next to the students' folders in the results of a class, and those that SQLite adds to its own.
_OURS = lazy_regex(r"(grades|index|junit|pages|summary)\.", re.IGNORECASE)
_ADVICE = {
    errno.ENOSPC: "make room on that disk, and grade again",
    errno.EDQUOT: "make room within your quota, and grade again",
    errno.EFBIG: "raise the limit on the size of files, and grade again",
}


def safe_name(student: str) -> str:
    """Name a file after any id: what is not plainly harmless becomes `%2F`, what is too long is cut and gets a digest.

    None is a name that a file of the class has. Two ids never share one: `%` and `~`, which the escapes start with,
    are themselves escaped.
    """
    text = to_bytes(student).decode("utf-8", "surrogateescape")
    name = "".join(
        character
        if character in _PLAIN or (not character.isascii() and is_visible(character))
        else _percent_escaped(character)
        for character in text
    )
    if name and (name[0] in _NOT_FIRST or _OURS.match(name)):
        name = _percent_escaped(name[0]) + name[1:]
    if name.endswith(" "):
        name = name[:-1] + "%20"
    raw = name.encode()
    if len(raw) > NAME_BYTES:
        digest = hashlib.sha256(to_bytes(text)).hexdigest()[:32]
        name = raw[: NAME_BYTES - 33].decode("utf-8", "ignore") + "~" + digest
    return name or "%"


def _percent_escaped(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in to_bytes(character))


def write_files(files: Mapping[str, bytes], folder: Path, what: str = "the report", mode: int = 0o600) -> None:
    """Write files into a folder, made if it is not there; all of them are safe on the disk before one is moved.

    `what` they are is for messages. Grades are private on a machine that others use too, so that they
    have a `mode` of their own.

    Raises `HostError` when that fails; what was there before is then still there, whole.
    """
    try:
        if folder.is_symlink():
            raise HostError(f"{one_line(str(folder))} is a link: remove it, reports are not written through links")
        make_folders(folder, 0o700 | mode | (mode & 0o444) >> 2)
        replace_files(folder, {name: [data] for name, data in files.items()}, mode)
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, "choose a folder that you may write to")
        message = f"{what} cannot be written to {one_line(str(folder))}: {error.strerror}; {advice}"
        raise HostError(message) from error


def make_folders(folder: Path, mode: int = 0o700) -> None:
    """Make a folder and all that are missing above it, each with this mode; raises OSError.

    `Path.mkdir` gives those above the mode of any new folder, and everybody may list them.
    """
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    for part in reversed(missing):
        part.mkdir(mode=mode, exist_ok=True)
    folder.mkdir(mode=mode, exist_ok=True)  # raises if there is something else


def tidy(folder: Path, names: Iterable[str]) -> None:
    """Remove temporary files of a killed grader next to the files of these names."""
    if folder.is_symlink():
        return  # nothing is removed through a link; writing refuses it
    patterns = [re.compile(rf"\.{re.escape(name)}\.[0-9a-f]{{16}}") for name in names]
    try:
        left = [path for path in folder.iterdir() if any(pattern.fullmatch(path.name) for pattern in patterns)]
    except FileNotFoundError:
        return
    for path in left:
        path.unlink(missing_ok=True)
