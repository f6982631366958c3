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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

from grader.core.build.staging import read_archive_file, read_submission
from grader.core.build.tree import Refused, StagingLimits, is_called_archive
from grader.core.errors import GraderError, HostError, UsageError
from grader.core.report.document import Rendering, run_cases
from grader.core.report.formats import FORMATS
from grader.core.text import count, one_line
from grader.exports.platforms import claim_rows, read_participants
from grader.exports.request import Exported, Request, tell_left_out, zip_of
from grader.people.names import CANVAS, MOODLE, read_name
from grader.people.people import platform_number
from grader.results.class_files import csv_cell, to_csv
from grader.results.view import GradeView

PAGE, TEXT = "feedback.html", "feedback.md"
LIST_OF_PAGES = "pages.csv"  # the owners of the pages; for the staff, and never in the same folder as the pages
CODE_LENGTH = 26  # characters of a page's name, five bits each: 130 bits

_TEXTS = """. .bas .c .cc .cpp .cs .go .h .hpp .hs .java .js .kt .lisp .lua .m .md .ml .pas .php .pl .ps1 .py .r .rb
.rkt .rs .scala .scm .sh .sql .swift .tex .ts .txt .v .vb"""  # the endings of texts, which feedback may replace
_KINDS = {".html": "page", ".htm": "page", ".zip": "zip"} | dict.fromkeys(_TEXTS.split(), "text")
"""the ending of a student's file in Canvas -> its kind, which its feedback has; the best first"""
_EMPTY_PAGE = b"<!doctype html>\n<title>Nothing to see here</title>\n"  # so that no web server lists the other pages
_BOUNDS = StagingLimits()
_MAX_ARCHIVES = 20  # archives of one submission that are unpacked, those inside others counted
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}  # what byte order marks mean
_CONTROL_BYTES = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"
_MAX_CONTROL_SHARE = 0.02  # of a text's bytes: a planted control character does not make a source unreadable
_INFO = "info.csv"
_Files = Mapping[str, bytes]
_Works = list[tuple[GradeView, dict[str, bytes]]]  # each submission with its texts, by their paths in the zip
_MEASURED = ("time", "time_limit", "cpu", "cpu_limit", "memory", "memory_limit")


def _pack_feedback(
    request: Request,
    files_for: Callable[[GradeView], _Files | str],
    notes: Sequence[str] = (),
    others: Sequence[tuple[str, bytes]] = (),
) -> Exported:
    """Pack the files for each graded submission, with other files; `files_for` may return why there are none."""
    files, left_out = dict(others), list[tuple[str, str]]()
    for view in request.views:
        packed = files_for(view) if _is_graded(view) else view.reason_without_report or view.reason
        if not isinstance(packed, str):
            files |= packed
        elif view.grade.report or view.was_handed_in:
            left_out.append((view.name, packed))
    notes = (*notes, f"{count(len(files), 'file')} to hand out")
    return Exported(content=zip_of(files), left_out=tell_left_out(left_out), notes=notes)


def _is_graded(view: GradeView) -> bool:
    return view.grade.report is not None and view.state != "ungraded"


def to_moodle_feedback(request: Request) -> Exported:
    """Pack a folder for each participant whose number is known: from its upload's name, or from a grading worksheet."""
    numbers: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    why = "Moodle's number of it is not known; name the grading worksheet with --template"
    notes: list[str] = []
    if request.template:
        why = f"no row of {one_line(request.template.name)} fits with certainty"
        people = {participant.row: participant for participant in read_participants(request)[2] if participant.number}
        rows, _, notes = claim_rows(request, people.values(), MOODLE, filter(_is_graded, request.views))
        for row, view in rows.items():
            numbers[view.grade.entry.id].append((people[row].name, people[row].number))

    def files_for(view: GradeView) -> _Files | str:
        entry = view.grade.entry
        own = numbers.get(entry.id, [])
        if not own and (number := platform_number(entry, MOODLE)):
            own = [(read_name(entry.uploads[0] if entry.uploads else "", entry.platform).who, number)]
        names = ((plain_part(name).replace("_", " ").lstrip(".~ ") or "Participant", number) for name, number in own)
        return {f"{name}_{number}_assignsubmission_file_/{PAGE}": _page(request, view) for name, number in names} or why

    return _pack_feedback(request, files_for, notes)


