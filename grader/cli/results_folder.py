"""Where results go: a folder that is closed to others, and never where students write or read.

Results carry the course's secrets: the spec with its hidden tests, and what the reference answered.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.core.errors import UsageError
from grader.core.text import one_line

_MAX_LINKS = 40  # on the way to a file, as on Linux
_OURS = ("grades.db", "grades.lock")


def report_folder(named: Path | None, spec_id: str, handed_in: Sequence[Path]) -> Path:
    """Return the folder of reports, closed to others if it is there already; raises UsageError where it may not be.

    That is in a submission or by way of one, where links could redirect writes; by a stranger's link; and where others
    can write.
    """
    folder = named or Path("reports") / spec_id
    places = list(_places_on_the_way(folder))
    for path in handed_in:
        real = Path(os.path.realpath(path))
        if any(place.is_relative_to(real) for place in places):
            better = Path(os.path.relpath(real.parent)) / "reports" / spec_id
            raise UsageError(f"reports may not lie in what was handed in ({folder}); choose another, --out {better}")
    for place in places:
        if _is_of_a_stranger(place):
            raise UsageError(f"{one_line(str(place))} is a link that another user made; choose another folder")
    _close(folder)
    return folder


def _places_on_the_way(folder: Path) -> Iterator[Path]:
    """Yield every folder and link that a path leads through, and what they lead to."""
    at, links = Path.cwd(), 0
    rest = [*reversed(folder.parts)]
    while rest:
        part = rest.pop()
        at = at.parent if part == ".." else at / part
        yield at
        if at.is_symlink() and links < _MAX_LINKS:
            links += 1
            rest += reversed(at.readlink().parts)
            at = at.parent
    yield at


def _is_of_a_stranger(place: Path) -> bool:
    """Whether somebody else made this link, be it in a folder of theirs."""
    try:
        facts = place.lstat()
        # Within a user namespace the root of the machine has another number: that of the owner of `/`.
        return stat.S_ISLNK(facts.st_mode) and facts.st_uid not in {os.geteuid(), 0, Path("/").stat().st_uid}
    except OSError:
        return False  # what is not there is no link


def _close(folder: Path) -> None:
    """Close a folder in which everybody may write, if nobody else's files are in it."""
    try:
        mode, owner = folder.stat().st_mode, folder.stat().st_uid
    except OSError:
        return  # it is not there, or writing will tell what is wrong
    if not mode & stat.S_IWOTH or mode & stat.S_ISVTX or not stat.S_ISDIR(mode):
        return
    is_own = os.geteuid() in {owner, 0}
    names = [path.name for path in folder.iterdir()] if is_own else []
    if not is_own or (names and not any(name in _OURS for name in names)):
        shown = one_line(str(folder))
        raise UsageError(f"others can write to {shown}, and so change grades: chmod o-w, or choose another folder")
    folder.chmod(stat.S_IMODE(mode) & ~stat.S_IRWXO)
