r"""Parse the name of a submission: the owner, the attempt, whether it was late.

A learning platform packs these into file names when a class is downloaded, each in its own format. `NAME_PATTERNS` is
the table of formats. A name in none of them was chosen by a person: the whole name identifies its owner.
"""

import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from grader.core.build import ARCHIVE_ENDINGS
from grader.core.lazy import lazy_regex

CANVAS, MOODLE, BLACKBOARD, GRADESCOPE, ATTEMPT = "Canvas", "Moodle", "Blackboard", "Gradescope", "attempts"


class Named(Struct, frozen=True, kw_only=True):
    """The parts of a submission's name."""

    who: str
    """a person's or a team's name as the platform writes it, a login, or the name itself"""
    owner: str
    """the part of the name shared by all uploads of one student, and different for another student"""
    platform: str = ""
    """empty for a name in no platform's format"""
    number: str = ""
    """the student's number on the platform"""
    attempt: int = 0
    """greater for a later attempt; 0 when the name has none"""
    late: bool = False
    part: int = 0
    """Canvas: the number of the uploaded file, greater for a later upload"""
    file: str = ""
    """the name that the student gave the file"""
    is_work: bool = True
    """whether it is an uploaded file, and not a text typed into the platform"""


NAME_PATTERNS = (
    # An assignment's title, the user's name, the time; a .txt without a file name tells about the attempt
    # (as quoted in github.com/kwurst/bb-file-cleanup).
    (
        BLACKBOARD,
        lazy_regex(
            r"(?P<owner>(?:.+_)?(?P<who>[^_]+))_attempt_(?P<attempt>[0-9]{4}(?:-[0-9][0-9]){5})(?:_(?P<file>.+)|(?:\.[\w.]+)?)",
            re.DOTALL,
        ),
    ),
    # mod/assign/classes/downloader.php: full name or group, number; then a folder, or a file's own name.
    (
        MOODLE,
        lazy_regex(
            r"(?P<owner>(?P<who>.+?)(?:_(?P<number>[0-9]+))?)_assignsubmission_(?P<kind>[a-z]+)_?(?P<file>.*)",
            re.DOTALL,
        ),
    ),
    # A user's name, perhaps a number, the number of the attempt.
    (
        ATTEMPT,
        lazy_regex(
            r"(?P<owner>(?P<who>.+?)(?:_(?P<number>[0-9]+))?)_attempt_(?P<attempt>[0-9]{1,9})(?P<file>[_.].*)?",
            re.DOTALL | re.IGNORECASE,
        ),
    ),
    # The export has a folder for each submission; submission_metadata.yml names their owners.
    (GRADESCOPE, lazy_regex(r"(?P<owner>(?P<who>submission_(?P<number>[0-9]+)))(?P<file>\.\w+)?")),
    # lib/content_zipper.rb: last and first name in small letters, LATE, the user's number, the file's number, the
    # file's name; or what was typed, as HTML.
    (
        CANVAS,
        lazy_regex(
            r"(?P<owner>(?P<who>\w+?)(?P<late>_LATE)?_(?P<number>[0-9]+))_"
            r"(?:(?P<part>[0-9]+)_(?P<file>.+)|(?P<kind>text|link)\.html)",
            re.DOTALL,
        ),
    ),
    # lib/content_zipper.rb, for an anonymous assignment.
    (CANVAS, lazy_regex(r"(?P<late>LATE_)?(?P<owner>(?P<who>anon_\w{5}))_(?P<part>[0-9]+)_(?P<file>.+)", re.DOTALL)),
)
"""A platform, and how it writes names, with the groups who, number, attempt, late, part and file, or some.

They are tried in this order: the first that matches the whole name counts."""

_COPY = lazy_regex(r"-[0-9]+(?=(?:\.[A-Za-z]\w*)*$)")


def bare_name(name: str) -> str:
    """Return the name of an archive without the ending, whether or not it can be read."""
    for ending in ARCHIVE_ENDINGS:
        if name.lower().endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return name


def read_name(name: str) -> Named:
    """Parse the name of a folder or file."""
    for platform, pattern in NAME_PATTERNS:
        if match := pattern.fullmatch(name):
            groups = match.groupdict(default="")
            late = groups.get("late", "")
            return Named(
                who=groups["who"],
                owner=groups["owner"].replace(late, "") if late else groups["owner"],
                platform=platform,
                number=groups.get("number", ""),
                attempt=int(groups.get("attempt", "").replace("-", "") or 0),
                late=bool(late),
                part=int(groups.get("part", "") or 0),
                file=groups["file"].lstrip("_.") if platform == ATTEMPT else groups["file"],
                is_work=groups.get("kind", "file") in ("", "file"),
            )
    return plain_name(name)


def plain_name(name: str, *, is_folder: bool = False) -> Named:
    """Return a name unparsed, even if it fits a platform's format; no ending is removed from a folder's."""
    bare = name if is_folder else bare_name(name)
    return Named(who=bare, owner=bare, file=name)


def read_names(names: Sequence[str]) -> list[Named]:
    """Parse each name. Canvas numbers every file once: names with the same number are not Canvas's."""
    read = [read_name(name) for name in names]
    seen = Counter(named.part for named in read)
    return [
        plain_name(name) if named.part and seen[named.part] > 1 else named
        for name, named in zip(names, read, strict=True)
    ]


def without_copy(file: str) -> str:
    """Return a file's name before Canvas numbered it: handed in again, Queens.java becomes Queens-1.java."""
    return _COPY.sub("", file)
