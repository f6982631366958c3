"""Fill one column of a file that Canvas or Moodle exported, and change nothing else.

The file goes back to the platform, so quotes, blanks, line ends, the byte-order mark and all other cells stay as they
were. A filled cell keeps its quotes. So the file is parsed here: `csv` and clevercsv do not say which cells had quotes.
If a student fits two rows, or two students fit one row, none is filled in, and a message says so: a grade in a
stranger's row is worse than a missing grade.

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
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from grader.core.errors import UsageError
from grader.core.model.gradebook import Student
from grader.core.model.report import fraction
from grader.core.report.plain import in_short
from grader.core.report.view import describe_final
from grader.core.text import count_points, one_line, points
from grader.exports.request import Exported, Request, Template
from grader.people.columns import COLUMNS, column_name
from grader.people.names import CANVAS, MOODLE
from grader.people.people import PlatformRow, find_rows, index_rows, platform_number
from grader.people.platforms import check_numbers
from grader.results.view import GradeView

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DELIMITERS = (",", ";", "\t")
_DECIMAL_NUMBER = re.compile(r"-?[0-9][0-9.,]*")
_AMBIGUOUS_NUMBER = re.compile(r"-?[1-9][0-9]{0,2},[0-9]{3}")
_QUOTED_CELL = re.compile(r'"([^"]*(?:""[^"]*)*)"')
_ASSIGNMENT = re.compile(r"(?P<title>.*\S)\s*\((?P<number>\d+)\)\s*", re.DOTALL)
_POINTS_ROW = "Points Possible"
_IGNORED_CELL = re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE)
_EXCUSED = "ex"
YES = {"yes", "ja", "oui", "sí", "sim"}  # values of a cell that says that a grade can be changed
DEFAULT_MAX_POINTS = 100  # points above which a gradebook refuses a grade, unless the site has `unlimitedgrades`
OUR_COMMENT = "Graded by grader: "  # the start of a comment by grader; a comment by a person is never replaced
COMMENT_LIMIT = 60  # lines of a comment
_ITEM = re.compile(r"(?:[^:]+: )?(?P<title>.+?)(?: \([^()]*\))?", re.DOTALL)
_FEEDBACK = re.compile(r"^\s*feedback:|\(feedback\)\s*$", re.IGNORECASE)
_ColumnsByKind = Mapping[str, tuple[int, ...]]
CellPlace = tuple[int, int]  # row and column, from 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvTable:
    """The cells of a file as written, including quotes."""

    name: str
    mark: bytes
    delimiter: str
    rows: tuple[tuple[str, ...], ...]
    ends: tuple[str, ...]  # the line end of each row

    def value(self, row: int, column: int) -> str:
        """Return the value of a cell; empty where the row is too short."""
        return _cell_value(self.rows[row][column]) if column < len(self.rows[row]) else ""

    def values(self, row: int) -> list[str]:
        """Return the values of the cells of a row."""
        return [_cell_value(raw) for raw in self.rows[row]]

    def filled(self, changes: Mapping[CellPlace, str]) -> bytes:
        """Write the file with other values in some cells."""
        rows = [list(row) for row in self.rows]
        for (row, column), value in changes.items():
            rows[row] += [""] * (column + 1 - len(rows[row]))
            quoted = rows[row][column].startswith('"') or {self.delimiter, *'"\n\r'} & {*value}
            rows[row][column] = '"' + value.replace('"', '""') + '"' if quoted else value
        lines = (self.delimiter.join(row) + end for row, end in zip(rows, self.ends, strict=True))
        return self.mark + "".join(lines).encode()


def read_table(template: Template | None) -> CsvTable:
    """Parse a CSV file with its header; raises UsageError when it is invalid, or None was given."""
    if template is None:
        raise UsageError("name the file that the platform exported with --template")
    mark = _BYTE_ORDER_MARK if template.content.startswith(_BYTE_ORDER_MARK) else b""
    try:
        text = template.content.removeprefix(mark).decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{template.name} is not UTF-8: export it again, and do not save it in between") from error
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=lambda sign: len(next(_split_rows(first, sign), ((), ""))[0]))
    lines = list(_split_rows(text, delimiter))
    if not lines:
        raise UsageError(f"{template.name} is empty: name the file that the platform exported")
    for number, (row, _) in enumerate(lines, 1):
        if any(raw.startswith('"') and not _QUOTED_CELL.match(raw) for raw in row):
            raise UsageError(f"{template.name}: in row {number} a quote is opened and not closed; export it again")
    rows, ends = zip(*lines, strict=True)
    return CsvTable(name=template.name, mark=mark, delimiter=delimiter, rows=rows, ends=ends)


def decimal_mark(table: CsvTable, columns: Sequence[int]) -> str:
    """Detect the decimal mark of the file: from its numbers, else from its delimiter."""
    for row in range(1, len(table.rows)):
        for column in columns:
            text = table.value(row, column).strip()
            if _DECIMAL_NUMBER.fullmatch(text) and (found := re.findall(r"[.,]", text)):
                return str(found[-1])
    return "," if table.delimiter == ";" else "."


def to_number(text: str) -> Fraction | None:
    """Parse a number with either decimal mark; earlier marks group digits. Returns None for anything else.

    `1,000` is also anything else: in English it is a thousand, elsewhere 1.
    """
    text = text.strip()
    if not _DECIMAL_NUMBER.fullmatch(text) or _AMBIGUOUS_NUMBER.fullmatch(text):
        return None
    if max(text.count(","), text.count(".")) > 1 and len({*text} & {*",."}) == 1:
        return Fraction(re.sub("[,.]", "", text))
    whole, _, rest = text.replace(",", ".").rpartition(".")
    return Fraction(f"{whole.replace('.', '')}.{rest or 0}" if whole else rest)


def pick_column(
    table: CsvTable, wanted: str, fitting: Iterable[Sequence[int]], headers: Sequence[str], behind: str = ""
) -> int:
    """Return the column of the first fitting list that is not empty; raises UsageError for several, and for none."""
    columns = next(filter(None, fitting), ())
    if len(columns) > 1:
        raise UsageError(f"{table.name} has several columns '{wanted}'; name one of {list_columns(headers)}")
    if not columns:
        raise UsageError(f"{table.name} has no column '{wanted}'; there are {list_columns(headers)}{behind}")
    return columns[0]


def list_columns(names: Sequence[str]) -> str:
    """Format the names of columns for a message."""
    return ", ".join(f"'{one_line(name)}'" for name in names) or "none"


def _split_rows(text: str, delimiter: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Split a text into the cells of its rows, and what ends each; a quoted cell may have line ends in it."""
    other = rf"[^{delimiter}\r\n]*"
    cell = re.compile(rf"(?P<raw>{_QUOTED_CELL.pattern}{other}|{other})(?P<end>{delimiter}|\r\n|\n|\r|\Z)")
    place, row = 0, list[str]()
    while (place < len(text) or row) and (match := cell.match(text, place)):
        row.append(match["raw"])
        place = match.end()
        if match["end"] != delimiter:
            yield tuple(row), match["end"]
            row = []


