"""The class that is reviewed: its stored reports, with what `adjustments.yaml` says at this moment.

Nothing is kept between two pages but what is costly to read: another assistant, `grader adjust`, `grader class` or an
editor may have changed the rest.
"""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import msgspec

from grader.core.errors import UsageError
from grader.core.model.gradebook import Afterwards, Entry, Grade, Gradebook
from grader.core.model.report import Report
from grader.core.report.files import safe_name
from grader.core.report.json import from_json
from grader.core.text import one_line, sentence, show
from grader.decisions.adjustments import Line
from grader.decisions.late_days import days_used_before
from grader.decisions.post_grading import (
    Rules,
    apply_post_grading,
    final_without_report,
    resolve_post_grading,
    unknown_students,
)
from grader.results.adjusting import Adjustable, open_adjustable, rules_now
from grader.results.statistics import Cluster, clusters_of
from grader.results.store import STORE_NAME, read_store, results_of

_KEY_DIGITS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassNow:
    """The class at this moment."""

    book: Gradebook
    rules: Rules
    clusters: Mapping[str, Cluster]
    """a short key -> the cluster, largest first"""
    notes: tuple[str, ...]
    """what the staff should know wherever they look"""
    left_out: tuple[str, ...]
    """what of the class's folder and the course's files is not used"""

    def grade(self, key: str) -> Grade | None:
        """Look up a grade by `grade_key`; None when there is none."""
        return next((grade for grade in self.book.grades if grade_key(grade) == key), None)

    def lines_of(self, grade: Grade) -> tuple[Line, ...]:
        """Return the lines of `adjustments.yaml` about a grade."""
        return tuple(line for line in self.rules.lines if line.student == show(grade.entry.id))


def open_reviewed(folder: Path, spec_name: str | None, start: Path) -> Adjustable:
    """Find the class in a folder of results, and its spec; raises UsageError when there is none."""
    if not (folder / STORE_NAME).is_file():
        raise UsageError(f"there is no class in {one_line(str(folder))}: name a folder that `grader class` wrote")
    return open_adjustable(folder, spec_name, start)


def read_class(reviewed: Adjustable) -> ClassNow:
    """Read the class as it is now; raises SpecError for mistakes in the course's files."""
    book, clusters = _stored_book(reviewed.folder, _signature(reviewed.folder))
    rules = rules_now(reviewed, book)
    used = days_used_before(rules, reviewed.spec.id)
    entries = resolve_post_grading([grade.entry for grade in book.grades], rules, used)
    grades = tuple(_decided_now(grade, entry) for grade, entry in zip(book.grades, entries, strict=True))
    left_out = [f"Left out: {sentence(text)}" for text in book.unused]
    left_out += [sentence(text) for text in (() if book.shard else unknown_students(entries, rules))]
    is_older = book.spec.digest != reviewed.spec.digest
    notes = ("The spec has changed since this class was graded. What is shown is by the older one.",) * is_older
    now = replace(book, grades=grades)
    return ClassNow(book=now, rules=rules, clusters=clusters, notes=notes, left_out=tuple(left_out))


def read_whole_report(reviewed: Adjustable, grade: Grade) -> Report | None:
    """Read the report of a grade with the outputs of the programs; None when there is none."""
    with read_store(reviewed.folder / STORE_NAME) as store:
        written = store.get(grade.entry.id)
    return None if written is None else _with_decisions(from_json(written), grade.entry.after)


def grade_key(grade: Grade) -> str:
    """Return what a grade is called in addresses: the same for no two, and plain whatever the student's id is."""
    return safe_name(grade.entry.id)


def revision_of(lines: Sequence[Line]) -> str:
    """Return a digest of lines: another one when anything of them has changed."""
    return _short_digest("\n".join(revision_of_line(line) for line in lines))


def revision_of_line(line: Line) -> str:
    """Return a digest of what a line says, wherever it stands in the file."""
    return _short_digest(msgspec.json.encode([line.student, line.by_hand, line.due and line.due.written]).decode())


def _short_digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()[:_KEY_DIGITS]


def _decided_now(grade: Grade, entry: Entry) -> Grade:
    decided = final_without_report(entry.after) if entry.path is None else None
    return replace(
        grade, entry=entry, report=grade.report and _with_decisions(grade.report, entry.after), decided=decided
    )


def _with_decisions(report: Report, after: Afterwards) -> Report:
    return apply_post_grading(msgspec.structs.replace(report, final=msgspec.UNSET), after)


def _signature(folder: Path) -> tuple[tuple[int, int, int], ...]:
    """Return what changes whenever the store does: the states of its files."""
    found = []
    for ending in ("", "-wal"):
        with suppress(FileNotFoundError):
            status = (folder / f"{STORE_NAME}{ending}").stat()
            found.append((status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(found)


@lru_cache(maxsize=2)
def _stored_book(folder: Path, _signature: object) -> tuple[Gradebook, dict[str, Cluster]]:
    with read_store(folder / STORE_NAME) as store:
        book = results_of(store).book
    return book, {_short_digest(repr((one.tests, one.cases, one.sentence))): one for one in clusters_of(book)}
