"""When work was handed in, as a learning platform writes it: in its own files, or in its own part of a name.

Moodle's grading worksheet has `Last modified (submission)`, in words and in the course's language; Canvas's list of
submissions, as its API returns it, has `submitted_at`. Blackboard and Brightspace write the time into names, before
the student's own part. A time without a zone is the local time of the place where the work is due: `to_zone` adds the
zone of `due`, when that is known. A time in another form is not guessed, and a note names it.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from pathlib import Path

import msgspec

from grader.core.errors import UsageError
from grader.core.model.decoding import decode_json
from grader.core.model.gradebook import Entry
from grader.core.text import count, listed, one_line
from grader.people.names import CANVAS, MOODLE, MOODLE_HEADERS
from grader.people.people import (
    PARTICIPANT,
    NameIndex,
    PlatformRow,
    find_rows,
    index_rows,
    read_csv,
    read_upload,
)
from grader.people.platforms import check_numbers
from grader.people.times import parse_moment

_TIME_COLUMNS = (*MOODLE_HEADERS["modified"], "submitted at", "submitted", "submission time", "submission timestamp")
_NAME_COLUMNS = (*MOODLE_HEADERS["name"], "name")
_ID_COLUMNS = (
    *(*MOODLE_HEADERS["id"], "sis user id", "sid", *MOODLE_HEADERS["email"], "email"),
    *(*MOODLE_HEADERS["login"], "student id", "github username", "roster identifier"),
)
_NO_TIME = ("", "-", "—")
_MAX_JSON_BYTES = 64 * 2**20

_MONTHS: tuple[tuple[str, ...], ...] = (
    ("january", "januar", "janvier", "enero", "janeiro"),
    ("february", "februar", "fevrier", "febrero", "fevereiro"),
    ("march", "marz", "maerz", "mars", "marzo", "marco"),
    ("april", "avril", "abril"),
    ("may", "mai", "mayo", "maio"),
    ("june", "juni", "juin", "junio", "junho"),
    ("july", "juli", "juillet", "julio", "julho"),
    ("august", "aout", "agosto"),
    ("september", "septembre", "septiembre", "setembro"),
    ("october", "oktober", "octobre", "octubre", "outubro"),
    ("november", "novembre", "noviembre", "novembro"),
    ("december", "dezember", "decembre", "diciembre", "dezembro"),
)
"""in English, German, French, Spanish and Portuguese, without accents"""

_DAY_FIRST = re.compile(
    r"(?P<day>[0-9]{1,2})\.? (?:de )?(?P<month>[^\W\d_]{3,})\.?,? (?:de )?(?P<year>[0-9]{4})(?P<rest>.*)"
)
_MONTH_FIRST = re.compile(r"(?P<month>[^\W\d_]{3,})\.? (?P<day>[0-9]{1,2}), (?P<year>[0-9]{4})(?P<rest>.*)")
_CLOCK = re.compile(
    r"\D*?(?P<hour>[0-9]{1,2}?)[.:]?(?P<minute>[0-9]{2})(?:[.:](?P<second>[0-9]{2}))?(?: ?(?P<half>[ap])\.? ?m\.?)?"
)
_DASHED = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})-([0-9]{2})-([0-9]{2})-([0-9]{2})")
_BARE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2})?")
_NOON = 12


def parse_platform_time(written: str) -> str:
    """Return a platform's time as `2026-11-24 23:59`, with a zone where it has one; empty if it cannot be read."""
    text = " ".join(written.split())
    if dashed := _DASHED.fullmatch(text):
        text = f"{dashed[1]} {dashed[2]}:{dashed[3]}:{dashed[4]}"
    try:
        if _BARE.fullmatch(text):
            time = datetime.fromisoformat(text)
            return f"{time:%Y-%m-%d %H:%M:%S}" if text.count(":") > 1 else f"{time:%Y-%m-%d %H:%M}"
        if text[:4].isdigit():
            return parse_moment(text).written
        return _parse_words(text)
    except ValueError:
        return ""