def _cell_value(raw: str) -> str:
    match = _QUOTED_CELL.match(raw)
    return match[1].replace('""', '"') + raw[match.end() :] if match else raw


# ---------------------------------------------------------------- who has which row


class Claims(NamedTuple):
    """Whose rows a file has."""

    rows: Mapping[int, Sequence[tuple[GradeView, Student]]]
    """a row -> the students who fit it, in the order of the rows"""
    unsure: Sequence[tuple[Student, Sequence[int]]]  # a student who fits several rows, or none
    notes: Sequence[str]


def claim_rows(request: Request, people: Iterable[PlatformRow], platform: str, views: Iterable[GradeView]) -> Claims:
    """Find the rows of the students of these grades; raises UsageError for a file of another assignment."""
    entries = [grade.entry for grade in request.book.grades]
    index = index_rows(people, [student for entry in entries for student in entry.students])
    file = one_line(request.template.name) if request.template else ""
    notes = [*check_numbers((platform_number(entry, platform) for entry in entries), index.numbers, file)]
    claims = defaultdict[int, list[tuple[GradeView, Student]]](list)
    unsure: list[tuple[Student, Sequence[int]]] = []
    for view in views:
        for student in view.grade.entry.students:
            rows = find_rows(index, student, platform_number(view.grade.entry, platform))
            if len(rows) == 1:
                claims[rows[0]].append((view, student))
            else:
                unsure.append((student, rows))
    return Claims(dict(sorted(claims.items())), unsure, notes)


