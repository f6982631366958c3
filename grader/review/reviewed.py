"""The class that is reviewed, and the first page: its students, filtered by cause, test and words.

It joins the stored reports with the present `adjustments.yaml`. Between two pages only data that are costly to read
are cached: another assistant, `grader adjust`, `grader class` or an editor may have changed the rest.

A filter is a part of the address, so "next" on a student's page follows the filtered list.
"""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlencode

import msgspec

from grader.core.errors import UsageError
from grader.core.model.gradebook import Grade, Gradebook
from grader.core.model.report import Report
from grader.core.report.document import describe_cause
from grader.core.report.html import fill_in, read_asset
from grader.core.report.json import from_json, safe_name
from grader.core.report.view import NAME_LIMIT, case_summary, out_of
from grader.core.text import count, one_line, sentence, show
from grader.decisions import post_grading
from grader.decisions.adjustments import Line
from grader.decisions.late_days import days_used_before
from grader.people.times import without_accents
from grader.results.adjusting import Adjustable, open_adjustable, rules_now
from grader.results.statistics import Cluster, clusters_of
from grader.results.store import STORE_NAME, read_store, results_of
from grader.results.view import grade_view, names_of_tests, points_text, why_not_graded

BY_HAND_CHOICES = {"": "(all)", "without": "without anything by hand", "with": "with something by hand"}
_SENTENCE_LIMIT, _KEY_DIGITS = 200, 10


class ClassNow(NamedTuple):
    """The class at this moment."""

    book: Gradebook
    rules: post_grading.Rules
    clusters: Mapping[str, Cluster]  # a short key -> the cluster, largest first
    notes: tuple[str, ...]  # what the staff should know wherever they look
    left_out: tuple[str, ...]  # the parts of the class's folder and the course's files that are not used

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
    entries = post_grading.resolve_post_grading([grade.entry for grade in book.grades], rules, used)
    pairs = zip(book.grades, entries, strict=True)
    grades = tuple(post_grading.grade_with(replace(grade, entry=entry), entry.after) for grade, entry in pairs)
    left_out = [f"Left out: {sentence(text)}" for text in book.unused]
    left_out += [sentence(text) for text in (() if book.shard else post_grading.unknown_students(entries, rules))]
    is_older = book.spec.digest != reviewed.spec.digest
    notes = ("The spec has changed since this class was graded. What is shown is by the older one.",) * is_older
    book = replace(book, grades=grades)
    return ClassNow(book=book, rules=rules, clusters=clusters, notes=notes, left_out=tuple(left_out))


def read_whole_report(reviewed: Adjustable, grade: Grade) -> Report | None:
    """Read the report of a grade with the outputs of the programs; None when there is none."""
    with read_store(reviewed.folder / STORE_NAME) as store:
        written = store.get(grade.entry.id)
    whole = None if written is None else from_json(written)
    return post_grading.grade_with(replace(grade, report=whole), grade.entry.after).report


def grade_key(grade: Grade) -> str:
    """Return what a grade is called in addresses: the same for no two, and plain whatever the student's id is."""
    return safe_name(grade.entry.id)


def revision_of(lines: Sequence[Line]) -> str:
    """Return a digest of lines: another one when anything of them has changed."""
    return _short_digest("\n".join(map(revision_of_line, lines)))


def revision_of_line(line: Line) -> str:
    """Return a digest of what a line says, wherever it stands in the file."""
    return _short_digest(msgspec.json.encode([line.student, line.by_hand, line.due and line.due.written]).decode())


def _short_digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()[:_KEY_DIGITS]


