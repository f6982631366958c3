"""Feedback for students, one file each, in the form that Moodle, Canvas or a web server distributes.

Moodle imports "feedback files" (mod/assign/feedback/file/importziplib.php) from folders named as in its download of
submissions. It parses the participant's number from the name; a grading worksheet has it as well. Canvas accepts a file
under the name of its download (`infer_comment_context_from_filename` of canvas-lms), and shows it under the name of the
student's own file. So the feedback on `Queens.zip` is a zip, and that on `Queens.java` is text.

For a web server, each student has a page whose name is an unguessable code (HMAC-SHA256 of the assignment and the
student, RFC 2104). It depends on the secret, the assignment and the student only, not on the rest of the class.

`visibility` decides what students see of hidden tests: these are the pages of their own reports.
"""

import base64
import csv
import hashlib
import hmac
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from pathlib import PurePosixPath

from grader.core.errors import UsageError
from grader.core.model.gradebook import Entry, Grade
from grader.core.report.formats import FORMATS, Rendering
from grader.core.text import count, one_line
from grader.exports.filling import read_table
from grader.exports.moodle import read_participants
from grader.exports.request import (
    Exported,
    Request,
    is_ungraded,
    read_report,
    reason_without_grade,
    reason_without_report,
    zip_of,
)
from grader.people.names import CANVAS, MOODLE
from grader.people.people import find_rows, index_rows, platform_number, read_upload
from grader.people.platforms import check_numbers
from grader.results.class_files import csv_cell

PAGE, TEXT = "feedback.html", "feedback.md"
LIST_OF_PAGES = "pages.csv"
"""the owners of the pages; for the staff, and never in the same folder as the pages"""

CODE_LENGTH = 26
"""characters of a page's name, five bits each: 130 bits"""

_TEXT_ENDING = re.compile(
    r"|\.(bas|c|cc|cpp|cs|go|h|hpp|hs|java|js|kt|lisp|lua|m|md|ml|pas|php|pl|ps1|py|r|rb|rkt|rs|scala|scm|sh|sql|swift|tex"
    r"|ts|txt|v|vb)"
)
"""endings of text files, whose content feedback may replace"""
_EMPTY_PAGE = b"<!doctype html>\n<title>Nothing to see here</title>\n"
"""prevents a web server from listing the other pages"""


def to_moodle_feedback(request: Request) -> Exported:
    """Pack a folder for each participant whose number is known."""
    graded, left_out = _split_graded(request)
    numbers, few = _participants_in_worksheet(request, graded) if request.template else ({}, [])
    files: dict[str, bytes] = {}
    for grade in graded:
        own = numbers.get(grade.entry.id) or _number_in_name(grade.entry)
        for name, number in own:
            clean = plain_part(name).replace("_", " ").lstrip(".~ ")
            files[f"{clean or 'Participant'}_{number}_assignsubmission_file_/{PAGE}"] = _page(request, grade)
        if not own:
            why = "Moodle's number of it is not known; name the grading worksheet with --template"
            if request.template:
                why = f"no row of {one_line(request.template.name)} fits with certainty"
            left_out.append((grade.entry.id, why))
    return _pack_files(files, left_out, few)


def _number_in_name(entry: Entry) -> list[tuple[str, str]]:
    number = platform_number(entry, MOODLE)
    return [(read_upload(entry, entry.uploads[0] if entry.uploads else "").who, number)] if number else []


def _participants_in_worksheet(
    request: Request, grades: Sequence[Grade]
) -> tuple[Mapping[str, list[tuple[str, str]]], list[str]]:
    """Return the names and numbers in a grading worksheet, by entry, and notes on it.

    Rows that fit two entries or none are skipped. Raises UsageError for a worksheet of another assignment.
    """
    table = read_table(request.template)
    people = {one.row: one for one in read_participants(table, request) if one.number}
    index = index_rows(people.values(), [student for grade in grades for student in grade.entry.students])
    numbers = (platform_number(grade.entry, MOODLE) for grade in grades)
    few = [*check_numbers(numbers, index.numbers, one_line(table.name))]
    claims: defaultdict[int, list[str]] = defaultdict(list)
    for grade in grades:
        for student in grade.entry.students:
            rows = find_rows(index, student, platform_number(grade.entry, MOODLE))
            if len(rows) == 1:
                claims[rows[0]].append(grade.entry.id)
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for row, owners in claims.items():
        if len(owners) == 1:
            found[owners[0]].append((people[row].name, people[row].number))
    return found, few


