"""What lies in a class's folder: submissions, files of submissions, and what is neither.

Nothing is opened but to see whether a file is an archive, and no link is followed.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path

from grader.build import check_path
from grader.classroom.names import ARCHIVE_ENDINGS, BLACKBOARD, Named, plain_name, read_names
from grader.errors import UsageError
from grader.text import one_line

SUBMITTERS = "submission_metadata.yml"
"""where a Gradescope export tells whose is what"""

SKIPPED = ("__MACOSX", "expected.yaml", SUBMITTERS)
"""never a submission, and not worth a word; so is what begins with a dot"""

LINK = "a link is not followed; put what it leads to in its place"
SPECIAL = "this is no file, folder or archive"
STRAY = "this is neither a folder nor a zip or tar.gz archive; a submission of one file goes into a folder of its own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A folder or file that somebody handed in."""

    path: Path
    named: Named
    is_whole: bool
    """a folder or an archive, and not one file of several"""


@dataclass(slots=True, kw_only=True)
class Look:
    """What there is in a class's folder."""

    items: list[Item] = field(default_factory=list)
    strays: dict[str, str] = field(default_factory=dict)
    """the names of what is no submission, and why"""
    receipts: list[str] = field(default_factory=list)
    """Blackboard's own files, one about each attempt"""

    @property
    def unused(self) -> list[str]:
        """Say what was found and is no submission."""
        found = [f"{one_line(name)}: {why}" for name, why in sorted(self.strays.items())]
        if self.receipts:
            first, count = one_line(self.receipts[0]), len(self.receipts)
            found.append(f"{first}: in this, Blackboard tells about an attempt" + f"; {count} such files" * (count > 1))
        return found


def look_into(folder: Path, roster: Path | None = None) -> Look:
    """Look at everything in `folder` but the roster; raises UsageError when it cannot be read."""
    look = Look()
    try:
        with os.scandir(folder) as scan:
            found = sorted((entry for entry in scan if not _is_skipped(entry, roster)), key=lambda entry: entry.name)
        for entry, named in zip(found, read_names([entry.name for entry in found]), strict=True):
            _take(look, entry, named)
    except OSError as error:
        wanted = "name the one with a folder or an archive for each student"
        hint = "; unpack it first" if isinstance(error, NotADirectoryError) else f"; {wanted}"
        message = f"{one_line(str(folder))} is no folder of submissions that can be read: {error.strerror}{hint}"
        raise UsageError(message) from error
    return look


def _is_skipped(entry: os.DirEntry[str], roster: Path | None) -> bool:
    if entry.name.startswith(".") or entry.name in SKIPPED:
        return True
    if roster is None or entry.name != roster.name:
        return False
    return os.path.samestat(roster.stat(), entry.stat(follow_symlinks=False))


def _take(look: Look, entry: os.DirEntry[str], named: Named) -> None:
    path = Path(entry.path)
    if entry.is_symlink():
        look.strays[entry.name] = LINK
    elif entry.is_dir():
        own = named if named.platform else plain_name(entry.name, is_folder=True)
        look.items.append(Item(path=path, named=own, is_whole=True))
    elif not entry.is_file():
        look.strays[entry.name] = SPECIAL
    elif named.platform == BLACKBOARD and not named.file and entry.name.endswith(".txt"):
        look.receipts.append(entry.name)
    elif _is_archive(path):
        look.items.append(Item(path=path, named=named, is_whole=True))
    elif named.platform or entry.name.lower().endswith(ARCHIVE_ENDINGS):
        look.items.append(Item(path=path, named=named, is_whole=False))
    else:
        look.strays[entry.name] = STRAY


def _is_archive(path: Path) -> bool:
    try:
        check_path(path)
    except UsageError as error:
        # What may not be read is left to the grading, which makes it ungraded and says why.
        return isinstance(error.__cause__, OSError)
    return True
