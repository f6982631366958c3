"""All assignments of a course, side by side: who handed in what, scores, late days, trends.

It is made of results that are there already, so nothing is run. Assignments are in the order of their due dates, then
of their ids. A student is the same person over assignments by the id, or else by the e-mail address or the login; a
roster of the course names everybody in one way. What is not graded is no zero: it counts in no mean.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from grader.core.deviations.table import DEVIATION_MEANINGS
from grader.core.model.gradebook import Grade, Gradebook, Student
from grader.core.model.report import Verdict
from grader.core.report.view import own_deviations
from grader.core.text import capital, count, one_line, percent
from grader.decisions.late_days import LateBank, stored_bank
from grader.people.people import Roster, fold_name
from grader.people.uploads import list_files
from grader.results.attention import ToTeach, to_teach
from grader.results.statistics import clusters_of
from grader.results.store import read_store, results_of
from grader.results.view import grade_view

ROSTER_FACT = "roster"  # the name of the fact in the store, whether a class was graded with one
_LESSONS = 3  # mistakes of one assignment that are worth a lesson
_HABITS = 8
_MIN_TIMES = 2
_FALL, _HALF = 0.2, 0.5  # share of the points by which somebody falls, and below which somebody may need help
_ENDINGS = {
    Verdict.CRASHED: "The program crashes.",
    Verdict.TIMEOUT: "The program does not end in time.",
    Verdict.MEMORY: "The program needs too much memory.",
    Verdict.BUILD_FAILED: "The program cannot be built.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """The results of one assignment."""

    label: str  # its id; where two have the same one, with the folder of the results
    folder: Path
    book: Gradebook
    due: str  # in UTC as ISO 8601 has it; empty when it is not known
    bank: LateBank | None
    has_roster: bool = True  # whether the class was graded with a roster, so that it lists everybody
    lessons: tuple[ToTeach, ...] = ()

    @property
    def handed_in(self) -> int:
        """How many handed in."""
        return sum(grade_view(grade).was_handed_in for grade in self.book.grades)

    @property
    def shares(self) -> list[float]:
        """The shares of the points of all who have a score."""
        return [share for grade in self.book.grades if (share := grade_view(grade).share) is not None]

    @property
    def mean(self) -> float | None:
        """The mean share of the points; None while nothing is graded."""
        return fmean(self.shares) if self.shares else None

    @property
    def median(self) -> float | None:
        """The median share of the points; None while nothing is graded."""
        return median(self.shares) if self.shares else None

    @property
    def late(self) -> int:
        """How many submissions are late."""
        return sum(bool(grade.entry.after.late and grade.entry.after.late.days) for grade in self.book.grades)

    @property
    def without_score(self) -> int:
        """How many handed in and have no score: ungraded, in doubt, not readable or not graded yet."""
        return sum(
            one.share is None and one.state not in {"excused", "missing"} for one in map(grade_view, self.book.grades)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One student over all assignments."""

    student: Student
    grades: tuple[Grade | None, ...]  # one for each assignment; None where the student was not in the class
    is_enrolled: bool  # whether the roster, or else the last class that has one, still has the student
    free: tuple[int, int] | None  # free late days used, and how many there are; None where the course has none

    @property
    def shares(self) -> list[float | None]:
        """The share of the points in each assignment; None where there is no score."""
        return [grade_view(grade).share if grade else None for grade in self.grades]

    @property
    def mean(self) -> float | None:
        """The mean share of the points, over the assignments with a score and those with nothing handed in."""
        known = [share for share in self.shares if share is not None] + [0.0] * self.missing
        return fmean(known) if known else None

    @property
    def missing(self) -> int:
        """In how many assignments nothing was handed in."""
        return sum(grade is not None and grade_view(grade).state == "missing" for grade in self.grades)

    @property
    def late_days(self) -> int:
        """How many days late, over all assignments."""
        return sum(grade.entry.after.late.days for grade in self.grades if grade and grade.entry.after.late)

    @property
    def trend(self) -> float | None:
        """By how much the last score is above the mean of those before; None with fewer than two scores."""
        known = [share for share in self.shares if share is not None]
        return known[-1] - fmean(known[:-1]) if len(known) > 1 else None


class Habit(NamedTuple):
    """A deviation that students show in several assignments."""

    meaning: str
    students: int
    assignments: tuple[str, ...]


class Overview(NamedTuple):
    """A course."""

    assignments: tuple[Assignment, ...]
    rows: tuple[Row, ...]
    habits: tuple[Habit, ...]
    notes: tuple[str, ...]


