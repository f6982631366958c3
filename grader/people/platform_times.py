"""When work was handed in, by a learning platform's own file.

Moodle's grading worksheet has `Last modified (submission)`, in words and in the course's language; Canvas's list of
submissions, as its API returns it, has `submitted_at`. A time in another form is not guessed, and a note names it.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import msgspec

from grader.core.errors import UsageError
from grader.core.model.decoding import decode_json
from grader.core.model.gradebook import Entry
from grader.core.text import count, listed, one_line
from grader.people.columns import COLUMNS, PARTICIPANT, column_name, read_csv
from grader.people.names import CANVAS, MOODLE
from grader.people.people import NameIndex, PlatformRow, find_rows, index_rows, read_upload
from grader.people.platforms import check_numbers
from grader.people.times import parse_platform_time

_MAX_JSON_BYTES = 64 * 2**20


class PlatformTimes(msgspec.Struct, frozen=True, kw_only=True):
    """The times of submission in a platform's file, by row."""

    name: str  # of the file
    rows: tuple[PlatformRow, ...]
    times: Mapping[int, str]  # a row -> its time; rows without one are missing
    notes: tuple[str, ...] = ()
    files: NameIndex = msgspec.field(
        default_factory=NameIndex
    )  # the platform's numbers of the files, where it tells them


def read_platform_times(path: Path) -> PlatformTimes:
    """Read Moodle's grading worksheet, another CSV with times, or Canvas's list of submissions (JSON).

    Raises UsageError for any other file.
    """
    name, files = one_line(path.name), NameIndex()
    read = _read_canvas(path, name, files) if path.suffix.lower() == ".json" else _read_worksheet(path, name)
    times = {row.row: time for row, written in read if (time := parse_platform_time(written))}
    unread = [written for row, written in read if written and row.row not in times]
    notes = (f"{name}: {count(len(unread), 'time')} cannot be read, such as {one_line(unread[0])!r}",) if unread else ()
    return PlatformTimes(name=name, rows=tuple(row for row, _ in read), times=times, notes=notes, files=files)


def _read_worksheet(path: Path, name: str) -> list[tuple[PlatformRow, str]]:
    """Return the rows, each with its time as it is written."""
    header, rows = read_csv(path)
    if {*COLUMNS["modified"], *COLUMNS["submitted"]}.isdisjoint(map(column_name, header)):
        raise UsageError(
            f"{name}: no column says when work was handed in; --times reads Moodle's grading worksheet with "
            "Last modified (submission), or a column submitted"
        )
    found = []
    for row in rows:
        ids = tuple(cell for cell in row.every("id", "email", "login") if not PARTICIPANT.fullmatch(cell))
        times = [cell for cell in row.every("modified", "submitted") if cell not in {"-", "—"}]
        found.append((PlatformRow(row=row.line, number=row.number, ids=ids, name=row.name), next(iter(times), "")))
    return found


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


def _read_canvas(path: Path, name: str, files: NameIndex) -> list[tuple[PlatformRow, str]]:
    """Read what Canvas answers at `/api/v1/courses/N/assignments/N/submissions`."""
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_JSON_BYTES + 1)
        if len(data) > _MAX_JSON_BYTES:
            raise UsageError(f"{name}: more than {_MAX_JSON_BYTES // 2**20} MiB are no list of submissions")
        submissions = decode_json(data, list[_CanvasSubmission])
    except OSError as error:
        raise UsageError(f"{one_line(str(path))} cannot be read: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        raise UsageError(f"{name} is no list of submissions as Canvas's API returns it: {error}") from error
    found = []
    for number, one in enumerate(submissions):
        files.enter(number, *(str(file.id) for file in one.attachments))
        ids = tuple(filter(None, (one.user.sis_user_id, one.user.login_id)))
        row = PlatformRow(row=number, number=str(one.user_id), ids=ids, name=one.user.name or "")
        found.append((row, one.submitted_at or ""))
    return found


def with_platform_times(
    entries: tuple[Entry, ...], times: PlatformTimes | None
) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Return the entries with the times in a platform's file, where nothing else says when; and notes on the others.

    A row is found by the platform's number in the name of the upload, then by the students' ids, addresses and names.
    Of a team's times the latest counts, unless the number names one.
    """
    if times is None:
        return entries, ()
    index = index_rows(times.rows, [student for entry in entries for student in entry.students])
    numbers = {entry.id: _number_of(entry) for entry in entries}
    parts = (str(read_upload(entry, name).part or "") for entry in entries for name in entry.uploads)
    few = [*check_numbers(numbers.values(), index.numbers, times.name), *check_numbers(parts, times.files, times.name)]
    waiting = {entry.id: entry for entry in entries if entry.path is not None and not entry.submitted}
    rows: dict[str, set[int]] = {}
    for entry in waiting.values():
        by_name = [find_rows(index, student, "") for student in entry.students]
        rows[entry.id] = {*index.numbers.find(numbers[entry.id])} or {one[0] for one in by_name if len(one) == 1}
    known = {id_: max((times.times.get(row, "") for row in found), default="") for id_, found in rows.items()}
    missing = [id_ for id_, time in known.items() if not time]
    if missing and not any(rows.values()):
        raise UsageError(f"{times.name} has nobody of this class: it is of another assignment or course")
    notes = (f"{times.name} does not say when {listed(list(map(one_line, missing)), most=5)} handed in",)
    timed = tuple(replace(entry, submitted=known.get(entry.id) or entry.submitted) for entry in entries)
    return timed, (*times.notes, *few, *(notes if missing else ()))


def _number_of(entry: Entry) -> str:
    """Return the number in the name of the upload, where the platform's own files have it; else nothing."""
    return read_upload(entry, entry.uploads[0]).number if entry.uploads and entry.platform in {CANVAS, MOODLE} else ""
