"""The first page of `grader review`: the class, filtered by cause, test and words, and the rubric.

A filter is a part of the address, so "next" on a student's page knows whom the list had.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from grader.core.model.gradebook import Grade, Gradebook
from grader.core.model.report import Report
from grader.core.report.html import fill_page, read_asset
from grader.core.report.view import NAME_LIMIT, case_summary, describe_cause, out_of
from grader.core.text import count, one_line, sentence
from grader.people.times import without_accents
from grader.results.adjusting import Adjustable
from grader.results.view import grade_view, names_of_tests, points_text, why_not_graded
from grader.review.reviewed import ClassNow, grade_key

BY_HAND_CHOICES = {"": "(all)", "without": "without anything by hand", "with": "with something by hand"}
_SENTENCE_LIMIT = 200
_STYLE = ("page.css", "review.css")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which students are listed; an empty field excludes nobody."""

    words: str = ""
    """each has to be in what the list shows, or in a name, an address or the section; accents and letter case are the
    same"""
    cause: str = ""
    """the key of a cluster"""
    test: str = ""
    """the name of a test in which points were lost"""
    by_hand: str = ""
    """a key of `BY_HAND_CHOICES`"""

    @classmethod
    def of_address(cls, parameters: Mapping[str, str]) -> "Filter":
        """Read the filter from the parameters of an address; what means nothing there excludes nobody."""
        by_hand = parameters.get("by", "")
        return cls(
            words=parameters.get("q", ""),
            cause=parameters.get("cause", ""),
            test=parameters.get("test", ""),
            by_hand=by_hand if by_hand in BY_HAND_CHOICES else "",
        )

    @property
    def address(self) -> str:
        """The part of an address that says the same, with its question mark; empty for an empty filter."""
        said = {"q": self.words, "cause": self.cause, "test": self.test, "by": self.by_hand}
        written = urlencode({name: text for name, text in said.items() if text}, errors="surrogateescape")
        return f"?{written}" if written else ""

    def select(self, now: ClassNow) -> list[Grade]:
        """Return the grades that are listed, in the order of the ids."""
        cluster = now.clusters.get(self.cause)
        members = {grade.entry.id for grade in cluster.grades} if cluster else set()
        return [
            grade
            for grade in now.book.grades
            if (not cluster or grade.entry.id in members)
            and (not self.test or _lost_points(grade, self.test))
            and (not self.by_hand or bool(now.lines_of(grade)) == (self.by_hand == "with"))
            and _has_words(grade, now, self.words)
        ]


def _lost_points(grade: Grade, test: str) -> bool:
    return any(one.name == test and one.score != one.points for one in (grade.report.tests if grade.report else ()))


def _has_words(grade: Grade, now: ClassNow, words: str) -> bool:
    if not (wanted := without_accents(words).split()):
        return True
    entry = grade.entry
    people = [word for one in entry.students for word in (one.id, one.name, one.email, one.login, one.section)]
    row = _row(grade, now, Filter())
    shown = [str(row[column]) for column in ("name", "verdict", "points", "graded", "by_hand", "sentence")]
    text = without_accents(" ".join([one_line(entry.id), entry.team, *people, *shown]))
    return all(word in text for word in wanted)


def student_address(grade: Grade, chosen: Filter) -> str:
    """Return the address of a student's page, from any page."""
    return f"student/{quote(grade_key(grade), safe='')}{chosen.address}"


def to_list_page(reviewed: Adjustable, now: ClassNow, chosen: Filter, base: str) -> bytes:
    """Render the page; all of its addresses begin with `base`."""
    book, listed = now.book, chosen.select(now)
    return fill_page(
        "review_class.html",
        "".join(map(read_asset, _STYLE)),
        read_asset("review.js"),
        forms="'self'",
        base=base,
        title=sentence(book.spec.title or book.spec.id),
        folder=one_line(str(reviewed.folder)),
        notes=[*now.notes, *now.left_out],
        chosen=chosen,
        causes=[(key, f"{one.where}: {_cut(one.sentence)} ({one.students})") for key, one in now.clusters.items()],
        tests=[(name, one_line(name, NAME_LIMIT)) for name in names_of_tests(book)],
        by_hand=BY_HAND_CHOICES,
        found=_found(len(listed), book),
        rows=[_row(grade, now, chosen) for grade in listed],
    )


def _found(number: int, book: Gradebook) -> str:
    total = len(book.grades)
    return count(total, "submission") if number == total else f"{number} of {count(total, 'submission')}"


def _cut(text: str) -> str:
    return text if len(text) <= _SENTENCE_LIMIT else f"{text[:_SENTENCE_LIMIT]}…"


def _row(grade: Grade, now: ClassNow, chosen: Filter) -> dict[str, object]:
    report, lines, view = grade.report, now.lines_of(grade), grade_view(grade)
    return {
        "key": grade_key(grade),
        "link": student_address(grade, chosen),
        "name": one_line(grade.entry.id, NAME_LIMIT) or "(no name)",
        "people": [one_line(one.name, NAME_LIMIT) for one in grade.entry.students if one.name],
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
