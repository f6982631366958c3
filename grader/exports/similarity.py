"""Pack the submissions for JPlag and Dolos, which look for copies; the course runs them itself.

JPlag takes a folder with a folder for each submission (its option `root-dir`). Dolos takes a zip with `info.csv`
(lib/src/lib/dataset.ts of dodona-edu/dolos), a line for each file: `filename` and its owner. No report is included, so
nothing of hidden tests is.

Both tools read sources, so only texts are included. Grading unpacks an archive only where the assignment's files are in
it; here each archive in a student's folder becomes a folder of its name, also one inside another. Texts are written as
UTF-8, since readers of sources skip what they cannot decode, and a student chooses the encoding.
"""

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path, PurePosixPath

from grader.core.build.archive_kinds import is_called_archive
from grader.core.build.staging import read_archive_file, read_submission
from grader.core.build.tree import FileTree, Refused, StagingLimits
from grader.core.errors import GraderError, HostError
from grader.core.text import count, listed, one_line
from grader.exports.feedback_files import plain_part
from grader.exports.request import Exported, Request, zip_of
from grader.results.class_files import csv_cell
from grader.results.view import GradeView

_BOUNDS = StagingLimits()
_MAX_ARCHIVES = 20
"""archives of one submission that are unpacked, those inside others counted"""
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
"""byte order marks -> the encoding that they stand for"""
_CONTROL_BYTES = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"
_MAX_CONTROL_SHARE = 0.02
"""of the bytes of a text that are control characters; a planted one does not make a source unreadable"""
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