def _signature(folder: Path) -> tuple[tuple[int, int, int], ...]:
    """Return what changes whenever the store does: the states of its files."""
    states = []
    for ending in ("", "-wal"):
        with suppress(FileNotFoundError):
            status = (folder / f"{STORE_NAME}{ending}").stat()
            states.append((status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(states)


@lru_cache(maxsize=2)
def _stored_book(folder: Path, _signature: object) -> tuple[Gradebook, dict[str, Cluster]]:
    with read_store(folder / STORE_NAME) as store:
        book = results_of(store).book
    return book, {_short_digest(repr((one.tests, one.cases, one.sentence))): one for one in clusters_of(book)}


class Filter(NamedTuple):
    """Which students are listed; an empty field excludes nobody.

    Each word of `q` has to be in what the list shows, or in a name, an address or the section; accents and letter case
    are the same. `cause` is the key of a cluster, `test` a test in which points were lost, `by` of `BY_HAND_CHOICES`.
    """

    q: str = ""
    cause: str = ""
    test: str = ""
    by: str = ""

    @classmethod
    def of_address(cls, parameters: Mapping[str, str]) -> "Filter":
        """Read the filter from the parameters of an address; what means nothing there excludes nobody."""
        chosen = cls(*(parameters.get(name, "") for name in cls._fields))
        return chosen if chosen.by in BY_HAND_CHOICES else chosen._replace(by="")

    @property
    def address(self) -> str:
        """The part of an address that says the same, with its question mark; empty for an empty filter."""
        filled = {name: text for name, text in self._asdict().items() if text}
        return f"?{urlencode(filled, errors='surrogateescape')}" if filled else ""

    def select(self, now: ClassNow) -> list[Grade]:
        """Return the grades that are listed, in the order of the ids."""
        cluster = now.clusters.get(self.cause)
        return [
            grade
            for grade in now.book.grades
            if (not cluster or grade.entry.id in cluster.members)
            and (not self.test or _lost_points(grade, self.test))
            and (not self.by or bool(now.lines_of(grade)) == (self.by == "with"))
            and (not self.q or _has_words(grade, now, self.q))
        ]


def _lost_points(grade: Grade, test: str) -> bool:
    results = grade.report.tests if grade.report else ()
    return any(result.name == test and result.score != result.points for result in results)


def _has_words(grade: Grade, now: ClassNow, words: str) -> bool:
    entry = grade.entry
    people = [word for who in entry.students for word in (who.id, who.name, who.email, who.login, who.section)]
    row = _row(grade, now, Filter())
    shown = [str(row[column]) for column in ("name", "verdict", "points", "graded", "by_hand", "sentence")]
    text = without_accents(" ".join([one_line(entry.id), entry.team, *people, *shown]))
    return all(word in text for word in without_accents(words).split())


def student_address(grade: Grade, chosen: Filter) -> str:
    """Return the address of a student's page, from any page."""
    return f"student/{quote(grade_key(grade), safe='')}{chosen.address}"


def fill_form_page(template: str, base: str, **values: object) -> bytes:
    """Fill the template of a page with forms, whose addresses all begin with `base`."""
    style, script = read_asset("page.css") + read_asset("review.css"), read_asset("review.js")
    return fill_in(template, style, script, forms="'self'", base=base, **values)


def to_list_page(reviewed: Adjustable, now: ClassNow, chosen: Filter, base: str) -> bytes:
    """Render the page."""
    book, listed = now.book, chosen.select(now)
    total, shown = count(len(book.grades), "submission"), len(listed)
    return fill_form_page(
        "review_class.html",
        base,
        title=sentence(book.spec.title or book.spec.id),
        folder=one_line(str(reviewed.folder)),
        notes=[*now.notes, *now.left_out],
        chosen=chosen,
        causes=[(key, f"{one.where}: {_cut(one.sentence)} ({one.students})") for key, one in now.clusters.items()],
        tests=[(name, one_line(name, NAME_LIMIT)) for name in names_of_tests(book)],
        by_hand=BY_HAND_CHOICES,
        found=total if shown == len(book.grades) else f"{shown} of {total}",
        rows=[_row(grade, now, chosen) for grade in listed],
    )


def _cut(text: str) -> str:
    return text if len(text) <= _SENTENCE_LIMIT else f"{text[:_SENTENCE_LIMIT]}…"


def _row(grade: Grade, now: ClassNow, chosen: Filter) -> dict[str, object]:
    report, lines, view = grade.report, now.lines_of(grade), grade_view(grade)
    return {
        "key": grade_key(grade),
        "link": student_address(grade, chosen),
        "name": one_line(grade.entry.id, NAME_LIMIT) or "(no name)",
        "people": [one_line(student.name, NAME_LIMIT) for student in grade.entry.students if student.name],
        "verdict": view.words,
        "points": "" if report is None or report.is_excused else out_of(report.counted, report.max_score),
        "graded": points_text(report.score) if report and report.counted != report.score else "",
        "by_hand": count(len(lines), "entry").replace("entrys", "entries") if lines else "",
        "sentence": first_sentence(report) if report else sentence("; ".join(grade.entry.notes)) or view.outcome,
    }


def first_sentence(report: Report) -> str:
    """Return the first thing that is wrong, for the staff; empty when nothing is."""
    if reason := why_not_graded(report):
        return _cut(reason)
    if cause := describe_cause(report, after_due=True):
        return _cut(f"{cause.title}: {cause.sentence}")
    cases = (case for test in report.tests for case in test.cases if case.deviations or case.credit < 1)
    return next((_cut(case_summary(case)) for case in cases), "")
