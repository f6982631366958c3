"""Fill one column of a file that Canvas or Moodle exported.

Canvas's gradebook (app/models/gradebook_importer.rb of canvas-lms): a column is matched by the number in its header,
and an unknown header creates a new assignment. So a column is never added: the exported file must already contain
`Title (12345)`. Only scores are filled in, and `EX` for the excused, as Canvas writes it. The cells of ungraded and
missing submissions stay, and of those whom Canvas excused.

Moodle's grading worksheet (mod/assign/feedback/offline): `Grade` is filled in, and `Feedback comments` where they are
empty or our own. Its columns have headers in the course's language. Moodle silently skips a grade above the maximum,
and one that cannot be changed; grader reports those. Moodle's gradebook (grade/import/csv) is imported with the columns
chosen on the page. A single value that is no number, or a single unknown person, aborts the whole import.
"""

import html
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from grader.core.errors import UsageError
from grader.core.report.final_score import describe_final
from grader.core.report.plain import in_short
from grader.core.text import one_line, points
from grader.exports.filling import CellPlace, CsvTable, fill_column, list_columns, pick_column, read_table, to_number
from grader.exports.request import Exported, Request
from grader.people.columns import COLUMNS, column_name
from grader.people.names import CANVAS, MOODLE
from grader.people.people import PlatformRow
from grader.results.view import GradeView

_ASSIGNMENT = re.compile(r"(?P<title>.*\S)\s*\((?P<number>\d+)\)\s*", re.DOTALL)
_POINTS_ROW = "Points Possible"
_IGNORED_CELL = re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE)
_EXCUSED = "ex"
YES = {"yes", "ja", "oui", "sí", "sim"}
"""values of a cell that says that a grade can be changed"""
DEFAULT_MAX_POINTS = 100
"""points above which a gradebook refuses a grade, unless the site has `unlimitedgrades`"""
OUR_COMMENT = "Graded by grader: "
"""the start of a comment by grader; a comment by a person is never replaced"""
COMMENT_LIMIT = 60
"""lines of a comment"""

_ITEM = re.compile(r"(?:[^:]+: )?(?P<title>.+?)(?: \([^()]*\))?", re.DOTALL)
_FEEDBACK = re.compile(r"^\s*feedback:|\(feedback\)\s*$", re.IGNORECASE)
_ColumnsByKind = Mapping[str, tuple[int, ...]]


# ---------------------------------------------------------------- Canvas


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
            f"{table.name} is no gradebook of Canvas: it starts with {list_columns(cells[:5])}, "
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
        raise UsageError(f"name the assignment with --assignment; {table.name} has {list_columns(headers)}")
    fitting = (
        [column for column, found in columns.items() if found[0].strip() == wanted.strip()],
        [column for column, found in columns.items() if wanted.strip() in {found["title"], found["number"]}],
    )
    return pick_column(table, wanted, fitting, headers, ". No column is ever added")


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


# ---------------------------------------------------------------- Moodle


def to_moodle(request: Request) -> Exported:
    """Fill the grade's column, and in a worksheet the comments."""
    table = read_table(request.template)
    columns = _find_columns(table, request)
    column = _grade_column(table, columns, request)
    maximum = columns["maximum"]
    found = {table.value(row, one) for one in maximum for row in range(1, len(table.rows)) if any(table.rows[row])}
    numbers = {to_number(text) for text in found}
    if len(numbers) > 1 or None in numbers:
        there = list_columns(sorted(found))
        raise UsageError(f"{table.name} has several maximum grades, or none that is a number: {there}")
    is_above = not maximum and request.book.max_score > DEFAULT_MAX_POINTS
    above = f"Moodle refuses the whole file for one grade above {DEFAULT_MAX_POINTS}, unless its site allows them"

    def refused(row: int, grade: Fraction) -> str:
        if any(table.value(row, one).strip().casefold() not in YES for one in columns["changeable"]):
            return "Moodle does not let it be changed"
        most = next((to_number(table.value(row, one)) for one in maximum), None)
        is_refused = most is not None and grade > most
        return f"it is above the maximum of {points(most)}, and Moodle would skip it" if is_refused and most else ""

    def further(row: int, view: GradeView) -> Mapping[CellPlace, str]:
        texts = {one: table.value(row, one).strip() for one in columns["feedback"]}
        comments = [one for one, was in texts.items() if not was or was.startswith(OUR_COMMENT)]
        return dict.fromkeys(((row, one) for one in comments), _comment(request, view) if comments else "")

    return fill_column(
        request,
        table,
        _participants(table, columns),
        MOODLE,
        column=column,
        possible=next(iter(numbers), None),
        numbers=[*maximum, column, *range(len(table.rows[0]))],
        note=above if is_above else "",
        refused=refused,
        further=further,
    )