def to_canvas_feedback(request: Request) -> Exported:
    """Pack a file for each submission downloaded from Canvas, under one of its names."""
    graded, left_out = _split_graded(request)
    files: dict[str, bytes] = {}
    for grade in graded:
        read = {name: read_upload(grade.entry, name) for name in grade.entry.uploads}
        names = [name for name, named in read.items() if named.platform == CANVAS and named.number]
        kinds = {name: kind for name in names if (kind := _kind_of(read[name].file))}
        if kinds:
            name = min(kinds, key=lambda one: list(_KINDS).index(kinds[one]))
            files[plain_part(name)] = _KINDS[kinds[name]](request, grade)
        else:
            own = "it was not downloaded from Canvas"
            if names:
                own = f"Canvas would call it {one_line(read[names[0]].file)}, which is neither a zip nor a text"
            left_out.append((grade.entry.id, own))
    return _pack_files(files, left_out)


def _kind_of(name: str) -> str:
    ending = PurePosixPath(name).suffix.lower()
    kind = {".html": "page", ".htm": "page", ".zip": "zip"}.get(ending, "")
    return "text" if _TEXT_ENDING.fullmatch(ending) else kind


def to_pages(request: Request) -> Exported:
    """Pack a page for each student, and list the owners in a separate file."""
    if not request.secret:
        raise UsageError("the names of pages are derived from a secret: name its file with --secret")
    graded, left_out = _split_graded(request)
    files, rows = {"index.html": _EMPTY_PAGE}, []
    for grade in graded:
        for student in grade.entry.students:
            name = f"{page_code(request.secret, request.book.spec.id, student.id)}.html"
            files[name] = _page(request, grade)
            rows.append((student.id, student.name, student.email, name))
    listing = StringIO()
    writer = csv.writer(listing)
    writer.writerows([("id", "name", "email", "page"), *(tuple(map(csv_cell, row)) for row in rows)])
    return Exported(
        content=zip_of(files),
        left_out=_describe_left_out(left_out),
        notes=(f"{count(len(rows), 'page')}, under names that cannot be guessed",),
        staff_files={LIST_OF_PAGES: listing.getvalue().encode()},
    )


def page_code(secret: bytes, assignment: str, student: str) -> str:
    """Return the name of a student's page: letters and digits, always the same for the same secret."""
    message = b"\0".join(text.encode("utf-8", "surrogateescape") for text in (assignment, student))
    code = base64.b32encode(hmac.new(secret, message, hashlib.sha256).digest()).decode().lower()
    return code[:CODE_LENGTH]


# ---------------------------------------------------------------- all of them


def _split_graded(request: Request) -> tuple[list[Grade], list[tuple[str, str]]]:
    """Separate the graded submissions from those that are ungraded, or not graded yet, with the reason."""
    graded: list[Grade] = []
    left_out: list[tuple[str, str]] = []
    for grade in request.book.grades:
        if grade.report is not None and not is_ungraded(grade):
            graded.append(grade)
        elif grade.report is not None or grade.entry.path is not None or grade.entry.is_doubtful:
            reason = reason_without_grade(grade) if grade.report else reason_without_report(grade)
            left_out.append((grade.entry.id, reason))
    return graded, left_out


def plain_part(name: str) -> str:
    """Return a name that every unpacking tool accepts as a single name."""
    return re.sub(r"[\\/:]", "-", one_line(name))


def _page(request: Request, grade: Grade) -> bytes:
    page = request.file(grade, PAGE)
    if page is None:
        raise UsageError(f"there is no {PAGE} of {one_line(grade.entry.id)}: grade it again")
    return page


_KINDS: Mapping[str, Callable[[Request, Grade], bytes]] = {
    "page": _page,
    "zip": lambda request, grade: zip_of({PAGE: _page(request, grade)}),
    "text": lambda request, grade: FORMATS[TEXT](Rendering(read_report(request, grade), "", request.after_due)),
}
"""the kind of a student's file in Canvas -> what renders feedback of that kind, the best first"""


def _describe_left_out(left_out: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Write a sentence for each reason, with the names of all whom it concerns."""
    names = defaultdict[str, list[str]](list)
    for name, reason in left_out:
        names[reason].append(one_line(name))
    return tuple(
        f"{whose[0]} is left out: {reason}"
        if len(whose) == 1
        else f"{len(whose)} are left out: {reason}: {', '.join(whose)}"
        for reason, whose in names.items()
    )


def _pack_files(files: Mapping[str, bytes], left_out: Sequence[tuple[str, str]], notes: Sequence[str] = ()) -> Exported:
    return Exported(
        content=zip_of(files),
        left_out=_describe_left_out(left_out),
        notes=(*notes, f"{count(len(files), 'file')} to hand out"),
    )