def _where(rows: Sequence[int]) -> str:
    fits = f"fits rows {', '.join(str(row + 1) for row in rows)}, which stay as they were"
    return fits if rows else "no row in the file: look at the id, login, address and name"


def _describe_student(student: Student) -> str:
    return one_line(f"{student.name} ({student.id})" if student.name else student.id)


# ---------------------------------------------------------------- the grades


def _scale(request: Request, possible: Fraction | None, column: str) -> tuple[Fraction, str]:
    """Return by how much grades are multiplied, and a note on it; raises UsageError if that is needed and not asked."""
    most = fraction(request.book.max_score)
    if possible is None:
        if request.scale:
            raise UsageError(f"'{one_line(column)}' does not say how many points there are, so nothing can be scaled")
        return Fraction(1), f"the file does not say how many points there are; grades are of {points(most)}"
    if possible == most:
        return Fraction(1), ""
    if not request.scale:
        raise UsageError(
            f"'{one_line(column)}' has {count_points(possible)} and the assignment {points(most)}: "
            "change one of them, or use --scale to convert the grades"
        )
    if not most or possible <= 0:
        raise UsageError(f"grades of {count_points(most)} cannot be scaled to {points(possible)}")
    return possible / most, f"grades of {count_points(most)} are scaled to {points(possible)}"


def fill_column(
    request: Request,
    table: CsvTable,
    people: Iterable[PlatformRow],
    platform: str,
    *,
    column: int,
    possible: Fraction | None,
    numbers: Sequence[int],
    note: str = "",
    excused: str = "",
    keep: Callable[[int], str] = lambda row: "",  # noqa: ARG005 - every cell is filled in
    refused: Callable[[int, Fraction], str] = lambda row, grade: "",  # noqa: ARG005 - nothing is refused
    further: Callable[[int, GradeView], Mapping[CellPlace, str]] = lambda row, view: {},  # noqa: ARG005 - nothing
) -> Exported:
    """Fill in the grades of the people in the rows; `possible` are the file's own points, if it says them.

    `numbers` are columns that show the decimal mark. `keep` returns why a cell stays, `refused` why the platform would
    refuse the grade. `excused` is what the platform writes for an excused student; empty where it has no word for that.
    """
    factor, scaled = _scale(request, possible, table.value(0, column))
    most, mark = fraction(request.book.max_score) * factor, decimal_mark(table, numbers)
    views = request.views
    claims = claim_rows(request, people, platform, [one for one in views if one.state in ("scored", "excused")])
    left_out = [f"{view.name} is left as it was: {view.reason}" for view in views if view.awaits_grade]
    unreadable = [f"{view.name} is left as it was: {view.reason}" for view in views if view.state == "unreadable"]
    left_out += [f"{_describe_student(student)} has a grade and {_where(rows)}" for student, rows in claims.unsure]
    messages = [*filter(None, (scaled, note)), *claims.notes, *unreadable]
    changes: dict[CellPlace, str] = {}
    filled = replaced = 0
    for row, ((view, _), *others) in claims.rows.items():
        if others:
            names = " and ".join(_describe_student(student) for _, student in claims.rows[row])
            left_out.append(f"{names} both fit row {row + 1}, which stays as it was: tell them apart in the roster")
        elif view.grade.counted is None:
            how = "" if excused else ", which this file cannot say: the row stays as it was; exclude it on the platform"
            messages.append(f"{view.name} in row {row + 1} is excused{how}")
            changes |= {(row, column): excused} if excused else {}
        else:
            text = points(fraction(view.grade.counted) * factor, most).replace(".", mark)
            value = to_number(text) or Fraction(0)
            if why := refused(row, value):
                left_out.append(f"{view.name} with {text} in row {row + 1} is left as it was: {why}")
            elif why := keep(row):
                messages.append(f"{view.name} in row {row + 1} stays as it was: {why}")
            else:
                filled += 1
                replaced += (before := to_number(table.value(row, column))) is not None and before != value
                changes |= {(row, column): text, **further(row, view)}
    header = one_line(table.value(0, column))
    messages.append(f"column '{header}': {filled} filled in, {replaced} of them in place of another grade")
    return Exported(content=table.filled(changes), left_out=tuple(left_out), notes=tuple(messages))


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
