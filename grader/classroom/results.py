"""What a run left behind, read again: a class's folder or its `grades.db`, or a folder with reports of `grader run`."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.classroom.store import STORE_NAME, GradeStore, read_store
from grader.errors import HostError, UsageError
from grader.model.gradebook import Entry, Grade, Gradebook, Student
from grader.model.report import Report, ReportedSpec, without_outputs
from grader.report import from_json, safe_name, write_files
from grader.report.files import tidy
from grader.report.formats import FORMATS, render

ReportFile = Callable[[Grade, str], bytes | None]
"""a file of a grade's report, such as `report.json`; None when there is none"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """A gradebook, and the way to the files behind it."""

    path: Path
    book: Gradebook
    file: ReportFile


def gradebook(store: GradeStore) -> Gradebook:
    """Return the gradebook of a store, in the order of the ids."""
    about = store.about()
    grades = tuple(_grade_of(entry, store.get(entry.id)) for entry in store.entries())
    spec = ReportedSpec(id=about.get("spec", ""), title=about.get("title", ""), digest=about.get("digest", ""))
    return Gradebook(
        spec=spec,
        max_score=float(about.get("max_score", 0)),
        grades=grades,
        spec_text=about.get("spec_text", ""),
        shard=about.get("shard", ""),
        unused=tuple(filter(None, about.get("unused", "").split("\n"))),
    )


def _grade_of(entry: Entry, report: bytes | None) -> Grade:
    if entry.path is None or report is None:
        return Grade(entry=entry, report=None)
    return Grade(entry=entry, report=without_outputs(from_json(report)), folder=safe_name(entry.id))


@contextmanager
def open_results(path: Path, *, after_due: bool = False) -> Iterator[Results]:
    """Open what is at `path`; raises UsageError when there are no results."""
    database = path / STORE_NAME if path.is_dir() else path
    if database.name == STORE_NAME and database.is_file():
        with read_store(database) as store:
            yield results_of(store, after_due=after_due)
    elif path.is_dir():
        yield _of_reports(path)
    else:
        raise UsageError(f"there are no results at {path}: name a folder that `grader class` or `grader run` wrote")


def results_of(store: GradeStore, *, after_due: bool = False) -> Results:
    """Return the results in an open store."""
    course = store.about().get("course", "")

    def file(grade: Grade, name: str) -> bytes | None:
        report = store.get(grade.entry.id)
        if report is None or name == "report.json":
            return report
        there = content(store.path.parent / safe_name(grade.entry.id) / name)
        if there is not None and digest_of(there) == store.digests(grade.entry.id, after_due=after_due).get(name):
            return there  # to read it is much faster than to make it again
        return FORMATS[name](from_json(report), course, after_due) if name in FORMATS else None

    return Results(path=store.path.parent, book=gradebook(store), file=file)


def files_of(report: bytes, *, course: str, after_due: bool) -> Mapping[str, bytes]:
    """Make all the files that belong to a `report.json`."""
    return {**render(from_json(report), course=course, after_due=after_due), "report.json": report}


def put_right(
    name: str, files: Callable[[], Mapping[str, bytes]], store: GradeStore, folder: Path, *, after_due: bool
) -> None:
    """Write those files of a report that are not there as they should be, and make none where all of them are."""
    tidy(folder, FORMATS)
    digests = store.digests(name, after_due=after_due)
    if digests and all(digest_of(content(folder / file)) == digest for file, digest in digests.items()):
        return
    wanted = files()
    store.note_digests(name, {file: digest_of(data) for file, data in wanted.items()}, after_due=after_due)
    wrong = {file: data for file, data in wanted.items() if content(folder / file) != data}
    if wrong:
        write_files(wrong, folder)


def content(path: Path) -> bytes | None:
    """Return what is in a file; None when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def digest_of(data: bytes | None) -> str:
    """Return a digest by which files are told apart; empty for one that is not there."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _of_reports(path: Path) -> Results:
    """Read a student's folder, or a folder of such."""
    reports = [path / "report.json"] if (path / "report.json").is_file() else sorted(path.glob("*/report.json"))
    if not reports:
        raise UsageError(
            f"there are no results in {path}: neither {STORE_NAME} nor a report.json in it or in a folder of it"
        )
    records = [(report.parent, _read_report(report)) for report in reports]
    grades = [_grade_by_itself(folder, record) for folder, record in records]
    _check_one_spec(path, [record for _, record in records])
    first = records[0][1]
    folders = {folder.name: folder for folder, _ in records}

    def file(grade: Grade, name: str) -> bytes | None:
        found = folders[grade.folder] / name
        return found.read_bytes() if found.is_file() else None

    book = Gradebook(
        spec=first.spec, max_score=first.max_score, grades=tuple(sorted(grades, key=lambda grade: grade.entry.id))
    )
    return Results(path=path, book=book, file=file)


def _grade_by_itself(folder: Path, report: Report) -> Grade:
    name = report.submission.id
    entry = Entry(id=name, path=folder, students=(Student(id=name),))
    return Grade(entry=entry, report=report, folder=folder.name)


def _read_report(path: Path) -> Report:
    try:
        return without_outputs(from_json(path.read_bytes()))
    except OSError as error:
        raise HostError(f"{path} cannot be read: {error.strerror}") from error
    except HostError as error:
        raise HostError(f"{path}: {error}") from error


def _check_one_spec(path: Path, records: Sequence[Report]) -> None:
    specs = sorted({record.spec.id for record in records})
    if len(specs) > 1:
        raise UsageError(f"{path} holds reports of several assignments ({', '.join(specs)}); name the folder of one")
