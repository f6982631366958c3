"""Fill the column of grades in a file that a platform exported, and change nothing else.

The file goes back to the platform, so quotes, blanks, line ends, the byte-order mark and all other cells stay as they
were. A filled cell keeps its quotes. So the file is parsed here: `csv` and clevercsv do not say which cells had quotes.

If a student fits two rows, or two students fit one row, none is filled in, and a message says so: a grade in a
stranger's row is worse than a missing grade.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from grader.core.errors import UsageError
from grader.core.model.gradebook import Student
from grader.core.model.report import fraction
from grader.core.text import count_points, one_line, points
from grader.exports.request import Exported, Request, Template
from grader.people.people import PlatformRow, find_rows, index_rows, platform_number
from grader.people.platforms import check_numbers
from grader.results.view import GradeView

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DELIMITERS = (",", ";", "\t")
_DECIMAL_NUMBER = re.compile(r"-?[0-9][0-9.,]*")
_AMBIGUOUS_NUMBER = re.compile(r"-?[1-9][0-9]{0,2},[0-9]{3}")
_QUOTED_CELL = re.compile(r'"([^"]*(?:""[^"]*)*)"')

CellPlace = tuple[int, int]
"""row and column, from 0"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvTable:
    """The cells of a file as written, including quotes."""

    name: str
    mark: bytes
    delimiter: str
    rows: tuple[tuple[str, ...], ...]
    ends: tuple[str, ...]
    """the line end of each row"""

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
    unsure: Sequence[tuple[Student, Sequence[int]]]
    """a student who fits several rows, or none"""
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
            continue
        if view.grade.counted is None:
            how = "" if excused else ", which this file cannot say: the row stays as it was; exclude it on the platform"
            messages.append(f"{view.name} in row {row + 1} is excused{how}")
            changes |= {(row, column): excused} if excused else {}
            continue
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