def to_canvas_feedback(request: Request) -> Exported:
    """Pack a file for each submission downloaded from Canvas, under one of its names."""

    def files_for(view: GradeView) -> _Files | str:
        read = {name: read_name(name, view.grade.entry.platform) for name in view.grade.entry.uploads}
        own = {name: named.file for name, named in read.items() if named.platform == CANVAS and named.number}
        kinds = {name: _KINDS.get(PurePosixPath(file).suffix.lower() or ".") for name, file in own.items()}
        best = [name for kind in dict.fromkeys(_KINDS.values()) for name in own if kinds[name] == kind]
        if not best:
            why = f"Canvas would call it {one_line(next(iter(own.values()), ''))}, which is neither a zip nor a text"
            return why if own else "it was not downloaded from Canvas"
        if kinds[best[0]] == "text":
            return {plain_part(best[0]): FORMATS[TEXT](Rendering(view.report, "", view.after_due))}
        page = _page(request, view)
        return {plain_part(best[0]): page if kinds[best[0]] == "page" else zip_of({PAGE: page})}

    return _pack_feedback(request, files_for)


def to_pages(request: Request) -> Exported:
    """Pack a page for each student, and list the owners in a separate file."""
    if not request.secret:
        raise UsageError("the names of pages are derived from a secret: name its file with --secret")
    owners = [("id", "name", "email", "page")]

    def files_for(view: GradeView) -> _Files:
        own = [(one, page_code(request.secret, request.book.spec.id, one.id)) for one in view.grade.entry.students]
        owners.extend((student.id, student.name, student.email, f"{code}.html") for student, code in own)
        return {f"{code}.html": _page(request, view) for _, code in own}

    packed = _pack_feedback(request, files_for, others=[("index.html", _EMPTY_PAGE)])
    listing = to_csv([csv_cell(text) for text in row] for row in owners)
    pages = f"{count(len(owners) - 1, 'page')}, under names that cannot be guessed"
    return replace(packed, notes=(pages,), staff_files={LIST_OF_PAGES: listing})


def page_code(secret: bytes, assignment: str, student: str) -> str:
    """Return the name of a student's page: letters and digits, always the same for the same secret."""
    message = b"\0".join(text.encode("utf-8", "surrogateescape") for text in (assignment, student))
    return base64.b32encode(hmac.new(secret, message, hashlib.sha256).digest()).decode().lower()[:CODE_LENGTH]


def plain_part(name: str) -> str:
    """Return a name that every unpacking tool accepts as a single name."""
    return re.sub(r"[\\/:]", "-", one_line(name))


def _page(request: Request, view: GradeView) -> bytes:
    page = request.file(view.grade, PAGE)
    if page is None:
        raise UsageError(f"there is no {PAGE} of {view.name}: grade it again")
    return page


def _list_for_dolos(works: _Works) -> _Files:
    """Return the list that Dolos reads; a label is a section of the class, or else a team."""
    rows: list[Sequence[object]] = [("id", "filename", "full_name", "label", "created_at", "status")]
    for view, own in works:
        entry, report = view.grade.entry, view.grade.report
        names = ", ".join(student.name or student.id for student in entry.students) or entry.id
        label = (entry.students[0].section if entry.students else "") or entry.team
        about = (names, label, entry.submitted, str(report.verdict) if report else "")
        rows += [(csv_cell(view.name), name, *map(csv_cell, map(one_line, about))) for name in own]
    return {_INFO: to_csv(rows, "\n")}


