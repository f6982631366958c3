"""All assignments of a course, side by side: who handed in what, scores, late days, trends.

It is made of results that are there already, so nothing is run. Assignments are in the order of their due dates, then
of their ids. A student is the same person over assignments by the id, or else by the e-mail address or the login; a
roster of the course names everybody in one way. What is not graded is no zero: it counts in no mean.

`course.csv`, `course.json` and `course.html` have names and grades, so they are for the course's staff only.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec

from grader.core.model import VERSION
from grader.core.model.gradebook import Grade, Gradebook, Student
from grader.core.report.html import fill_in, read_asset
from grader.core.report.view import NAME_LIMIT
from grader.core.text import count, one_line, percent
from grader.decisions.late_days import LateBank, stored_bank
from grader.people.people import Roster, fold_name, student_in_words
from grader.people.uploads import list_files
from grader.results.class_files import WRITERS, csv_cell, to_csv
from grader.results.statistics import Cluster, clusters_of, to_teach
from grader.results.store import Results, open_results
from grader.results.view import grade_view, points_text

_LESSONS = 3  # mistakes of one assignment that are worth a lesson
_MIN_TIMES = 2
_FALL, _HALF = 0.2, 0.5  # share of the points by which somebody falls, and below which somebody may need help


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """The results of one assignment."""

    label: str  # its id; where two have the same one, with the folder of the results
    folder: Path
    book: Gradebook
    due: str  # in UTC as ISO 8601 has it; empty when it is not known
    bank: LateBank | None
    lessons: tuple[Cluster, ...] = ()  # what is worth teaching again

    @property
    def figures(self) -> Mapping[str, Any]:
        """Numbers of submissions, and shares of the points; there are none while nothing is graded."""
        views = [grade_view(grade) for grade in self.book.grades]
        shares = [view.share for view in views if view.share is not None]
        # Those without a score are ungraded, in doubt, not readable or not graded yet.
        return {
            "handed_in": sum(view.was_handed_in for view in views),
            "without_score": sum(view.share is None and view.state not in {"excused", "missing"} for view in views),
            "late": sum(view.days_late > 0 for view in views),
            "mean": fmean(shares) if shares else None,
            "median": median(shares) if shares else None,
        }


class Row(NamedTuple):
    """One student over all assignments."""

    student: Student
    grades: tuple[Grade | None, ...]  # one for each assignment; None where the student was not in the class
    is_enrolled: bool  # whether the roster of the course, where there is one, still has the student
    free: tuple[int, int] | None  # free late days used, and how many there are; None where the course has none
    missing: int  # in how many assignments nothing was handed in
    late_days: int  # over all assignments
    mean: float | None  # of the shares of the points, over assignments with a score and those with nothing handed in
    trend: float | None  # by how much the last share is above the mean of those before; None with fewer than two


def _row(student: Student, grades: Sequence[Grade | None], free: tuple[int, int] | None, *, is_enrolled: bool) -> Row:
    views = [grade_view(grade) for grade in grades if grade]
    shares = [view.share for view in views if view.share is not None]
    missing = sum(view.state == "missing" for view in views)
    known = [*shares, *[0.0] * missing]
    mean, trend = fmean(known) if known else None, shares[-1] - fmean(shares[:-1]) if len(shares) > 1 else None
    late = sum(view.days_late for view in views)
    return Row(student, tuple(grades), is_enrolled, free, missing, late, mean, trend)


class Overview(NamedTuple):
    """A course."""

    assignments: tuple[Assignment, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def read_assignments(folders: Sequence[Path]) -> list[Assignment]:
    """Read the results in `folders`, in the order of the due dates; raises UsageError for a folder without results."""
    classes = list[Results]()
    for folder in folders:
        with open_results(folder) as results:
            classes.append(results)
    ids = Counter(results.book.spec.id for results in classes)
    assignments = []
    for results in classes:
        book, id_ = results.book, results.book.spec.id
        assignment = Assignment(
            label=id_ if ids[id_] == 1 else f"{id_} ({results.path.name})",
            folder=results.path,
            book=book,
            due=min((grade.entry.after.due for grade in book.grades if grade.entry.after.due), default=""),
            bank=stored_bank(results.about),
            lessons=tuple(to_teach(book, clusters_of(book))[:_LESSONS]),
        )
        assignments.append(assignment)
    return sorted(assignments, key=lambda it: (not it.due, it.due, it.book.spec.id, it.folder.name))


def overview_of(assignments: Sequence[Assignment], roster: Roster | None = None) -> Overview:
    """Put the assignments side by side."""
    people = _People(roster)
    cells: dict[int, dict[int, Grade]] = {number: {} for number in range(people.on_roster)}
    notes = []
    for place, assignment in enumerate(assignments):
        for number, grade in people.in_class(assignment.book):
            row = cells.setdefault(number, {})
            if place in row:
                first, last = (one_line(own.entry.id) for own in (row[place], grade))
                who = f"{assignment.label}: {people.students[number].id}"
                notes.append(f"{who} is in {first} and {last}; {last} counts here")
            row[place] = grade
    assignments, strangers = _without_strangers(assignments, cells, people.on_roster)
    rows = [
        _row(
            people.students[number],
            [grades.get(place) for place in range(len(assignments))],
            _free_days(grades, assignments),
            is_enrolled=number < people.on_roster or not people.on_roster,
        )
        for number, grades in cells.items()
    ]
    rows.sort(key=lambda row: fold_name(row.student.id))
    return Overview(tuple(assignments), tuple(rows), (*notes, *strangers, *_notes(assignments)))


def _without_strangers(
    assignments: Sequence[Assignment], cells: dict[int, dict[int, Grade]], on_roster: int
) -> tuple[list[Assignment], list[str]]:
    """Take the work of those out whom no roster has, each a number of `cells`, and say whose it is."""
    for number, grades in list(cells.items()):
        if number >= on_roster and all(grade.entry.is_unknown for grade in grades.values()):
            del cells[number]
    kept, notes = [], []
    for place, assignment in enumerate(assignments):
        mine = {grades[place].entry.id for grades in cells.values() if place in grades}
        entries = (grade.entry for grade in assignment.book.grades)
        strangers = [entry.id for entry in entries if entry.is_unknown and entry.id not in mine]
        known = tuple(grade for grade in assignment.book.grades if grade.entry.id not in strangers)
        kept.append(replace(assignment, book=replace(assignment.book, grades=known)))
        if strangers:
            what = f"{count(len(strangers), 'submission')} of nobody on the roster, left out here"
            notes.append(f"{assignment.label}: {what}: {list_files(strangers)}")
    return kept, notes


class _People:
    """Everybody, each with the number of their row, by all that identifies them; an id takes precedence."""

    def __init__(self, roster: Roster | None) -> None:
        """Begin with the roster of the course, whose names hold then, but for those of namesakes."""
        self.students = [member.student for member in roster.members] if roster else []
        self.on_roster = len(self.students)
        self._known: dict[tuple[str, str], int] = {}
        names = Counter(fold_name(student.name) for student in self.students)
        for number, student in enumerate(self.students):
            self._learn(number, student, student.name if names[fold_name(student.name)] == 1 else "")

    def in_class(self, book: Gradebook) -> Iterator[tuple[int, Grade]]:
        """Yield the grades of a class, each with the number of its student; what it knows better is taken over.

        What identifies somebody may be another's id: the numbers that are `taken` are those of others in one class.
        """
        pairs = [(student, grade) for grade in book.grades for student in grade.entry.students]
        taken: dict[int, str] = {}
        for student, grade in sorted(pairs, key=lambda pair: ("id", fold_name(pair[0].id)) not in self._known):
            id_ = fold_name(student.id)
            numbers = map(self._known.get, _keys_of(student, student.name if self.on_roster else ""))
            number = next(
                (known for known in numbers if known is not None and taken.get(known, id_) == id_), len(self.students)
            )
            if number == len(self.students):
                self.students.append(student)
            elif number >= self.on_roster and student.name and not self.students[number].name:
                self.students[number] = student
            taken[number] = id_
            self._learn(number, student)
            yield number, grade

    def _learn(self, number: int, student: Student, name: str = "") -> None:
        for key in _keys_of(student, name):
            self._known.setdefault(key, number)


def _keys_of(student: Student, name: str) -> list[tuple[str, str]]:
    known = map(fold_name, (student.id, student.email, student.login, name))
    return [("id", fold_name(student.id)), *(("known", text) for text in known if text)]


def _free_days(grades: Mapping[int, Grade], assignments: Sequence[Assignment]) -> tuple[int, int] | None:
    banks = {assignment.bank.course: assignment.bank.free for assignment in assignments if assignment.bank}
    used: Counter[tuple[str, str]] = Counter()
    for place, grade in grades.items():
        bank, late = assignments[place].bank, grade.entry.after.late
        if bank and late:
            used |= Counter({(bank.course, assignments[place].book.spec.id): late.free or 0})
    return (used.total(), sum(banks.values())) if banks else None


def _notes(assignments: Sequence[Assignment]) -> Iterator[str]:
    """Say what is unusual about the results as a whole."""
    for assignment in assignments:
        if part := assignment.book.shard:
            yield f"{assignment.label}: only part {part} of the class; `grader merge` puts the parts together"
        if number := assignment.figures["without_score"]:
            yield f"{assignment.label}: {count(number, 'submission')} without a score, in no mean here"


# ---------------------------------------------------------------- what to look at first


HELP_REASONS = (
    "Handed in nothing so far",
    f"Handed in nothing of the last {_MIN_TIMES} assignments",
    "Handed in nothing of the last assignment",
    "Less than half of the points",
    f"The last score is {percent(_FALL)} or more below their own mean before",
)  # the most urgent first


def help_groups(overview: Overview) -> dict[str, list[Row]]:
    """Group those who may need help, each by the most urgent reason; nobody who left is among them."""
    groups: dict[str, list[Row]] = {reason: [] for reason in HELP_REASONS}
    for row in overview.rows:
        missing = [grade_view(grade).state == "missing" for grade in row.grades if grade and not grade.is_excused]
        falls = row.trend is not None and row.trend <= -_FALL
        is_low = row.mean is not None and row.mean < _HALF
        holds = [all(missing), all(missing[-_MIN_TIMES:]), *missing[-1:], is_low, falls]
        if row.is_enrolled and missing and True in holds:
            groups[HELP_REASONS[holds.index(True)]].append(row)
    return {reason: rows for reason, rows in groups.items() if rows}


# ---------------------------------------------------------------- its files, and its lines for the terminal

_FIRST = ("id", "name", "email", "section", "enrolled")
_ABSENT = "not in the class"


def to_course_csv(overview: Overview, _folder: Path) -> bytes:
    """Render a line for each student, with four columns for each assignment."""
    labels = [assignment.label for assignment in overview.assignments]
    columns = [csv_cell(f"{label}{what}") for label in labels for what in ("", " max", " verdict", " late days")]
    after = ("free days used", "free days left") if any(row.free for row in overview.rows) else ()
    rows: list[list[object]] = [[*_FIRST, *columns, "nothing handed in", "mean percent", "trend percent", *after]]
    for row in overview.rows:
        student, pairs = row.student, zip(overview.assignments, row.grades, strict=True)
        who = map(csv_cell, (student.id, student.name, student.email, student.section))
        cells = (cell for pair in pairs for cell in _cells(*pair))
        shares = ("" if share is None else points_text(100 * share) for share in (row.mean, row.trend))
        free = (row.free[0], max(row.free[1] - row.free[0], 0)) if row.free else ()  # for all, or for nobody
        rows.append([*who, "yes" if row.is_enrolled else "no", *cells, row.missing, *shares, *free])
    return to_csv(rows)


def _cells(assignment: Assignment, grade: Grade | None) -> tuple[str, str, str, str]:
    if grade is None:
        return "", "", _ABSENT, ""
    late = grade.entry.after.late
    days = "" if late is None or grade.entry.path is None else "not known" if not late.submitted else str(late.days)
    return points_text(grade.counted), points_text(assignment.book.max_score), grade_view(grade).outcome, days


def to_course_json(overview: Overview, _folder: Path) -> bytes:
    """Render everything for programs; a score that is not known is null."""
    document = {
        "format": 1,
        "grader": VERSION,
        "assignments": [
            {
                "label": assignment.label,
                "spec": assignment.book.spec.id,
                "title": assignment.book.spec.title,
                "due": assignment.due or None,
                "max_score": assignment.book.max_score,
                "students": sum(len(grade.entry.students) for grade in assignment.book.grades),
                **assignment.figures,
            }
            for assignment in overview.assignments
        ],
        "students": [_student_of(overview, row) for row in overview.rows],
        "needs_help": {why: [one_line(row.student.id) for row in rows] for why, rows in help_groups(overview).items()},
        "notes": [one_line(note) for note in overview.notes],
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _student_of(overview: Overview, row: Row) -> dict[str, Any]:
    grades = {}
    for assignment, grade in zip(overview.assignments, row.grades, strict=True):
        if grade:
            view, free = grade_view(grade), (grade.entry.after.late and grade.entry.after.late.free) or 0
            outcome = {"verdict": view.outcome, "score": grade.counted}
            grades[assignment.label] = {**outcome, "late_days": view.days_late, "free_days": free}
    return {
        "id": one_line(row.student.id),
        "name": one_line(row.student.name),
        "enrolled": row.is_enrolled,
        "mean": row.mean,
        "trend": row.trend,
        "nothing_handed_in": row.missing,
        "late_days": row.late_days,
        "free_days": {"used": row.free[0], "of": row.free[1]} if row.free else None,
        "grades": grades,
    }


def to_course_page(overview: Overview, folder: Path) -> bytes:
    """Render the page; `folder` is where it will lie, for links to the classes' pages beside it."""

    def link_of(assignment: Assignment, grade: Grade | None = None) -> str:
        path = assignment.folder / (f"{grade.folder}/feedback.html" if grade else "index.html")
        return quote(os.path.relpath(path, folder)) if path.is_file() else ""

    return fill_in(
        "course.html",
        "".join(map(read_asset, ("page.css", "class.css", "course.css"))),
        **_facts_of(overview),
        absent=_ABSENT,
        link_of=link_of,
        days_late=partial(count, noun="day"),
    )


def course_lines(overview: Overview) -> list[str]:
    """Render the overview for the terminal: who needs help first, then a line for each assignment."""
    lines = fill_in(
        "course.txt",
        **_facts_of(overview),
        width=max((len(one_line(assignment.label, NAME_LIMIT)) for assignment in overview.assignments), default=0),
        spent=[row for row in overview.rows if row.free and row.free[0] >= row.free[1]],
    )
    return lines.decode().splitlines()


def _facts_of(overview: Overview) -> dict[str, Any]:
    """Return what the page and the terminal show of a course, and what they write it with."""
    return {
        **WRITERS,
        "title": f"{count(len(overview.assignments), 'assignment')}, {count(len(overview.rows), 'student')}",
        "overview": overview,
        "help": help_groups(overview),
        "student_names": lambda rows: [student_in_words(row.student) or "(no name)" for row in rows],
    }


COURSE_FORMATS: dict[str, Callable[[Overview, Path], bytes]] = {
    "course.csv": to_course_csv,
    "course.json": to_course_json,
    "course.html": to_course_page,
}  # the file's name -> what renders it
