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
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import PurePosixPath

from grader.core.errors import UsageError
from grader.core.report.formats import FORMATS, Rendering
from grader.core.text import count, one_line
from grader.exports.filling import claim_rows, read_table
from grader.exports.platforms import read_participants
from grader.exports.request import Exported, Request, zip_of
from grader.people.names import CANVAS, MOODLE
from grader.people.people import platform_number, read_upload
from grader.results.class_files import csv_cell
from grader.results.view import GradeView

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
_KINDS = ("page", "zip", "text", "other")
"""of a student's file in Canvas, whose kind its feedback has; the best first"""
_EMPTY_PAGE = b"<!doctype html>\n<title>Nothing to see here</title>\n"
"""prevents a web server from listing the other pages"""


def to_moodle_feedback(request: Request) -> Exported:
    """Pack a folder for each participant whose number is known."""
    graded, left_out = _split_graded(request)
    numbers, few = _participants_in_worksheet(request, graded) if request.template else ({}, [])
    files: dict[str, bytes] = {}
    for view in graded:
        entry = view.grade.entry
        own = numbers.get(entry.id, [])
        if not own and (number := platform_number(entry, MOODLE)):
            own = [(read_upload(entry, entry.uploads[0] if entry.uploads else "").who, number)]
        for name, number in own:
            clean = plain_part(name).replace("_", " ").lstrip(".~ ")
            files[f"{clean or 'Participant'}_{number}_assignsubmission_file_/{PAGE}"] = _page(request, view)
        if not own:
            why = "Moodle's number of it is not known; name the grading worksheet with --template"
            if request.template:
                why = f"no row of {one_line(request.template.name)} fits with certainty"
            left_out.append((view.name, why))
    return _pack_files(files, left_out, few)


def _participants_in_worksheet(
    request: Request, views: Sequence[GradeView]
) -> tuple[Mapping[str, list[tuple[str, str]]], Sequence[str]]:
    """Return the names and numbers in a grading worksheet, by entry, and notes on it.

    Rows that fit two entries or none are skipped. Raises UsageError for a worksheet of another assignment.
    """
    people = {one.row: one for one in read_participants(read_table(request.template), request) if one.number}
    claims = claim_rows(request, people.values(), MOODLE, views)
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for row, ((view, _), *others) in claims.rows.items():
        if not others:
            found[view.grade.entry.id].append((people[row].name, people[row].number))
    return found, claims.notes


def to_canvas_feedback(request: Request) -> Exported:
    """Pack a file for each submission downloaded from Canvas, under one of its names."""
    graded, left_out = _split_graded(request)
    files: dict[str, bytes] = {}
    for view in graded:
        read = {name: read_upload(view.grade.entry, name) for name in view.grade.entry.uploads}
        kinds = {n: _kind_of(named.file) for n, named in read.items() if named.platform == CANVAS and named.number}
        name = min(kinds, key=lambda one: _KINDS.index(kinds[one]), default="")
        match kinds.get(name):
            case None:
                left_out.append((view.name, "it was not downloaded from Canvas"))
            case "other":
                why = f"Canvas would call it {one_line(read[name].file)}, which is neither a zip nor a text"
                left_out.append((view.name, why))
            case "text":
                files[plain_part(name)] = FORMATS[TEXT](Rendering(view.report, "", view.after_due))
            case kind:
                page = _page(request, view)
                files[plain_part(name)] = page if kind == "page" else zip_of({PAGE: page})
    return _pack_files(files, left_out)


def _kind_of(name: str) -> str:
    ending = PurePosixPath(name).suffix.lower()
    kind = {".html": "page", ".htm": "page", ".zip": "zip"}.get(ending, "other")
    return "text" if _TEXT_ENDING.fullmatch(ending) else kind


def to_pages(request: Request) -> Exported:
    """Pack a page for each student, and list the owners in a separate file."""
    if not request.secret:
        raise UsageError("the names of pages are derived from a secret: name its file with --secret")
    graded, left_out = _split_graded(request)
    files, rows = {"index.html": _EMPTY_PAGE}, [("id", "name", "email", "page")]
    for view in graded:
        for student in view.grade.entry.students:
            name = f"{page_code(request.secret, request.book.spec.id, student.id)}.html"
            files[name] = _page(request, view)
            rows.append((student.id, student.name, student.email, name))
    listing = StringIO()
    csv.writer(listing).writerows([csv_cell(text) for text in row] for row in rows)
    pages = f"{count(len(rows) - 1, 'page')}, under names that cannot be guessed"
    return replace(_pack_files(files, left_out, told=pages), staff_files={LIST_OF_PAGES: listing.getvalue().encode()})


def page_code(secret: bytes, assignment: str, student: str) -> str:
    """Return the name of a student's page: letters and digits, always the same for the same secret."""
    message = b"\0".join(text.encode("utf-8", "surrogateescape") for text in (assignment, student))
    code = base64.b32encode(hmac.new(secret, message, hashlib.sha256).digest()).decode().lower()
    return code[:CODE_LENGTH]


# ---------------------------------------------------------------- all of them


def _split_graded(request: Request) -> tuple[list[GradeView], list[tuple[str, str]]]:
    """Separate the graded submissions from those that are ungraded, or not graded yet, with the reason."""
    graded: list[GradeView] = []
    left_out: list[tuple[str, str]] = []
    for view in request.views:
        if view.grade.report and view.state != "ungraded":
            graded.append(view)
        elif view.grade.report or view.was_handed_in:
            left_out.append((view.name, view.reason_without_report or view.reason))
    return graded, left_out


def plain_part(name: str) -> str:
    """Return a name that every unpacking tool accepts as a single name."""
    return re.sub(r"[\\/:]", "-", one_line(name))


def _page(request: Request, view: GradeView) -> bytes:
    page = request.file(view.grade, PAGE)
    if page is None:
        raise UsageError(f"there is no {PAGE} of {view.name}: grade it again")
    return page


def _pack_files(
    files: Mapping[str, bytes], left_out: Sequence[tuple[str, str]], notes: Sequence[str] = (), told: str = ""
) -> Exported:
    """Pack the files, with a sentence for each reason why somebody is left out, and the names of all."""
    names = defaultdict[str, list[str]](list)
    for name, reason in left_out:
        names[reason].append(name)
    return Exported(
        content=zip_of(files),
        left_out=tuple(
            f"{whose[0]} is left out: {reason}"
            if len(whose) == 1
            else f"{len(whose)} are left out: {reason}: {', '.join(whose)}"
            for reason, whose in names.items()
        ),
        notes=(*notes, told or f"{count(len(files), 'file')} to hand out"),
    )
