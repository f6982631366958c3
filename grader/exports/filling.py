"""What it takes to put grades into a gradebook's column, whichever platform's it is."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from grader.errors import UsageError
from grader.exports.people import Matched
from grader.exports.request import Exported, Request
from grader.exports.table import Place, Table, to_number
from grader.model.gradebook import Grade
from grader.model.report import fraction
from grader.text import one_line, points


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
    score = grade.report.score if grade.report else None
    return "" if score is None else points(fraction(score) * factor).replace(".", mark)


def fill(
    table: Table,
    matched: Matched,
    *,
    column: int,
    factor: Fraction,
    mark: str,
    notes: tuple[str, ...] = (),
    kept: Callable[[int], str] = lambda row: "",  # noqa: ARG005 - nothing is kept
    refused: Callable[[int, Fraction], str] = lambda row, grade: "",  # noqa: ARG005 - nothing is refused
    further: Callable[[int, Grade], Mapping[Place, str]] = lambda row, grade: {},  # noqa: ARG005 - nothing further
) -> Exported:
    """Write the grades: `kept` says why a cell is left alone, `refused` why the platform would not take the grade."""
    changes: dict[Place, str] = {}
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