def _parse_words(text: str) -> str:
    """Parse `Tuesday, 24 November 2026, 11:59 PM` and the like."""
    folded = without_accents(text)
    found = _DAY_FIRST.search(folded) or _MONTH_FIRST.search(folded)
    clock = _CLOCK.fullmatch(found["rest"]) if found else None
    month = _month_of(found["month"]) if found else 0
    if not (found and clock and month):
        return ""
    hour = int(clock["hour"])
    if clock["half"]:
        if not 1 <= hour <= _NOON:
            return ""
        hour = hour % _NOON + (_NOON if clock["half"] == "p" else 0)
    seconds = int(clock["second"] or 0)
    time = datetime(int(found["year"]), month, int(found["day"]), hour, int(clock["minute"]), seconds)  # noqa: DTZ001 - its zone is that of `due`
    return f"{time:%Y-%m-%d %H:%M:%S}" if clock["second"] else f"{time:%Y-%m-%d %H:%M}"


def without_accents(text: str) -> str:
    """Fold the case of letters, and take their accents away: what is equal then may be written either way."""
    apart = unicodedata.normalize("NFKD", text).casefold()
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _month_of(word: str) -> int:
    """Return the number of a month by its name or the beginning of that; 0 where it is none, or may be two."""
    found = [number for number, names in enumerate(_MONTHS, 1) if any(name.startswith(word) for name in names)]
    return found[0] if len(found) == 1 else 0


def to_zone(written: str, zone: tzinfo | None) -> str:
    """Return a time with a zone: its own, or else `zone`. Of two times by one clock, the earlier is meant."""
    if zone is None or not _BARE.fullmatch(written):
        return written
    return f"{written} {datetime.fromisoformat(written).replace(tzinfo=zone):%z}"


# ---------------------------------------------------------------- a platform's own file


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformTimes:
    """The times of submission in a platform's file, by row."""

    name: str
    """of the file"""
    rows: tuple[PlatformRow, ...]
    times: Mapping[int, str]
    """a row -> its time; rows without one are missing"""
    notes: tuple[str, ...] = ()
    files: NameIndex = field(default_factory=NameIndex)
    """the platform's numbers of the files that were handed in; none where it does not tell"""


def read_platform_times(path: Path) -> PlatformTimes:
    """Read Moodle's grading worksheet, another CSV with times, or Canvas's list of submissions (JSON).

    Raises UsageError for any other file.
    """
    name = one_line(path.name)
    files = NameIndex()
    is_canvas = path.suffix.lower() == ".json"
    rows, written = _read_canvas(path, name, files) if is_canvas else _read_worksheet(path, name)
    times = {row: time for row, text in written.items() if (time := parse_platform_time(text))}
    unread = [text for row, text in written.items() if row not in times]
    notes = (f"{name}: {count(len(unread), 'time')} cannot be read, such as {one_line(unread[0])!r}",) if unread else ()
    return PlatformTimes(name=name, rows=tuple(rows), times=times, notes=notes, files=files)


def _read_worksheet(path: Path, name: str) -> tuple[list[PlatformRow], dict[int, str]]:
    header, lines = read_csv(path, name)
    columns = [cell.casefold().replace("_", " ") for cell in header]
    place = next((columns.index(one) for one in _TIME_COLUMNS if one in columns), None)
    if place is None:
        raise UsageError(
            f"{name}: no column says when work was handed in; --times reads Moodle's grading worksheet with "
            "Last modified (submission), or a column submitted"
        )
    rows: list[PlatformRow] = []
    written: dict[int, str] = {}
    for line, cells in lines:
        of = dict(zip(columns, cells, strict=False))
        number = PARTICIPANT.fullmatch(next((of[one] for one in MOODLE_HEADERS["identifier"] if of.get(one)), ""))
        ids = tuple(of[one] for one in (*_ID_COLUMNS, "id") if of.get(one))
        called = next((of[one] for one in _NAME_COLUMNS if of.get(one)), "")
        spoken = called or " ".join(filter(None, (of.get("first name", ""), of.get("last name", "")))).strip()
        rows.append(PlatformRow(row=line, number=number[1] if number else "", ids=ids, name=spoken))
        if len(cells) > place and cells[place] not in _NO_TIME:
            written[line] = cells[place]
    return rows, written