def _pack_texts(request: Request, advice: str, others: Callable[[_Works], _Files] = lambda _: {}) -> Exported:
    """Pack the texts of each submission in its own folder, with other files; `advice` says how to use the bundle."""
    works: _Works = []
    left_out, lost, notes, binaries = list[tuple[str, str]](), list[tuple[str, str]](), list[str](), list[str]()
    taken = {_INFO}
    for view in request.views:
        path, name = view.grade.entry.path, view.name
        if path is None:
            left_out += [(name, view.reason_without_report)] if view.was_handed_in else []
            continue
        try:
            texts, unread, no_texts = _read_texts(path)
        except (GraderError, Refused) as error:
            texts, unread, no_texts = {}, one_line(str(error)), []
        if texts:
            notes += [f"{name} is in it without an archive: {unread}"] if unread else []
            binaries += [f"{name}/{one_line(file)}" for file in no_texts]
            works.append((view, _in_own_folder(view.grade.entry.id, texts, taken)))
        elif view.state in ("unreadable", "excused"):  # nobody is missing then
            lost.append((name, view.reason))
        else:
            left_out.append((name, unread or ("no file in it is a text" if no_texts else "it is empty")))
    handed_in = sum(view.was_handed_in for view in request.views)
    notes += tell_left_out(lost)
    if absent := len(request.views) - handed_in:
        notes.append(f"{count(absent, 'student')} handed in nothing")
    notes += tell_left_out([(file, "no text") for file in binaries], most=5)
    of = count(handed_in, "submission")
    notes.append(f"{of if len(works) == handed_in else f'{len(works)} of {of}'}: {advice}")
    packed = zip_of({**others(works), **{name: content for _, own in works for name, content in own.items()}})
    return Exported(content=packed, left_out=tell_left_out(left_out), notes=tuple(notes))


to_jplag = partial(_pack_texts, advice="unzip it, and give JPlag the folder")
to_dolos = partial(_pack_texts, advice="give Dolos the zip as it is", others=_list_for_dolos)


def _in_own_folder(name: str, texts: _Files, taken: set[str]) -> dict[str, bytes]:
    """Return the texts below a folder that no other submission has, by names that every tool unpacks."""
    folder = next(free for free in _numbered(plain_part(name)) if free not in taken)
    taken.add(folder)
    own: dict[str, bytes] = {}
    for file, content in texts.items():
        path = PurePosixPath(folder, *(plain_part(part) for part in file.split("/")))
        names = (str(path.with_stem(stem)) for stem in _numbered(path.stem))
        own[next(free for free in names if free not in own)] = content
    return own


def _numbered(name: str) -> Iterator[str]:
    """Iterate over names for a file or folder, so that two never share one."""
    name = name.strip(". ") or "submission"
    yield name
    yield from (f"{name}-{number}" for number in range(2, 10_000))


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
                if (text := _to_utf8(file.content)) is None:
                    binaries.append(shown)
                else:
                    texts[shown] = text
                continue
            archives += 1
            try:
                if archives > _MAX_ARCHIVES:
                    raise Refused(f"the submission has more than {_MAX_ARCHIVES} archives")  # noqa: TRY301 - as any
                inside = read_archive_file(file.content)
                size += sum(len(file.content) for file in inside.files.values())
                if size > _BOUNDS.size:
                    raise Refused(f"the archives unpack to more than {_BOUNDS.size >> 20} MiB")  # noqa: TRY301
            except (Refused, HostError) as error:
                unread.append(f"{one_line(shown)}: {one_line(str(error))}")
            else:
                plain = str(PurePosixPath(shown).with_suffix("")).removesuffix(".tar")
                is_taken = plain in {place + path for path in (*tree.files, *tree.folders)}
                waiting.append((f"{shown if is_taken else plain}/", inside))
    return texts, "; ".join(unread), binaries


def _to_utf8(content: bytes) -> bytes | None:
    """Return a text as UTF-8 without a byte order mark; None for what is no text."""
    controls = len(content) - len(content.translate(None, _CONTROL_BYTES))
    others = ("utf-8", "latin-1") if controls <= _MAX_CONTROL_SHARE * len(content) else ()
    for encoding in (*(encoding for mark, encoding in _MARKS.items() if content.startswith(mark)), *others):
        with suppress(UnicodeDecodeError):
            return content.decode(encoding).replace("\0", " ").encode(errors="replace")
    return None


def to_times(request: Request) -> Exported:
    """Write the lines, in the order of the class and of the spec."""
    rows: list[Sequence[object]] = [("submission", "test", "case", "verdict", *_MEASURED)]
    for view in request.views:
        for test, case in run_cases(view.report, after_due=view.after_due) if view.grade.report else ():
            most = case.limits
            time, cpu, memory = (f"{most.time:g}", f"{most.cpu:g}", most.memory) if most else ("",) * 3
            took = (f"{case.time or 0:.3f}", time, f"{case.cpu or 0:.3f}", cpu, case.memory or "", memory)
            rows.append((*map(csv_cell, (view.grade.entry.id, test.name, case.id)), case.verdict, *took))
    return Exported(content=to_csv(rows, "\n"))
