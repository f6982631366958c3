"""Bundles of a class: feedback for students, submissions for tools that look for copies, measurements of cases.

Moodle imports "feedback files" (mod/assign/feedback/file/importziplib.php) from folders named as in its download of
submissions. It parses the participant's number from the name; a grading worksheet has it as well. Canvas accepts a file
under the name of its download (`infer_comment_context_from_filename` of canvas-lms), and shows it under the name of the
student's own file. So the feedback on `Queens.zip` is a zip, and that on `Queens.java` is text. For a web server, each
student has a page whose name is an unguessable code (HMAC-SHA256 of the assignment and the student, RFC 2104). It
depends on the secret, the assignment and the student only, not on the rest of the class. `visibility` decides what
students see of hidden tests: these are the pages of their own reports.

JPlag takes a folder with a folder for each submission (its option `root-dir`). Dolos takes a zip with `info.csv`
(lib/src/lib/dataset.ts of dodona-edu/dolos), a line for each file: `filename` and its owner. The course runs them
itself, and no report is included, so nothing of hidden tests is. Both read sources, so only texts are included. Grading
unpacks an archive only where the assignment's files are in it; here each archive in a student's folder becomes a folder
of its name, also one inside another. Texts are written as UTF-8, since readers of sources skip what they cannot decode,
and a student chooses the encoding.

Measurements are a line for each case of each student, to look for limits that are too tight or too wide: seconds and
bytes as measured, each followed by its limit. A case that was not run has no line.
"""

import base64
import hashlib
import hmac
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from grader.core.build.staging import read_archive_file, read_submission
from grader.core.build.tree import FileTree, Refused, StagingLimits, is_called_archive
from grader.core.errors import GraderError, HostError, UsageError
from grader.core.report.document import run_cases
from grader.core.report.formats import FORMATS, Rendering
from grader.core.text import count, listed, one_line
from grader.exports.platforms import claim_rows, read_participants, read_table
from grader.exports.request import Exported, Request, zip_of
from grader.people.names import CANVAS, MOODLE
from grader.people.people import platform_number, read_upload
from grader.results.class_files import csv_cell, to_csv
from grader.results.view import GradeView

PAGE, TEXT = "feedback.html", "feedback.md"
LIST_OF_PAGES = "pages.csv"  # the owners of the pages; for the staff, and never in the same folder as the pages
CODE_LENGTH = 26  # characters of a page's name, five bits each: 130 bits

_TEXT_ENDING = re.compile(
    r"|\.(bas|c|cc|cpp|cs|go|h|hpp|hs|java|js|kt|lisp|lua|m|md|ml|pas|php|pl|ps1|py|r|rb|rkt|rs|scala|scm|sh|sql|swift|tex"
    r"|ts|txt|v|vb)"
)  # endings of text files, whose content feedback may replace
_KINDS = ("page", "zip", "text", "other")  # of a student's file in Canvas, whose kind its feedback has; the best first
_EMPTY_PAGE = b"<!doctype html>\n<title>Nothing to see here</title>\n"
"""prevents a web server from listing the other pages"""
_BOUNDS = StagingLimits()
_MAX_ARCHIVES = 20  # archives of one submission that are unpacked, those inside others counted
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
"""byte order marks -> the encoding that they stand for"""
_CONTROL_BYTES = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"
_MAX_CONTROL_SHARE = 0.02
"""of the bytes of a text that are control characters; a planted one does not make a source unreadable"""
_INFO = "info.csv"
_COLUMNS = ("id", "filename", "full_name", "label", "created_at", "status")
_Works = list[tuple[GradeView, dict[str, bytes]]]  # each submission with its texts, by their paths in the zip
_MEASURED = ("time", "time_limit", "cpu", "cpu_limit", "memory", "memory_limit")


# ---------------------------------------------------------------- feedback


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
    listing = to_csv([csv_cell(text) for text in row] for row in rows)
    pages = f"{count(len(rows) - 1, 'page')}, under names that cannot be guessed"
    return replace(_pack_files(files, left_out, told=pages), staff_files={LIST_OF_PAGES: listing})


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


# ---------------------------------------------------------------- copies


def to_jplag(request: Request) -> Exported:
    """Pack a folder for each submission."""
    works, left_out, notes = _collect(request)
    return _pack({}, works, left_out, [*notes, "unzip it, and give JPlag the folder"], request)


def to_dolos(request: Request) -> Exported:
    """Pack the same files with the list that Dolos reads; a label is a section of the class, or else a team."""
    works, left_out, notes = _collect(request)
    rows: list[Sequence[object]] = [_COLUMNS]
    for view, own in works:
        entry, report = view.grade.entry, view.grade.report
        names = ", ".join(one.name or one.id for one in entry.students) or entry.id
        label = (entry.students[0].section if entry.students else "") or entry.team
        about = (names, label, entry.submitted, str(report.verdict) if report else "")
        rows += [(csv_cell(view.name), name, *map(csv_cell, map(one_line, about))) for name in own]
    return _pack({_INFO: to_csv(rows, "\n")}, works, left_out, [*notes, "give Dolos the zip as it is"], request)


def _pack(
    files: Mapping[str, bytes], works: _Works, left_out: list[str], notes: list[str], request: Request
) -> Exported:
    """Pack the texts with other files; the last note says what to do with them, and gets how many submissions."""
    handed_in, inside = sum(view.was_handed_in for view in request.views), len(works)
    of = count(handed_in, "submission")
    notes[-1] = f"{of if inside == handed_in else f'{inside} of {of}'}: {notes[-1]}"
    packed = zip_of({**files, **{name: content for _, own in works for name, content in own.items()}})
    return Exported(content=packed, left_out=tuple(left_out), notes=tuple(notes))


