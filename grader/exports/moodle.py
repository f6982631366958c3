"""Fill in a file that Moodle exported: an assignment's grading worksheet, or the gradebook as a text file.

In the worksheet (mod/assign/feedback/offline), `Grade` is filled in, and `Feedback comments` where they are empty or
our own. Moodle finds its columns by their headers in the course's language. It silently skips a grade above the
maximum, and one that cannot be changed; grader reports those.

The gradebook (grade/import/csv) is imported with the columns chosen on the page. A single value that is no number, or a
single unknown person, aborts the whole import. Both files are written with their own decimal mark.
"""

import html
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from grader.core.errors import UsageError
from grader.core.report.final_score import describe_final
from grader.core.report.plain import in_short
from grader.core.text import points
from grader.exports.filling import (
    CellPlace,
    CsvTable,
    fill_column,
    format_columns,
    pick_column,
    read_table,
    to_number,
)
from grader.exports.request import Exported, Request
from grader.people.names import MOODLE, MOODLE_HEADERS
from grader.people.people import PlatformRow
from grader.results.view import GradeView

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


def to_moodle(request: Request) -> Exported:
    """Fill the grade's column, and in a worksheet the comments."""
    table = read_table(request.template)
    columns = _find_columns(table, request)
    column = _grade_column(table, columns, request)
    maximum = columns["maximum"]
    found = {table.value(row, one) for one in maximum for row in range(1, len(table.rows)) if any(table.rows[row])}
    numbers = {to_number(text) for text in found}
    if len(numbers) > 1 or None in numbers:
        there = format_columns(sorted(found))
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
    cells = [" ".join(cell.casefold().replace("\u2019", "'").split()).rstrip(".") for cell in table.values(0)]
    found = {
        kind: tuple(column for column, cell in enumerate(cells) if cell in names)
        for kind, names in MOODLE_HEADERS.items()
    }
    for kind, header in request.columns.items():
        if header not in table.values(0):
            raise UsageError(f"{table.name} has no column '{header}'; there are {format_columns(table.values(0))}")
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
            f"--grade-column, or for a gradebook the assignment with --assignment; there are {format_columns(headers)}"
        )
    # `Queens` is `Assignment: Queens (Real)`; a column of feedback is no such item.
    titles = {
        column: match["title"]
        for column, header in items.items()
        if (match := _ITEM.fullmatch(header.strip())) and not _FEEDBACK.search(header)
    }
    fitting = ([column for column, text in texts.items() if text == request.assignment] for texts in (items, titles))
    column = pick_column(table, request.assignment, fitting, headers)
    if column is None:
        there = format_columns(list(items.values()))
        raise UsageError(f"{table.name} has no column '{request.assignment}'; there are {there}")
    return column


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
