"""The files of a report: a folder's name for any student, and files that are there whole or not at all."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from grader.core.cache import replace_files
from grader.core.errors import HostError
from grader.core.lazy import lazy_regex
from grader.core.text import is_visible, one_line, to_bytes

NAME_BYTES = 200  # bytes of a name; file systems allow 255, and a suffix may come behind it
# What hides a file, looks like an option, a formula or nothing at all at its end, or is a file of a class beside it.
_HARMFUL = lazy_regex(r"\A[ .+@-]|\A(?=(?:grades|index|junit|pages|summary)\.).| \Z|[^a-z0-9 ,_.+@()-]", re.IGNORECASE)


def safe_name(student: str) -> str:
    """Name a file after any id: what is not plainly harmless becomes `%2F`, what is too long is cut and gets a digest.

    None is a name that a file of the class has. Two ids never share one: `%` and `~`, which the escapes start with,
    are themselves escaped.
    """
    text = to_bytes(student).decode("utf-8", "surrogateescape")
    raw = _HARMFUL.sub(_escape, text).encode()
    if len(raw) > NAME_BYTES:
        return f"{raw[: NAME_BYTES - 33].decode('utf-8', 'ignore')}~{hashlib.sha256(to_bytes(text)).hexdigest()[:32]}"
    return raw.decode() or "%"


def _escape(found: re.Match[str]) -> str:
    is_harmless = not found[0].isascii() and is_visible(found[0])
    return found[0] if is_harmless else "".join(f"%{byte:02X}" for byte in to_bytes(found[0]))


def write_files(files: Mapping[str, bytes], folder: Path, what: str = "the report", mode: int = 0o600) -> None:
    """Write all files into a folder, made if need be, or raise `HostError` about `what` they are: all is as it was."""
    try:
        if folder.is_symlink():
            raise HostError(f"{one_line(str(folder))} is a link: remove it, reports are not written through links")
        make_folders(folder, 0o700 | mode | (mode & 0o444) >> 2)
        replace_files(folder, {name: [data] for name, data in files.items()}, mode)
    except OSError as error:
        advice = "make room on that disk, or choose a folder that you may write to"
        where = one_line(str(folder))
        raise HostError(f"{what} cannot be written to {where}: {error.strerror}; {advice}") from error


def make_folders(folder: Path, mode: int = 0o700) -> None:
    """Make a folder, and with its mode all that are missing above it, or everybody may list them; raises OSError."""
    for part in reversed((folder, *folder.parents)):
        if part is folder or not part.exists():
            part.mkdir(mode=mode, exist_ok=True)  # raises if there is something else


def tidy(folder: Path, names: Iterable[str]) -> None:
    """Remove temporary files of a killed grader next to the files of these names; nothing through a link."""
    pattern = re.compile(rf"\.({'|'.join(map(re.escape, names))})\.[0-9a-f]{{16}}")
    for path in [*folder.iterdir()] if folder.is_dir() and not folder.is_symlink() else ():
        if pattern.fullmatch(path.name):
            path.unlink(missing_ok=True)