class _CanvasUser(msgspec.Struct, frozen=True):
    name: str | None = None
    sis_user_id: str | None = None
    login_id: str | None = None


class _CanvasFile(msgspec.Struct, frozen=True):
    id: int


class _CanvasSubmission(msgspec.Struct, frozen=True):
    user_id: int
    submitted_at: str | None = None
    user: _CanvasUser = _CanvasUser()
    attachments: tuple[_CanvasFile, ...] = ()


def _read_canvas(path: Path, name: str, files: NameIndex) -> tuple[list[PlatformRow], dict[int, str]]:
    """Read what Canvas answers at `/api/v1/courses/N/assignments/N/submissions`."""
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_JSON_BYTES + 1)
        if len(data) > _MAX_JSON_BYTES:
            raise UsageError(f"{name}: more than {_MAX_JSON_BYTES // 2**20} MiB are no list of submissions")
        found = decode_json(data, list[_CanvasSubmission])
    except OSError as error:
        raise UsageError(f"{one_line(str(path))} cannot be read: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        raise UsageError(f"{name} is no list of submissions as Canvas's API returns it: {error}") from error
    for number, one in enumerate(found):
        files.enter(number, (str(file.id) for file in one.attachments))
    rows = [
        PlatformRow(
            row=number,
            number=str(one.user_id),
            ids=tuple(filter(None, (one.user.sis_user_id, one.user.login_id))),
            name=one.user.name or "",
        )
        for number, one in enumerate(found)
    ]
    return rows, {number: one.submitted_at for number, one in enumerate(found) if one.submitted_at}


def with_platform_times(entries: Sequence[Entry], times: PlatformTimes) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Return the entries with the times in a platform's file, where nothing else says when; and notes on the others.

    A row is found by the platform's number in the name of the upload, then by the students' ids, addresses and names.
    Of a team's times the latest counts, unless the number names one.
    """
    index = index_rows(times.rows, [student for entry in entries for student in entry.students])
    numbers = {entry.id: _number_of(entry) for entry in entries}
    parts = (str(read_upload(entry, name).part or "") for entry in entries for name in entry.uploads)
    few = [*check_numbers(numbers.values(), index.numbers, times.name), *check_numbers(parts, times.files, times.name)]
    found: list[Entry] = []
    missing: list[str] = []
    is_found = False
    for entry in entries:
        rows: set[int] = set()
        if entry.path is not None and not entry.submitted:
            numbered = index.numbers.find(numbers[entry.id])
            by_name = [find_rows(index, student, "") for student in entry.students]
            rows = set(numbered) or {one[0] for one in by_name if len(one) == 1}
            is_found = is_found or bool(rows)
            if not any(row in times.times for row in rows):
                missing.append(entry.id)
        known = [times.times[row] for row in rows if row in times.times]
        found.append(replace(entry, submitted=max(known)) if known else entry)
    if missing and not is_found:
        raise UsageError(f"{times.name} has nobody of this class: it is of another assignment or course")
    notes = (f"{times.name} does not say when {listed(list(map(one_line, missing)), most=5)} handed in",)
    return tuple(found), (*times.notes, *few, *(notes if missing else ()))


def _number_of(entry: Entry) -> str:
    """Return the number in the name of the upload, where the platform's own files have it; else nothing."""
    return read_upload(entry, entry.uploads[0]).number if entry.uploads and entry.platform in {CANVAS, MOODLE} else ""
