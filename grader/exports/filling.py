"""What it takes to put grades into a gradebook's column, whichever platform's it is.

Where somebody may have two rows, or two people one, nobody is graded: a grade in a stranger's row is worse than one
that is not there, and those who are left out are told.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from grader.classroom.people import PlatformRow, find_rows, index_rows, platform_number
from grader.errors import UsageError
from grader.exports.request import Exported, Request, is_ungraded, standing
from grader.exports.reread import fraction
from grader.exports.table import CellPlace, CsvTable, to_number
from grader.model.gradebook import Grade, Student
from grader.text import one_line, points


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """The rows of those who have a grade, and a sentence for everybody who has one and no row, or none by our fault."""

    grades: Mapping[int, Grade]
    left_out: tuple[str, ...]


def match_rows(request: Request, people: Iterable[PlatformRow], platform: str) -> Matched:
    """Find the row of every student with a grade."""
    index = index_rows(people)
    left_out: list[str] = []
    unmatched: list[str] = []
    claims = defaultdict[int, list[tuple[Grade, Student]]](list)
    for grade in request.book.grades:
        if is_ungraded(grade) or (grade.record is None and grade.entry.path is not None):
            left_out.append(f"{one_line(grade.entry.id)} is left as it was: {standing(grade)}")
        elif grade.record is not None:
            for student in grade.entry.students:
                rows = find_rows(index, student, platform_number(grade.entry, platform))
                if len(rows) == 1:
                    claims[rows[0]].append((grade, student))
                else:
                    unmatched.append(f"{_called(student)} has a grade and {_unfound(rows)}")
    for row, several in claims.items():
        if len(several) > 1:
            names = " and ".join(_called(student) for _, student in several)
            unmatched.append(f"{names} both fit row {row + 1}, which stays as it was: tell them apart in the roster")
    grades = {row: claim[0][0] for row, claim in sorted(claims.items()) if len(claim) == 1}
    return Matched(grades=grades, left_out=(*left_out, *unmatched))


def _unfound(rows: list[int]) -> str:
    if not rows:
        return "no row in the file: look at the id, login, address and name"
    return f"fits rows {', '.join(str(row + 1) for row in rows)}, which stay as they were"


def _called(student: Student) -> str:
    return one_line(f"{student.name} ({student.id})" if student.name else student.id)


def scaling(request: Request, possible: Fraction | None, column: str) -> tuple[Fraction, tuple[str, ...]]:
    """Return what grades are multiplied by, and what is to be known about it; UsageError when nobody has said so."""
    most = fraction(request.book.max_score)
    if possible is None:
        if request.scale:
            raise UsageError(f"'{one_line(column)}' does not say how many points there are, so nothing can be scaled")
        return Fraction(1), (f"the file does not say how many points there are; grades are of {points(most)}",)
    if possible == most:
        return Fraction(1), ()
    if not request.scale:
        raise UsageError(
            f"'{one_line(column)}' has {points(possible)} points and the assignment {points(most)}: "
            "change one of them, or use --scale to convert the grades"
        )
    if not most or possible <= 0:
        raise UsageError(f"grades of {points(most)} points cannot be scaled to {points(possible)}")
    return possible / most, (f"grades of {points(most)} points are scaled to {points(possible)}",)


def grade_text(grade: Grade, factor: Fraction, mark: str) -> str:
    """Write a grade as the file writes numbers; empty when there is none."""
    score = grade.record.score if grade.record else None
    return "" if score is None else points(fraction(score) * factor).replace(".", mark)


def fill_column(
    table: CsvTable,
    matched: Matched,
    *,
    column: int,
    factor: Fraction,
    mark: str,
    notes: tuple[str, ...] = (),
    kept: Callable[[int], str] = lambda row: "",  # noqa: ARG005 - nothing is kept
    refused: Callable[[int, Fraction], str] = lambda row, grade: "",  # noqa: ARG005 - nothing is refused
    further: Callable[[int, Grade], Mapping[CellPlace, str]] = lambda row, grade: {},  # noqa: ARG005 - nothing further
) -> Exported:
    """Write the grades: `kept` says why a cell is left alone, `refused` why the platform would not take the grade."""
    changes: dict[CellPlace, str] = {}
    left_out, told, others = list(matched.left_out), list(notes), 0
    for row, grade in matched.grades.items():
        text, name = grade_text(grade, factor, mark), one_line(grade.entry.id)
        value = to_number(text)
        if value is None:
            continue
        if why := refused(row, value):
            left_out.append(f"{name} with {text} in row {row + 1} is left as it was: {why}")
        elif why := kept(row):
            told.append(f"{name} in row {row + 1} stays as it was: {why}")
        else:
            before = to_number(table.value(row, column))
            others += before is not None and before != value
            changes |= {(row, column): text, **further(row, grade)}
    filled = sum(place[1] == column for place in changes)
    header = one_line(table.value(0, column))
    told.append(f"column '{header}': {filled} filled in, {others} of them in place of another grade")
    return Exported(content=table.filled(changes), left_out=tuple(left_out), notes=tuple(told))
