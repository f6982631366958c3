"""Parse the name of a submission: the owner, the attempt, whether it was late.

A learning platform packs these into file names when a class is downloaded, each in its own format. A name in none of
them was chosen by a person: the whole name identifies its owner. The end of a name is the file's own name, and the
student chose it: it may look like any platform's format. So a name is only parsed as one platform's, from the left, and
`grader.people.uploads` chooses that platform for all names.
"""

import re
from collections.abc import Mapping

from msgspec import Struct

from grader.core.build.tree import ARCHIVE_ENDINGS
from grader.core.lazy import lazy_regex
from grader.people.times import parse_platform_time

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


_DAY_AND_TIME = r"[0-9]{4}(?:-[0-9][0-9]){5}"
_SPOKEN_TIME = (
    r"(?:[^\W\d_]+\.? [0-9]{1,2}, [0-9]{4}|[0-9]{1,2}\.? [^\W\d_]+\.?,? [0-9]{4}),?"
    r" [0-9]{1,2}[.:]?[0-9]{2}(?: ?[AP]M)?"
)

_CANVAS_FILE = r"(?:(?P<part>[0-9]+)_(?P<file>.*)|(?P<kind>text|link)\.html)"
_PATTERNS = (
    # An assignment's title, the user's name, the time; a .txt without a file name tells about the attempt
    # (as quoted in github.com/kwurst/bb-file-cleanup).
    (
        BLACKBOARD,
        rf"(?P<owner>(?:.+?_)?(?P<who>[^_]+))_attempt_(?P<attempt>{_DAY_AND_TIME})(?:_(?P<file>.+)|(?:\.[\w.]+)?)",
    ),
    # mod/assign/classes/downloader.php: full name or group, number; then a folder, or a file's own name.
    (MOODLE, r"(?P<owner>(?P<who>.+?)(?:_(?P<number>[0-9]+))?)_assignsubmission_(?P<kind>[a-z]+)_?(?P<file>.*)"),
    # Numbers of the user and of the assignment, the user's name, the time; then a folder, or a file's own name.
    (
        BRIGHTSPACE,
        rf"(?P<owner>(?P<number>[0-9]+)-[0-9]+ - (?P<who>.+?)) - (?P<time>{_SPOKEN_TIME})(?: - (?P<file>.+))?",
    ),
    # A user's name, perhaps a number, the number of the attempt.
    (ATTEMPT, r"(?P<owner>(?P<who>.+?)(?:_(?P<number>[0-9]+))?)_(?i:attempt)_(?P<attempt>[0-9]{1,9})(?P<file>[_.].*)?"),
    # The export has a folder for each submission; submission_metadata.yml names their owners.
    (GRADESCOPE, r"(?P<owner>(?P<who>submission_(?P<number>[0-9]+)))(?P<file>\.\w+)?"),
    # lib/content_zipper.rb, for an anonymous assignment.
    (CANVAS, r"(?P<late>LATE_)?(?P<owner>(?P<who>anon_[0-9A-Za-z]{5}))_(?P<part>[0-9]+)_(?P<file>.*)"),
    # lib/content_zipper.rb: last and first name in small letters, LATE, the user's number, the file's number, the
    # file's name; or what was typed, as HTML.
    (CANVAS, rf"(?P<owner>(?P<who>\w+?)(?P<late>_LATE)?_(?P<number>[0-9]+))_{_CANVAS_FILE}"),
)
NAME_PATTERNS = tuple((platform, lazy_regex(pattern, re.DOTALL)) for platform, pattern in _PATTERNS)
"""a platform, and how it writes names; the first pattern of a platform that matches the whole name counts"""

_FIRST_MARK = lazy_regex(
    rf"(?P<Blackboard>_attempt_{_DAY_AND_TIME}(?=[_.]|\Z))|(?P<Moodle>_assignsubmission_[a-z])"
    rf"|(?P<Brightspace> - {_SPOKEN_TIME}(?= - |\Z))|(?P<attempts>(?i:_attempt_)[0-9]{{1,9}}(?=[_.]|\Z))"
)  # What separates a platform's part of a name from the student's: the first in a name does, whatever follows.
_NO_GROUPS = dict.fromkeys(("number", "attempt", "time", "late", "part", "file", "kind"), "")
_MARKED = (BLACKBOARD, MOODLE, BRIGHTSPACE, ATTEMPT)
_COPY = lazy_regex(r"-[0-9]+(?=(?:\.[A-Za-z]\w*)*$)")


def bare_name(name: str) -> str:
    """Return the name of an archive without the ending, whether or not it can be read."""
    lower = name.lower()
    ending = next((end for end in ARCHIVE_ENDINGS if lower.endswith(end) and len(name) > len(end)), "")
    return name[: len(name) - len(ending)]


def possible_readings(name: str) -> Mapping[str, Named]:
    """Parse a name as each platform whose format it has."""
    mark = _FIRST_MARK.search(name)
    first = mark.lastgroup if mark else ""
    readings: dict[str, Named] = {}
    for platform, pattern in NAME_PATTERNS:
        is_marked = platform in _MARKED
        match = pattern.fullmatch(name) if platform not in readings and (not is_marked or platform == first) else None
        if match and (not is_marked or not mark or match.end("owner") == mark.start()):
            readings[platform] = _to_named(platform, {**_NO_GROUPS, **match.groupdict(default="")})
    return readings


def _to_named(platform: str, groups: Mapping[str, str]) -> Named:
    late, time = groups["late"], groups["time"]
    return Named(
        who=groups["who"],
        owner=groups["owner"].replace(late, "") if late else groups["owner"],
        platform=platform,
        number=groups["number"],
        attempt=int(re.sub("[^0-9]", "", parse_platform_time(time) if time else groups["attempt"]) or 0),
        time=time or (groups["attempt"] if platform == BLACKBOARD else ""),
        late=bool(late),
        part=int(groups["part"] or 0),
        file=groups["file"].lstrip("_.") if platform == ATTEMPT else groups["file"],
        is_work=groups["kind"] in ("", "file"),
    )


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
