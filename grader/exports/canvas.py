"""Fill one column of a gradebook that Canvas exported (app/models/gradebook_importer.rb of canvas-lms).

Canvas matches a column by the number in its header, and creates a new assignment for an unknown header. So a column is
never added here: the exported file must already contain `Title (12345)`. Only scores are filled in, and `EX` for the
excused, as Canvas writes it. The cells of ungraded and missing submissions stay, and of those whom Canvas excused.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.exports.filling import CsvTable, fill_column, format_columns, pick_column, read_table, to_number
from grader.exports.request import Exported, Request
from grader.people.names import CANVAS
from grader.people.people import PlatformRow

_ASSIGNMENT = re.compile(r"(?P<title>.*\S)\s*\((?P<number>\d+)\)\s*", re.DOTALL)
_POINTS_ROW = "Points Possible"
_IGNORED_CELL = re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE)
_EXCUSED = "ex"


class _Columns(NamedTuple):
    """The columns of the gradebook, by meaning; `names` is the name, or first and last name."""

    names: tuple[int, ...]
    number: int
    ids: tuple[int, ...]
    section: int


def to_canvas(request: Request) -> Exported:
    """Fill the assignment's column."""
    table = read_table(request.template)
    head = _find_head(table)
    points_row = next((row for row in range(1, len(table.rows)) if _POINTS_ROW in table.value(row, 0)), None)
    column = _find_column(table, head, points_row, request.assignment)
    written = "" if points_row is None else table.value(points_row, column).strip()
    possible = to_number(written)
    if written and possible is None:
        raise UsageError(f"{table.name} has '{one_line(written)}' points possible: that is no number, or may be two")
    return fill_column(
        request,
        table,
        _rows_with_people(table, head),
        CANVAS,
        column=column,
        possible=possible,
        numbers=[column, *range(head.section + 1, len(table.rows[0]))],
        excused=_EXCUSED.upper(),
        keep=lambda row: "is excused" if table.value(row, column).strip().casefold() == _EXCUSED else "",
    )


def _find_head(table: CsvTable) -> _Columns:
    """Find the columns that identify the student; Canvas refuses a file without them."""
    cells = [cell.strip() for cell in table.values(0)]
    split = cells[:2] == ["LastName", "FirstName"]
    first = 2 if split else 1
    section = next((column for column, cell in enumerate(cells) if column > first and "Section" in cell), None)
    if not (split or "Student" in cells[0]) or section is None or "ID" not in cells[first]:
        raise UsageError(
            f"{table.name} is no gradebook of Canvas: it starts with {format_columns(cells[:5])}, "
            "and Student, ID and Section are wanted; export it in Canvas, Grades, Export"
        )
    ids = tuple(column for column in range(first + 1, section) if re.search(r"SIS|Integration", cells[column]))
    return _Columns(names=(1, 0) if split else (0,), number=first, ids=ids, section=section)


def _find_column(table: CsvTable, head: _Columns, points_row: int | None, wanted: str) -> int:
    """Find the assignment's column by header, title or number."""
    columns = {
        column: found
        for column, cell in enumerate(table.values(0))
        if column > head.section and (found := _ASSIGNMENT.fullmatch(cell))
        if points_row is None or "read only" not in table.value(points_row, column)
    }
    headers = [found[0] for found in columns.values()]
    if not wanted:
        raise UsageError(f"name the assignment with --assignment; {table.name} has {format_columns(headers)}")
    fitting = (
        [column for column, found in columns.items() if found[0].strip() == wanted.strip()],
        [column for column, found in columns.items() if wanted.strip() in {found["title"], found["number"]}],
    )
    column = pick_column(table, wanted, fitting, headers)
    if column is None:
        there = format_columns(headers)
        raise UsageError(f"{table.name} has no column '{wanted}'; there are {there}. No column is ever added")
    return column


def _rows_with_people(table: CsvTable, head: _Columns) -> Iterator[PlatformRow]:
    for row in range(1, len(table.rows)):
        cells = table.values(row)
        if _POINTS_ROW in cells[0] or all(_IGNORED_CELL.fullmatch(cell) for cell in cells):
            continue
        yield PlatformRow(
            row=row,
            number=table.value(row, head.number),
            ids=tuple(table.value(row, column) for column in head.ids),
            name=" ".join(table.value(row, column) for column in head.names),
        )