def read_assignments(folders: Sequence[Path]) -> list[Assignment]:
    """Read the results in `folders`, in the order of the due dates; raises UsageError for a folder without a store."""
    found = []
    for folder in folders:
        with read_store(folder / "grades.db") as store:
            about, book = store.about(), results_of(store).book
        found.append(
            Assignment(
                label=book.spec.id,
                folder=folder,
                book=book,
                due=min((grade.entry.after.due for grade in book.grades if grade.entry.after.due), default=""),
                bank=stored_bank(about),
                has_roster=bool(about.get(ROSTER_FACT)),
                lessons=tuple(to_teach(book, clusters_of(book))[:_LESSONS]),
            )
        )
    ids = Counter(one.label for one in found)
    found = [one if ids[one.label] == 1 else replace(one, label=f"{one.label} ({one.folder.name})") for one in found]
    return sorted(found, key=lambda one: (not one.due, one.due, one.book.spec.id, one.folder.name))


def overview_of(assignments: Sequence[Assignment], roster: Roster | None = None) -> Overview:
    """Put the assignments side by side."""
    people = _People(roster)
    cells: dict[int, dict[int, Grade]] = {number: {} for number in range(people.on_roster)}
    notes = []
    for place, one in enumerate(assignments):
        for number, grade in people.in_class(one.book):
            row = cells.setdefault(number, {})
            if place in row:
                first, last = (one_line(found.entry.id) for found in (row[place], grade))
                notes.append(f"{one.label}: {people.students[number].id} is in {first} and {last}; {last} counts here")
            row[place] = grade
    assignments, strangers = _without_strangers(assignments, cells, people.on_roster)
    rows = [
        Row(
            student=people.students[number],
            grades=tuple(grades.get(place) for place in range(len(assignments))),
            is_enrolled=number < people.on_roster if people.on_roster else _is_enrolled(grades, assignments),
            free=_free_days(grades, assignments),
        )
        for number, grades in cells.items()
    ]
    rows.sort(key=lambda row: fold_name(row.student.id))
    notes += [*strangers, *_notes(assignments, rows)]
    return Overview(tuple(assignments), tuple(rows), tuple(_habits(assignments)), tuple(notes))


def _without_strangers(
    assignments: Sequence[Assignment], cells: dict[int, dict[int, Grade]], on_roster: int
) -> tuple[list[Assignment], list[str]]:
    """Take the work of those out whom no roster has, each a number of `cells`, and say whose it is."""
    for number, grades in list(cells.items()):
        if number >= on_roster and all(grade.entry.is_unknown for grade in grades.values()):
            del cells[number]
    kept, notes = [], []
    for place, one in enumerate(assignments):
        mine = {grades[place].entry.id for grades in cells.values() if place in grades}
        others = [grade.entry.id for grade in one.book.grades if grade.entry.is_unknown and grade.entry.id not in mine]
        known = tuple(grade for grade in one.book.grades if grade.entry.id not in others)
        kept.append(replace(one, book=replace(one.book, grades=known)))
        if others:
            what = f"{count(len(others), 'submission')} of nobody on the roster, left out here"
            notes.append(f"{one.label}: {what}: {list_files(others)}")
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
        """Yield the grades of a class, each with the number of its student."""
        pairs = [(student, grade) for grade in book.grades for student in grade.entry.students]
        taken: dict[int, str] = {}
        for student, grade in sorted(pairs, key=lambda pair: ("id", fold_name(pair[0].id)) not in self._known):
            number = self._number_of(student, taken)
            taken[number] = fold_name(student.id)
            yield number, grade

    def _number_of(self, student: Student, taken: Mapping[int, str]) -> int:
        """Return the number of a student; of a new one, the next. What a later class knows better is taken over.

        What identifies somebody may be another's id: the numbers that are `taken` are those of others in one class.
        """
        id_ = fold_name(student.id)
        numbers = map(self._known.get, _keys_of(student, student.name if self.on_roster else ""))
        found = next((one for one in numbers if one is not None and taken.get(one, id_) == id_), len(self.students))
        if found == len(self.students):
            self.students.append(student)
        elif found >= self.on_roster and not self.students[found].name:
            self.students[found] = student if student.name else self.students[found]
        self._learn(found, student)
        return found

    def _learn(self, number: int, student: Student, name: str = "") -> None:
        for key in _keys_of(student, name):
            self._known.setdefault(key, number)


