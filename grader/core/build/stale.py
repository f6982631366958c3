"""What was handed in already built, where rules look at the source: it is built anew from the source beside it.

A `Board.class` next to `Board.java` is mostly what an editor left there, and may be anything. No rule can read it, and
compilers and `make` take it where it is as new as its source.
"""

from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from grader.core.errors import HostError

_SOURCES: Mapping[str, tuple[str, ...]] = {
    ".class": (".java", ".kt"),
    ".o": (".c", ".cc", ".cpp", ".cxx", ".C"),
    ".obj": (".c", ".cc", ".cpp", ".cxx"),
    ".gch": ("",),
}
"""the ending of what a compiler makes -> the endings of what it may be made of"""
_PROGRAM = (b"\x7fELF", b"#!")


def remove_stale(folder: Path, produced: Collection[str], required: Collection[str]) -> None:
    """Remove what a build of the files in `folder` makes anew, unless it is required. Raises HostError."""
    try:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.is_symlink() or not path.is_file() or any(fnmatchcase(name, one) for one in required):
                continue
            is_product = any(fnmatchcase(name, one) for one in produced) and _starts_as_program(path)
            if is_product or _has_source(path):
                path.unlink()
    except OSError as error:
        raise HostError(f"cannot remove what was handed in built: {error}") from error


def _has_source(path: Path) -> bool:
    stem = PurePosixPath(path.name).stem
    stem = stem.partition("$")[0] if path.suffix == ".class" else stem
    return any(path.with_name(stem + ending).is_file() for ending in _SOURCES.get(path.suffix, ()))


def _starts_as_program(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4).startswith(_PROGRAM)
