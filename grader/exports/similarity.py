"""Pack the submissions for JPlag and Dolos, which look for copies; the course runs them itself.

JPlag takes a folder with a folder for each submission (its option `root-dir`). Dolos takes a zip with `info.csv`
(lib/src/lib/dataset.ts of dodona-edu/dolos), a line for each file: `filename` and its owner. Only text files are
included, also those of archives in a student's folder: both tools read sources. No report is included, so nothing of
hidden tests is.
"""

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import PurePosixPath

from grader.core.build.tree import Refused
from grader.core.errors import GraderError
from grader.core.text import count, listed, one_line
from grader.exports.feedback_files import plain_part
from grader.exports.request import Exported, Request, zip_of
from grader.exports.work_texts import read_work_texts
from grader.results.class_files import csv_cell
from grader.results.view import GradeView

_INFO = "info.csv"
_COLUMNS = ("id", "filename", "full_name", "label", "created_at", "status")

_Works = list[tuple[GradeView, dict[str, bytes]]]
"""each submission with its texts, by their paths in the zip"""


def to_jplag(request: Request) -> Exported:
    """Pack a folder for each submission."""
    works, left_out, notes = _collect(request)
    return _pack({}, works, left_out, [*notes, "unzip it, and give JPlag the folder"], request)


def to_dolos(request: Request) -> Exported:
    """Pack the same files with the list that Dolos reads; a label is a section of the class, or else a team."""
    works, left_out, notes = _collect(request)
    listing = StringIO()
    writer = csv.writer(listing, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for view, own in works:
        entry, report = view.grade.entry, view.grade.report
        names = ", ".join(one.name or one.id for one in entry.students) or entry.id
        label = (entry.students[0].section if entry.students else "") or entry.team
        about = (names, label, entry.submitted, str(report.verdict) if report else "")
        writer.writerows((csv_cell(view.name), name, *map(csv_cell, map(one_line, about))) for name in own)
    info = {_INFO: listing.getvalue().encode()}
    return _pack(info, works, left_out, [*notes, "give Dolos the zip as it is"], request)


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
            found = read_work_texts(path)
        except (GraderError, Refused) as error:
            left.append(f"{name} is left out: {why or one_line(str(error))}")
            continue
        unread = "; ".join(found.unread)
        if not found.texts:
            why = why or unread or ("no file in it is a text" if found.binaries else "it is empty")
            left.append(f"{name} is left out: {why}")
            continue
        notes += [f"{name} is in it without an archive: {unread}"] if unread else []
        binaries += [f"{name}/{one_line(file)}" for file in found.binaries]
        works.append((view, _in_own_folder(view.grade.entry.id, found.texts, taken)))
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
