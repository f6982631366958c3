"""Problem packages as they are handed over: a folder, an archive, a folder of folders and archives.

An archive is unpacked into a temporary folder while its packages are imported. As it may be anybody's, it is read
within limits in a process of its own, and refused when it has a name or a link that leads out of it.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from grader.core.build.staging import unpack_archive_file
from grader.core.build.tree import ARCHIVE_ENDINGS, MIB, Refused, StagingLimits
from grader.core.errors import UsageError
from grader.core.text import listed, one_line
from grader.imports.kattis_package import MAX_PACKAGE_FILES, PROBLEM, KattisOptions

_MAX_FOLDERS_AROUND = 2  # as in `problems-main/contest/pairsums`
_UNPACKED_PER_SECOND = 8 * MIB  # by the slowest of the packers, on a busy machine


class ProblemSource(NamedTuple):
    """A problem package, or an archive of packages."""

    path: Path
    shown: str  # its path for the user, who does not know where it is unpacked

    def describe(self, error: Exception) -> str:
        """Return the message of an error, with the path that the user knows."""
        return str(error).replace(os.path.realpath(self.path), self.shown).replace(str(self.path), self.shown)


def find_sources(path: Path) -> Sequence[ProblemSource]:
    """Return what is at a path: a package or an archive itself, or all that are in a folder, by their names.

    Folders around them are looked into, since archives often have one. A path with nothing of it is returned as it is.
    """
    inside = [] if (path / PROBLEM).exists() else list(_sources_in(path, _MAX_FOLDERS_AROUND))
    return [ProblemSource(one, str(one)) for one in inside or [path]]


def _sources_in(folder: Path, around: int) -> Iterator[Path]:
    try:
        paths = sorted(path for path in folder.iterdir() if not path.name.startswith((".", "_")))
    except OSError:
        return  # the import says why it cannot be read
    for path in paths:
        if (path / PROBLEM).is_file():
            yield path
        elif path.is_dir() and not path.is_symlink() and around:
            yield from _sources_in(path, around - 1)
        elif path.name.lower().endswith(ARCHIVE_ENDINGS) and around == _MAX_FOLDERS_AROUND:
            yield path


@contextmanager
def unpacked(source: ProblemSource, options: KattisOptions) -> Iterator[Sequence[ProblemSource]]:
    """Yield the packages in an archive, unpacked as long as the context lasts; a folder as it is.

    Raises UsageError for an archive that is refused or has no package.
    """
    if not source.path.is_file():
        yield [source]
        return
    name, shown = source.path.name, source.shown
    ending = next((one for one in ARCHIVE_ENDINGS if name.lower().endswith(one)), "")
    options.tell("unpacking", source.path.stat().st_size)
    seconds = 10 + options.max_bytes // _UNPACKED_PER_SECOND
    limits = StagingLimits(files=MAX_PACKAGE_FILES, size=options.max_bytes, seconds=seconds)
    with tempfile.TemporaryDirectory(prefix="grader-import-") as temporary:
        # A package without a folder around it has the name of the archive.
        target = Path(temporary) / (name[: len(name) - len(ending)].strip(".") or "package")
        target.mkdir()
        try:
            unpack_archive_file(source.path, target, limits)
        except Refused as refused:
            problem = refused.fact.replace("the submission", "the archive")
            raise UsageError(f"{shown}: {problem}; see --max-size, or unpack it and name its folder") from refused
        found = [one.path for one in find_sources(target)]
        if nested := [one.name for one in found if one.is_file()]:
            raise UsageError(f"{shown}: unpack it first, since it has archives in it: {listed(nested, most=3)}")
        if not any((one / PROBLEM).is_file() for one in found):
            raise UsageError(f"{shown}: it has no problem package: no folder in it has {PROBLEM}")
        inner = [one_line(one.relative_to(target).as_posix()) for one in found]
        yield [
            ProblemSource(one, shown if name == "." else f"{shown}/{name}")
            for one, name in zip(found, inner, strict=True)
        ]