def _keys_of(student: Student, name: str) -> list[tuple[str, str]]:
    known = map(fold_name, (student.id, student.email, student.login, name))
    return [("id", fold_name(student.id)), *(("known", text) for text in known if text)]


def _is_enrolled(grades: Mapping[int, Grade], assignments: Sequence[Assignment]) -> bool:
    """Whether a student is still in the class, without a roster of the course: in the last assignment with a roster."""
    whole = [place for place, one in enumerate(assignments) if one.has_roster]
    if not whole:
        return True
    last = assignments[whole[-1]].book.spec.id  # there may be several results of it, such as one for each section
    return any(assignments[place].book.spec.id == last or place > whole[-1] for place in grades)


def _free_days(grades: Mapping[int, Grade], assignments: Sequence[Assignment]) -> tuple[int, int] | None:
    banks = {one.bank.course: one.bank.free for one in assignments if one.bank}
    used: Counter[tuple[str, str]] = Counter()
    for place, grade in grades.items():
        bank, late = assignments[place].bank, grade.entry.after.late
        if bank and late:
            used |= Counter({(bank.course, assignments[place].book.spec.id): late.free or 0})
    return (used.total(), sum(banks.values())) if banks else None


def _notes(assignments: Sequence[Assignment], rows: Sequence[Row]) -> Iterator[str]:
    """Say what is unusual about the results as a whole."""
    for one in assignments:
        if one.book.shard:
            yield f"{one.label}: only part {one.book.shard} of the class; `grader merge` puts the parts together"
        if one.without_score:
            yield f"{one.label}: {count(one.without_score, 'submission')} without a score, in no mean here"
    if len({one.bank.course for one in assignments if one.bank}) > 1:
        yield "these assignments have several grader.yaml with free late days, each a bank of its own"
    for row in rows:
        if row.free and row.free[0] > row.free[1]:
            yield (
                f"{row.student.id} has taken {row.free[0]} of {row.free[1]} free late days, since two classes know "
                "this student by different ids; grade them with one roster"
            )


# ---------------------------------------------------------------- what to look at first


def _habits(assignments: Sequence[Assignment]) -> list[Habit]:
    """Return what the same students get wrong in several assignments, most students first."""
    seen: dict[str, defaultdict[str, set[str]]] = {}
    for one in assignments:
        for grade in one.book.grades:
            for case in (case for test in (grade.report.tests if grade.report else ()) for case in test.cases):
                kinds = [deviation.kind for deviation in own_deviations(case) if deviation.kind != "wrong"]
                for kind in (*([case.verdict] if case.verdict in _ENDINGS else []), *kinds):
                    for student in grade.entry.students:
                        seen.setdefault(kind, defaultdict(set))[fold_name(student.id)].add(one.label)
    meanings = {str(verdict): text for verdict, text in _ENDINGS.items()}
    found = []
    for kind, labels_of in seen.items():
        again = [labels for labels in labels_of.values() if len(labels) >= _MIN_TIMES]
        if len(again) >= _MIN_TIMES:
            where = tuple(one.label for one in assignments if one.label in set().union(*again))
            meaning = meanings.get(kind) or capital(DEVIATION_MEANINGS[kind])
            found.append(Habit(meaning, len(again), where))
    return sorted(found, key=lambda habit: -habit.students)[:_HABITS]


HELP_REASONS = (
    "Handed in nothing so far",
    f"Handed in nothing of the last {_MIN_TIMES} assignments",
    "Handed in nothing of the last assignment",
    "Less than half of the points",
    f"The last score is {percent(_FALL)} or more below their own mean before",
)  # the most urgent first


def reasons_for_help(row: Row) -> str:
    """Return why a student may need help, the most urgent reason alone; empty for the others and who left."""
    missing = [grade_view(grade).state == "missing" for grade in row.grades if grade and not grade.is_excused]
    if not row.is_enrolled or not missing:
        return ""
    falls = row.trend is not None and row.trend <= -_FALL
    is_low = row.mean is not None and row.mean < _HALF
    holds = (all(missing), all(missing[-_MIN_TIMES:]), missing[-1], is_low, falls)
    return next((reason for reason, does in zip(HELP_REASONS, holds, strict=True) if does), "")


def help_groups(overview: Overview) -> dict[str, list[Row]]:
    """Group those who may need help by reason."""
    groups = {reason: [row for row in overview.rows if reasons_for_help(row) == reason] for reason in HELP_REASONS}
    return {reason: rows for reason, rows in groups.items() if rows}