def _comment(request: Request, view: GradeView) -> str:
    """Write a comment as HTML: the points, and a sentence for every test that lost some."""
    if view.grade.report:
        lines = in_short(view.report, after_due=view.after_due)
    else:
        lines = describe_final(view.grade.final, request.book.max_score, None)
    if len(lines) > COMMENT_LIMIT:
        lines = [*lines[:COMMENT_LIMIT], f"… and {len(lines) - COMMENT_LIMIT} more"]
    return OUR_COMMENT + "<br>".join(html.escape(line) for line in lines)


def read_participants(table: CsvTable, request: Request) -> Iterator[PlatformRow]:
    """Read the rows of a worksheet or a gradebook, with their students."""
    return _participants(table, _find_columns(table, request))


def _find_columns(table: CsvTable, request: Request) -> _ColumnsByKind:
    """Find the columns by meaning, from the known headers or those named in the request."""
    cells = list(map(column_name, table.values(0)))
    found = {
        kind: tuple(column for column, cell in enumerate(cells) if cell in names) for kind, names in COLUMNS.items()
    }
    for kind, header in request.columns.items():
        if header not in table.values(0):
            raise UsageError(f"{table.name} has no column '{header}'; there are {list_columns(table.values(0))}")
        found["identifier" if kind == "id" else kind] = (table.values(0).index(header),)
    return found


def _grade_column(table: CsvTable, columns: _ColumnsByKind, request: Request) -> int:
    """Find the column to fill: the named one, the worksheet's, or that of the assignment in a gradebook."""
    if "grade" in request.columns or (columns["identifier"] and len(columns["grade"]) == 1 and not request.assignment):
        return columns["grade"][0]
    headers = table.values(0)
    people = {*_of_person(columns), *(one for kind in ("identifier", "name", "first", "last") for one in columns[kind])}
    items = {column: header for column, header in enumerate(headers) if column not in people}
    if not request.assignment:
        raise UsageError(
            f"{table.name} is no grading worksheet in a language that is known: name the columns with --id-column and "
            f"--grade-column, or for a gradebook the assignment with --assignment; there are {list_columns(headers)}"
        )
    # `Queens` is `Assignment: Queens (Real)`; a column of feedback is no such item.
    titles = {
        column: match["title"]
        for column, header in items.items()
        if (match := _ITEM.fullmatch(header.strip())) and not _FEEDBACK.search(header)
    }
    fitting = ([column for column, text in texts.items() if text == request.assignment] for texts in (items, titles))
    return pick_column(table, request.assignment, fitting, list(items.values()))


def _of_person(columns: _ColumnsByKind) -> tuple[int, ...]:
    return (*columns["id"], *columns["email"], *columns["login"])


def _participants(table: CsvTable, columns: _ColumnsByKind) -> Iterator[PlatformRow]:
    for row in range(1, len(table.rows)):
        if not any(table.rows[row]):
            continue
        names = columns["name"] or (*columns["first"], *columns["last"])
        numbers = [re.search(r"\d+\s*$", table.value(row, column)) for column in columns["identifier"]]
        yield PlatformRow(
            row=row,
            number=next((found[0] for found in numbers if found), ""),
            ids=tuple(table.value(row, column) for column in (*columns["identifier"], *_of_person(columns))),
            name=" ".join(table.value(row, column) for column in names),
        )