def _collect(request: Request) -> tuple[_Works, list[str], list[str]]:
    """Return each submission with its texts in its own folder, a sentence for each that is left out, and notes."""
    works: _Works = []
    left_out: list[str] = []
    notes: list[str] = []
    binaries: list[str] = []
    absent = 0
    taken: set[str] = {_INFO}
    for view in request.views:
        path, name = view.grade.entry.path, view.name
        if path is None:
            absent += not view.was_handed_in
            left_out += [f"{name} is left out: {view.reason_without_report}"] if view.was_handed_in else []
            continue
        # What cannot be read is as good as nothing handed in, but for what can be read of it.
        left, why = (notes, view.reason) if view.state in ("unreadable", "excused") else (left_out, "")
        try:
            texts, unread, others = _read_texts(path)
        except (GraderError, Refused) as error:
            left.append(f"{name} is left out: {why or one_line(str(error))}")
            continue
        if not texts:
            why = why or unread or ("no file in it is a text" if others else "it is empty")
            left.append(f"{name} is left out: {why}")
            continue
        notes += [f"{name} is in it without an archive: {unread}"] if unread else []
        binaries += [f"{name}/{one_line(file)}" for file in others]
        works.append((view, _in_own_folder(view.grade.entry.id, texts, taken)))
    if absent:
        notes.append(f"{count(absent, 'student')} handed in nothing")
    if binaries:
        verb = "is no text and is" if len(binaries) == 1 else "are no texts and are"
        notes.append(f"{count(len(binaries), 'file')} {verb} left out: {listed(binaries, most=5)}")
    return works, left_out, notes


def _in_own_folder(name: str, texts: Mapping[str, bytes], taken: set[str]) -> dict[str, bytes]:
    """Return the texts below a folder that no other submission has, by names that every tool unpacks."""
    folder = next(one for one in _numbered(plain_part(name)) if one not in taken)
    taken.add(folder)
    own: dict[str, bytes] = {}
    for file, content in texts.items():
        path = PurePosixPath(folder, *(plain_part(part) for part in file.split("/")))
        names = (str(path.with_stem(stem)) for stem in _numbered(path.stem))
        own[next(one for one in names if one not in own)] = content
    return own


def _numbered(name: str) -> Iterator[str]:
    """Iterate over names for a file or folder, so that two never share one."""
    name = name.strip(". ") or "submission"
    yield name
    yield from (f"{name}-{number}" for number in range(2, 10_000))


# ---------------------------------------------------------------- the texts of a submission


def _read_texts(path: Path) -> tuple[dict[str, bytes], str, list[str]]:
    """Return the texts of a submission in UTF-8, what is wrong with archives in it, and the files that are no texts.

    Raises as `read_submission` does; an archive in a folder never raises.
    """
    texts: dict[str, bytes] = {}
    unread: list[str] = []
    binaries: list[str] = []
    waiting = [("", read_submission(path))]
    size = archives = 0
    while waiting:
        place, tree = waiting.pop()
        for name, file in sorted(tree.files.items()):
            shown = place + name
            if not is_called_archive(name, file.content):
                text = _to_utf8(file.content)
                texts |= {} if text is None else {shown: text}
                binaries += [shown] if text is None else []
                continue
            archives += 1
            try:
                if archives > _MAX_ARCHIVES:
                    raise Refused(f"the submission has more than {_MAX_ARCHIVES} archives")  # noqa: TRY301 - as any
                inside = read_archive_file(file.content)
                size += sum(len(one.content) for one in inside.files.values())
                if size > _BOUNDS.size:
                    raise Refused(f"the archives unpack to more than {_BOUNDS.size >> 20} MiB")  # noqa: TRY301
            except (Refused, HostError) as error:
                unread.append(f"{one_line(shown)}: {one_line(str(error))}")
            else:
                waiting.append((_folder_for(shown, tree, place), inside))
    return texts, "; ".join(unread), binaries


def _folder_for(shown: str, tree: FileTree, place: str) -> str:
    """Return the folder in place of an archive: its name without the ending, where no other has it."""
    plain = str(PurePosixPath(shown).with_suffix("")).removesuffix(".tar")
    taken = {place + name for name in (*tree.files, *tree.folders)}
    return f"{shown if plain in taken else plain}/"


def _to_utf8(content: bytes) -> bytes | None:
    """Return a text as UTF-8 without a byte order mark; None for what is no text."""
    controls = len(content) - len(content.translate(None, _CONTROL_BYTES))
    others = ("utf-8", "latin-1") if controls <= _MAX_CONTROL_SHARE * len(content) else ()
    for encoding in (*(encoding for mark, encoding in _MARKS.items() if content.startswith(mark)), *others):
        try:
            return content.decode(encoding).replace("\0", " ").encode(errors="replace")
        except UnicodeDecodeError:
            continue
    return None


# ---------------------------------------------------------------- measurements


def to_times(request: Request) -> Exported:
    """Write the lines, in the order of the class and of the spec."""
    rows: list[Sequence[object]] = [("submission", "test", "case", "verdict", *_MEASURED)]
    for view in request.views:
        for test, case in run_cases(view.report, after_due=view.after_due) if view.grade.report else ():
            time, cpu, memory = (
                (f"{case.limits.time:g}", f"{case.limits.cpu:g}", case.limits.memory) if case.limits else ("",) * 3
            )
            took = (f"{case.time or 0:.3f}", time, f"{case.cpu or 0:.3f}", cpu, case.memory or "", memory)
            rows.append((*map(csv_cell, (view.grade.entry.id, test.name, case.id)), case.verdict, *took))
    return Exported(content=to_csv(rows, "\n"))
