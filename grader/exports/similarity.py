"""Pack the submissions for JPlag and Dolos, which look for copies; the course runs them itself.

JPlag takes a folder with a folder for each submission (its option `root-dir`). Dolos takes a zip with `info.csv`
(lib/src/lib/dataset.ts of dodona-edu/dolos), a line for each file: `filename` and its owner. Only text files are
included, also those of archives in a student's folder: both tools read sources. No report is included, so nothing of
hidden tests is.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import PurePosixPath
from typing import NamedTuple

from grader.core.build.tree import Refused
from grader.core.errors import GraderError
from grader.core.model.gradebook import Entry
from grader.core.text import count, listed, one_line
from grader.exports.feedback_files import plain_part
from grader.exports.request import Exported, Request, is_readable, reason_without_grade, zip_of
from grader.exports.work_texts import read_work_texts
from grader.results.class_files import csv_cell

_INFO = "info.csv"
_COLUMNS = ("id", "filename", "full_name", "label", "created_at", "status")
_BINARIES_NAMED = 5
"""files in one message"""


class _Work(NamedTuple):
    """A submission, and its texts by their paths in the zip."""

    entry: Entry
    texts: dict[str, bytes]


def to_jplag(request: Request) -> Exported:
    """Pack a folder for each submission."""
    works, left_out, notes = _collect(request)
    files = {name: content for work in works for name, content in work.texts.items()}
    notes.append(f"{_counted(works, request)}: unzip it, and give JPlag the folder")
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
    files = {name: content for work in works for name, content in work.texts.items()}
    notes.append(f"{_counted(works, request)}: give Dolos the zip as it is")
    packed = zip_of({_INFO: listing.getvalue().encode(), **files})
    return Exported(content=packed, left_out=tuple(left_out), notes=tuple(notes))


def _collect(request: Request) -> tuple[list[_Work], list[str], list[str]]:
    """Return each submission with its texts in its own folder, a sentence for each that is left out, and notes."""
    works: list[_Work] = []
    left_out: list[str] = []
    notes: list[str] = []
    binaries: list[str] = []
    absent = 0
    taken: set[str] = {_INFO}
    for grade in request.book.grades:
        entry, name = grade.entry, one_line(grade.entry.id)
        if entry.path is None:
            absent += not entry.is_doubtful
            left_out += [f"{name} is left out: {reason_without_grade(grade)}"] if entry.is_doubtful else []
            continue
        left, why = left_out, ""
        if grade.report and not is_readable(grade):
            left, why = notes, reason_without_grade(grade)  # as good as nothing handed in, but for what can be read
        try:
            found = read_work_texts(entry.path)
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
        works.append(_Work(entry, _in_own_folder(entry.id, found.texts, taken)))
    if absent:
        notes.append(f"{count(absent, 'student')} handed in nothing")
    if binaries:
        verb = "is no text and is" if len(binaries) == 1 else "are no texts and are"
        notes.append(f"{count(len(binaries), 'file')} {verb} left out: {listed(binaries, most=_BINARIES_NAMED)}")
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


def _counted(works: Sequence[_Work], request: Request) -> str:
    """Return how many submissions are in it, and of how many."""
    handed_in = sum(grade.entry.path is not None or grade.entry.is_doubtful for grade in request.book.grades)
    inside = count(len(works), "submission")
    return inside if len(works) == handed_in else f"{len(works)} of {count(handed_in, 'submission')}"
