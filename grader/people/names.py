"""Parse the name of a submission: the owner, the attempt, whether it was late.

A platform packs these into the names of what is downloaded, in a format of its own (`platforms.yaml`). A name in none
of them was chosen by a person: the whole of it identifies its owner. Students choose the end of a name, which may look
like any format: so a name is parsed as one platform's, from the left, and `uploads.py` chooses it for all names.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

from msgspec import Struct

from grader.core.build.tree import ARCHIVE_ENDINGS
from grader.core.lazy import lazy_regex
from grader.people.times import parse_platform_time, platform_forms

CANVAS, MOODLE, BLACKBOARD, GRADESCOPE, ATTEMPT = "Canvas", "Moodle", "Blackboard", "Gradescope", "attempts"
BRIGHTSPACE, GITHUB, PLAIN = "Brightspace", "GitHub Classroom", "plain"
_ALL = (CANVAS, MOODLE, BLACKBOARD, BRIGHTSPACE, GRADESCOPE, GITHUB, ATTEMPT, PLAIN)
PLATFORMS = {platform.split()[0].lower(): platform for platform in _ALL}
"""the word for the command line -> the platform"""


class Named(Struct, frozen=True, kw_only=True):
    """The parts of a submission's name."""

    who: str  # a person's or a team's name as the platform writes it, a login, or the name itself
    owner: str  # the part of the name shared by all uploads of one student, and different for another student
    platform: str = ""  # empty for a name in no platform's format
    number: str = ""  # the student's on the platform
    attempt: int = 0  # greater for a later attempt; 0 when the name has none
    time: str = ""  # when it was handed in, in the platform's part of the name and as the platform writes it
    late: bool = False
    part: int = 0  # Canvas: the number of the uploaded file, greater for a later upload
    file: str = ""  # the name that the student gave the file
    is_work: bool = True  # whether it is an uploaded file, and not a text typed into the platform
    user: str = ""  # Blackboard, GitHub Classroom: the user alone, where the other names show where it begins
    id_number: str = ""  # the number, where it is known to be the student's id
    doubt: str = ""  # why the platform of the name is ambiguous; nothing of the name is parsed then
    readings: tuple["Named", ...] = ()  # for a name in doubt: the possible meanings


_COPY = lazy_regex(r"-[0-9]+(?=(?:\.[A-Za-z]\w*)*$)")


def bare_name(name: str) -> str:
    """Return the name of an archive without the ending, whether or not it can be read."""
    lower = name.lower()
    ending = next((end for end in ARCHIVE_ENDINGS if lower.endswith(end) and len(name) > len(end)), "")
    return name[: len(name) - len(ending)]


@cache
def name_forms() -> Sequence[tuple[str, re.Pattern[str], re.Pattern[str] | None]]:
    """Return the rows of `platforms.yaml`: a platform, the pattern of a whole name, and of the mark, if it has one."""
    rows = platform_forms()["names"]
    forms = [(row["platform"], row["owner"], row.get("mark", ""), row["rest"]) for row in rows]
    return [
        (platform, re.compile(f"(?P<owner>{owner}){mark}{rest}", re.DOTALL), re.compile(mark) if mark else None)
        for platform, owner, mark, rest in forms
    ]


def possible_readings(name: str) -> Mapping[str, Named]:
    """Parse a name as each platform whose format it has."""
    marks = (mark.search(name) for _, _, mark in name_forms() if mark)
    first_mark = min((match.start() for match in marks if match), default=0)
    readings: dict[str, Named] = {}
    for platform, whole, mark in name_forms():
        match = whole.fullmatch(name) if platform not in readings else None
        if match and (mark is None or match.end("owner") == first_mark):
            groups = defaultdict(str, match.groupdict(default=""))
            readings[platform] = Named(
                who=groups["who"],
                owner=groups["owner"].replace(groups["late"], ""),
                platform=platform,
                number=groups["number"],
                attempt=int(re.sub("[^0-9]", "", groups["attempt"] or parse_platform_time(groups["time"])) or 0),
                time=groups["time"],
                late=bool(groups["late"]),
                part=int(groups["part"] or 0),
                file=groups["file"],
                is_work=groups["kind"] in ("", "file"),
            )
    return readings


def read_name(name: str, platform: str = "") -> Named:
    """Parse the name of a folder or file as the platform's; without one, as the only platform whose format it has."""
    readings = possible_readings(name)
    own = readings.get(platform) if platform else next(iter(readings.values())) if len(readings) == 1 else None
    return own or plain_name(name)


def plain_name(name: str, *, is_folder: bool = False) -> Named:
    """Return a name unparsed, even if it fits a platform's format; no ending is removed from a folder's."""
    bare = name if is_folder else bare_name(name)
    return Named(who=bare, owner=bare, file=name)


def without_copy(file: str) -> str:
    """Return a file's name before Canvas numbered it: handed in again, Queens.java becomes Queens-1.java."""
    return _COPY.sub("", file)
