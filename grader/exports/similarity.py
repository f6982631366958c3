"""Pack the submissions for JPlag and Dolos, which look for copies; the course runs them itself.

JPlag takes a folder with a folder for each submission (its option `root-dir`). Dolos takes a zip with `info.csv`
(lib/src/lib/dataset.ts of dodona-edu/dolos), a line for each file: `filename` and its owner. Only text files are
included: both tools read sources. No report is included, so nothing of hidden tests is.
"""

import csv
from collections.abc import Iterator
from io import StringIO

from grader.core.build.staging import read_submission
from grader.core.build.tree import Refused, Unreadable
from grader.core.errors import GraderError
from grader.core.model.gradebook import Entry
from grader.core.text import count, one_line
from grader.exports.feedback_files import plain_part
from grader.exports.request import Exported, Request, is_readable, reason_without_grade, zip_of
from grader.gradebook.class_files import csv_cell

_INFO = "info.csv"
_COLUMNS = ("id", "filename", "full_name", "label", "created_at", "status")


def to_jplag(request: Request) -> Exported:
    """Pack a folder for each submission."""
    works, left_out, notes = _collect(request)
    files = {name: content for _, own in works for name, content in own.items()}
    notes.append(f"{count(len(works), 'submission')}: unzip it, and give JPlag the folder")
    return Exported(content=zip_of(files), left_out=tuple(left_out), notes=tuple(notes))


def to_dolos(request: Request) -> Exported:
    """Pack the same files with the list that Dolos reads; a label is a section of the class, or else a team."""
    works, left_out, notes = _collect(request)
    listing = StringIO()
    writer = csv.writer(listing, lineterminator="\n")
    writer.writerow(_COLUMNS)
    verdicts = {grade.entry.id: str(grade.report.verdict) for grade in request.book.grades if grade.report}
    for entry, own in works:
        names = ", ".join(one.name or one.id for one in entry.students) or entry.id
        label = entry.students[0].section if entry.students else ""
        about = (names, label or entry.team, entry.submitted, verdicts.get(entry.id, ""))
        writer.writerows((csv_cell(one_line(entry.id)), name, *map(csv_cell, map(one_line, about))) for name in own)
    files = {name: content for _, own in works for name, content in own.items()}
    notes.append(f"{count(len(works), 'submission')}: give Dolos the zip as it is")
    packed = zip_of({_INFO: listing.getvalue().encode(), **files})
    return Exported(content=packed, left_out=tuple(left_out), notes=tuple(notes))


def _collect(request: Request) -> tuple[list[tuple[Entry, dict[str, bytes]]], list[str], list[str]]:
    """Return each submission with its text files in its own folder, those left out, and other notes."""
    works: list[tuple[Entry, dict[str, bytes]]] = []
    left_out, notes = [], []
    taken: set[str] = {_INFO}
    for grade in request.book.grades:
        entry, name = grade.entry, one_line(grade.entry.id)
        if entry.path is None:
            left_out += [f"{name} is left out: {reason_without_grade(grade)}"] if entry.is_doubtful else []
            continue
        if grade.report and not is_readable(grade):
            notes.append(f"{name} is left out: {reason_without_grade(grade)}")
            continue
        try:
            tree = read_submission(entry.path)
        except (GraderError, Refused, Unreadable) as error:
            left_out.append(f"{name} is left out: {one_line(str(error))}")
            continue
        folder = next(one for one in _numbered(plain_part(entry.id)) if one not in taken)
        taken.add(folder)
        own = {
            f"{folder}/{'/'.join(map(plain_part, file.split('/')))}": one.content
            for file, one in tree.files.items()
            if _is_text(one.content)
        }
        works.append((entry, own))
    return works, left_out, notes


def _numbered(name: str) -> Iterator[str]:
    """Iterate over names for a folder, so that two submissions never share one."""
    name = name.strip(". ") or "submission"
    yield name
    yield from (f"{name}-{number}" for number in range(2, 10_000))


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return not any(byte in content for byte in (b"\0", b"\x1b"))
