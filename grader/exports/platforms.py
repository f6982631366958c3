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
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from grader.core.errors import UsageError
from grader.core.model.report import fraction
from grader.core.report.plain import in_short
from grader.core.report.view import describe_final
from grader.core.text import count_points, one_line, points
from grader.exports.request import Exported, Request, Template
from grader.people.columns import column_name, column_names
from grader.people.names import CANVAS, MOODLE
from grader.people.people import PlatformRow, find_rows, index_rows, platform_number
from grader.people.uploads import check_numbers
from grader.results.view import GradeView

_DECIMAL_NUMBER = re.compile(r"-?[0-9][0-9.,]*")
_AMBIGUOUS_NUMBER = re.compile(r"-?[1-9][0-9]{0,2},[0-9]{3}")
_QUOTED_CELL = re.compile(r'"([^"]*(?:""[^"]*)*)"')
_ASSIGNMENT = re.compile(r"(?P<title>.*\S)\s*\((?P<number>\d+)\)\s*", re.DOTALL)
_POINTS_ROW = "Points Possible"
_EXCUSED = "EX"
YES = {"yes", "ja", "oui", "sí", "sim"}  # values of a cell that says that a grade can be changed
DEFAULT_MAX_POINTS = 100  # points above which a gradebook refuses a grade, unless the site has `unlimitedgrades`
OUR_COMMENT = "Graded by grader: "  # the start of a comment by grader; a comment by a person is never replaced
_ITEM = re.compile(r"(?:[^:]+: )?(?P<title>.+?)(?: \([^()]*\))?", re.DOTALL)
_FEEDBACK = re.compile(r"^\s*feedback:|\(feedback\)\s*$", re.IGNORECASE)
_ColumnsByKind = Mapping[str, Sequence[int]]
CellPlace = tuple[int, int]  # row and column, from 0


class CsvTable(NamedTuple):
    """The cells of a file as written, including quotes."""

    name: str
    mark: str  # a byte order mark, or nothing
    delimiter: str
    rows: tuple[tuple[str, ...], ...]
    ends: tuple[str, ...]  # the line end of each row

    def value(self, row: int, column: int) -> str:
        """Return the value of a cell; empty where the row is too short."""
        raw = self.rows[row][column] if column < len(self.rows[row]) else ""
        match = _QUOTED_CELL.match(raw)
        return match[1].replace('""', '"') + raw[match.end() :] if match else raw

    def values(self, row: int, columns: Iterable[int] | None = None) -> list[str]:
        """Return the values of the cells of a row, all of them or those in these columns."""
        return [self.value(row, column) for column in (range(len(self.rows[row])) if columns is None else columns)]

    def filled(self, changes: Mapping[CellPlace, str]) -> bytes:
        """Write the file with other values in some cells."""
        rows = [list(row) for row in self.rows]
        for (row, column), value in changes.items():
            rows[row] += [""] * (column + 1 - len(rows[row]))
            quoted = rows[row][column].startswith('"') or {self.delimiter, *'"\n\r'} & {*value}
            rows[row][column] = '"' + value.replace('"', '""') + '"' if quoted else value
        lines = (self.delimiter.join(row) + end for row, end in zip(rows, self.ends, strict=True))
        return (self.mark + "".join(lines)).encode()


def read_table(template: Template | None) -> CsvTable:
    """Parse a CSV file with its header; raises UsageError when it is invalid, or None was given."""
    if template is None:
        raise UsageError("name the file that the platform exported, which is filled in, with --template FILE")
    try:
        content = template.content.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{template.name} is not UTF-8: export it again, and do not save it in between") from error
    text = content.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=lambda sign: len(next(_split_rows(first, sign), ((), ""))[0]))
    lines = list(_split_rows(text, delimiter))
    if not lines:
        raise UsageError(f"{template.name} is empty: name the file that the platform exported")
    for number, (row, _) in enumerate(lines, 1):
        if any(raw.startswith('"') and not _QUOTED_CELL.match(raw) for raw in row):
            raise UsageError(f"{template.name}: in row {number} a quote is opened and not closed; export it again")
    rows, ends = zip(*lines, strict=True)
    return CsvTable(template.name, content[: len(content) - len(text)], delimiter, rows, ends)


def decimal_mark(table: CsvTable, columns: Sequence[int]) -> str:
    """Detect the decimal mark of the file: from its numbers, else from its delimiter."""
    cells = (cell.strip() for row in range(1, len(table.rows)) for cell in table.values(row, columns))
    marks = (re.findall("[.,]", cell) for cell in cells if _DECIMAL_NUMBER.fullmatch(cell))
    return next((str(match[-1]) for match in marks if match), "," if table.delimiter == ";" else ".")


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


def _pick_column(table: CsvTable, wanted: str, items: Mapping[int, tuple[str, Collection[str]]]) -> int:
    """Return the column with this header, else with this as another name; raises UsageError for several, or none."""
    exact = [column for column, (header, _) in items.items() if header.strip() == wanted.strip()]
    columns = exact or [column for column, (_, names) in items.items() if wanted.strip() in names]
    headers = list_columns([header for header, _ in items.values()])
    if not wanted:
        raise UsageError(f"name the assignment with --assignment; {table.name} has {headers}")
    if len(columns) > 1:
        raise UsageError(f"{table.name} has several columns '{wanted}'; name one of {headers}")
    if not columns:
        raise UsageError(f"{table.name} has no column '{wanted}'; there are {headers}. No column is ever added")
    return columns[0]


def list_columns(names: Sequence[str]) -> str:
    """Format the names of columns for a message."""
    return ", ".join(f"'{one_line(name)}'" for name in names) or "none"


def _split_rows(text: str, delimiter: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Split a text into rows of cells, each with its line end; a quoted cell may contain line ends."""
    unquoted = rf"[^{delimiter}\r\n]*"
    cell = re.compile(rf"(?P<raw>{_QUOTED_CELL.pattern}{unquoted}|{unquoted})(?P<end>{delimiter}|\r\n|\n|\r|\Z)")
    place, row = 0, list[str]()
    while (place < len(text) or row) and (match := cell.match(text, place)):
        row.append(match["raw"])
        place = match.end()
        if match["end"] != delimiter:
            yield tuple(row), match["end"]
            row = []


def claim_rows(
    request: Request, people: Collection[PlatformRow], platform: str, views: Iterable[GradeView]
) -> tuple[dict[int, GradeView], list[str], list[str]]:
    """Return certain rows with whose they are, sentences on who has none, and notes; UsageError for a foreign file."""
    entries = [grade.entry for grade in request.book.grades]
    index = index_rows(people, [student for entry in entries for student in entry.students])
    file = one_line(request.template.name) if request.template else ""
    notes = [*check_numbers((platform_number(entry, platform) for entry in entries), index.numbers, file)]
    claims = defaultdict[int, list[tuple[GradeView, str]]](list)
    doubts: list[str] = []
    for view in views:
        for student in view.grade.entry.students:
            rows = find_rows(index, student, platform_number(view.grade.entry, platform))
            who = one_line(f"{student.name} ({student.id})" if student.name else student.id)
            if len(rows) == 1:
                claims[rows[0]].append((view, who))
            else:
                fits = f"fits rows {', '.join(str(row + 1) for row in rows)}, which stay as they were"
                fits = fits if rows else "no row in the file: look at the id, login, address and name"
                doubts.append(f"{who} has a grade and {fits}")
    for row, claimants in sorted(claims.items()):
        if len(claimants) > 1:
            names = " and ".join(who for _, who in claimants)
            doubts.append(f"{names} both fit row {row + 1}, which stays as it was: tell them apart in the roster")
    return {row: pairs[0][0] for row, pairs in sorted(claims.items()) if len(pairs) == 1}, doubts, notes


def _scale(request: Request, possible: Fraction | None, column: str) -> tuple[Fraction, str]:
    """Return the factor for grades, and a note on it; raises UsageError if scaling is needed but not requested."""
    most = fraction(request.book.max_score)
    if possible is None:
        if request.scale:
            raise UsageError(f"'{one_line(column)}' does not say how many points there are, so nothing can be scaled")
        return Fraction(1), f"the file does not say how many points there are; grades are of {points(most)}"
    if possible == most:
        return Fraction(1), ""
    if not request.scale:
        difference = f"'{one_line(column)}' has {count_points(possible)} and the assignment {points(most)}"
        raise UsageError(f"{difference}: change one of them, or use --scale to convert the grades")
    if not most or possible <= 0:
        raise UsageError(f"grades of {count_points(most)} cannot be scaled to {points(possible)}")
    return possible / most, f"grades of {count_points(most)} are scaled to {points(possible)}"


def fill_column(
    request: Request,
    table: CsvTable,
    people: Collection[PlatformRow],
    platform: str,
    *,
    column: int,
    possible: Fraction | None,
    numbers: Sequence[int],
    note: str = "",
    excused: str = "",
    refused: Callable[[int, Fraction], str] = lambda *_: "",
    further: Callable[[int, GradeView], Mapping[CellPlace, str]] = lambda *_: {},
) -> Exported:
    """Fill in the grades of the people in the rows; `possible` are the file's own points, if it says them.

    `numbers` are columns that show the decimal mark, `refused` returns why the platform would refuse the grade.
    `excused` is what the platform writes for an excused student, whose cell stays; empty where it has no word for that.
    """
    factor, scaled = _scale(request, possible, table.value(0, column))
    most, mark = fraction(request.book.max_score) * factor, decimal_mark(table, numbers)
    views = request.views
    graded = [view for view in views if view.state in ("scored", "excused")]
    rows, doubts, notes = claim_rows(request, people, platform, graded)
    left_out = [*(f"{view.name} is left as it was: {view.reason}" for view in views if view.awaits_grade), *doubts]
    unreadable = [f"{view.name} is left as it was: {view.reason}" for view in views if view.state == "unreadable"]
    messages = [*filter(None, (scaled, note)), *notes, *unreadable]
    changes: dict[CellPlace, str] = {}
    filled = replaced = 0
    for row, view in rows.items():
        written = points(fraction(view.grade.counted or 0) * factor, most)
        grade, text = Fraction(written), written.replace(".", mark)
        if view.grade.counted is None:
            how = "" if excused else ", which this file cannot say: the row stays as it was; exclude it on the platform"
            messages.append(f"{view.name} in row {row + 1} is excused{how}")
            changes |= {(row, column): excused} if excused else {}
        elif why := refused(row, grade):
            left_out.append(f"{view.name} with {text} in row {row + 1} is left as it was: {why}")
        elif excused and table.value(row, column).strip().upper() == excused:
            messages.append(f"{view.name} in row {row + 1} stays as it was: is excused")
        else:
            filled += 1
            replaced += to_number(table.value(row, column)) not in (None, grade)
            changes |= {(row, column): text, **further(row, view)}
    header = one_line(table.value(0, column))
    messages.append(f"column '{header}': {filled} filled in, {replaced} of them in place of another grade")
    return Exported(content=table.filled(changes), left_out=tuple(left_out), notes=tuple(messages))


def to_canvas(request: Request) -> Exported:
    """Fill the assignment's column."""
    table = read_table(request.template)
    section, people = _read_gradebook(table)
    points_row = next((row for row in range(1, len(table.rows)) if _POINTS_ROW in table.value(row, 0)), None)
    items = {
        column: (cell, {match["title"], match["number"]})
        for column, cell in enumerate(table.values(0))
        if column > section and (match := _ASSIGNMENT.fullmatch(cell))
        if points_row is None or "read only" not in table.value(points_row, column)
    }
    column = _pick_column(table, request.assignment, items)
    written = "" if points_row is None else table.value(points_row, column).strip()
    possible = to_number(written)
    if written and possible is None:
        raise UsageError(f"{table.name} has '{one_line(written)}' points possible: that is no number, or may be two")
    numbers = [column, *range(section + 1, len(table.rows[0]))]
    fill = partial(fill_column, numbers=numbers, excused=_EXCUSED)
    return fill(request, table, people, CANVAS, column=column, possible=possible)


def _read_gradebook(table: CsvTable) -> tuple[int, list[PlatformRow]]:
    """Return the column behind which the assignments are, and the students; Canvas refuses a file without them."""
    head = [cell.strip() for cell in table.values(0)]
    split = head[:2] == ["LastName", "FirstName"]
    names, number = ((1, 0), 2) if split else ((0,), 1)
    section = next((column for column, cell in enumerate(head) if column > number and "Section" in cell), None)
    if not (split or "Student" in head[0]) or section is None or "ID" not in head[number]:
        problem = f"it starts with {list_columns(head[:5])}, and Student, ID and Section are wanted"
        raise UsageError(f"{table.name} is no gradebook of Canvas: {problem}; export it in Canvas, Grades, Export")
    ids = [column for column in range(number + 1, section) if re.search(r"SIS|Integration", head[column])]
    return section, [
        _person(table, row, table.value(row, number), ids, names)
        for row in range(1, len(table.rows))
        if _POINTS_ROW not in table.value(row, 0)
    ]


def _person(table: CsvTable, row: int, number: str, ids: Iterable[int], names: Iterable[int]) -> PlatformRow:
    name = " ".join(table.values(row, names))
    return PlatformRow(row=row, number=number, ids=tuple(table.values(row, ids)), name=name)


def to_moodle(request: Request) -> Exported:
    """Fill the grade's column, and in a worksheet the comments."""
    table, columns, people = read_participants(request)
    column, maximum = _grade_column(table, columns, request), columns["maximum"]
    cells = {cell for row in range(1, len(table.rows)) if any(table.rows[row]) for cell in table.values(row, maximum)}
    points_there = {to_number(text) for text in cells}
    if len(points_there) > 1 or None in points_there:
        there = list_columns(sorted(cells))
        raise UsageError(f"{table.name} has several maximum grades, or none that is a number: {there}")
    most = next(iter(points_there), None)
    numbers = [*maximum, column, *range(len(table.rows[0]))]
    note = f"Moodle refuses the whole file for one grade above {DEFAULT_MAX_POINTS}, unless its site allows them"
    note = note if not maximum and request.book.max_score > DEFAULT_MAX_POINTS else ""

    def refused(row: int, grade: Fraction) -> str:
        if any(cell.strip().casefold() not in YES for cell in table.values(row, columns["changeable"])):
            return "Moodle does not let it be changed"
        is_skipped = most is not None and grade > most
        return f"it is above the maximum of {points(most or 0)}, and Moodle would skip it" if is_skipped else ""

    def further(row: int, view: GradeView) -> Mapping[CellPlace, str]:
        texts = {at: table.value(row, at).strip() for at in columns["feedback"]}
        comments = [at for at, was in texts.items() if not was or was.startswith(OUR_COMMENT)]
        return dict.fromkeys(((row, at) for at in comments), _comment(request, view) if comments else "")

    fill = partial(fill_column, note=note, refused=refused, further=further)
    return fill(request, table, people, MOODLE, column=column, possible=most, numbers=numbers)


def _comment(request: Request, view: GradeView) -> str:
    """Write a comment as HTML: the points, and a sentence for every test that lost some."""
    if view.grade.report:
        lines = in_short(view.report, after_due=view.after_due)
    else:
        lines = describe_final(view.grade.final, request.book.max_score, None)
    return OUR_COMMENT + "<br>".join(map(html.escape, lines))


def read_participants(request: Request) -> tuple[CsvTable, _ColumnsByKind, list[PlatformRow]]:
    """Read a worksheet or a gradebook: its columns by meaning, which the request may name, and the students in it."""
    table = read_table(request.template)
    headers = table.values(0)
    names = list(map(column_name, headers))
    columns = {kind: [at for at, name in enumerate(names) if name in known] for kind, known in column_names().items()}
    for kind, header in request.columns.items():
        if header not in headers:
            raise UsageError(f"{table.name} has no column '{header}'; there are {list_columns(headers)}")
        columns["identifier" if kind == "id" else kind] = [headers.index(header)]
    columns["name"] = columns["name"] or [*columns["first"], *columns["last"]]
    columns["person"] = [*columns["identifier"], *columns["id"], *columns["email"], *columns["login"]]
    people = []
    for row in (row for row in range(1, len(table.rows)) if any(table.rows[row])):
        numbers = [re.search(r"\d+\s*$", cell) for cell in table.values(row, columns["identifier"])]
        number = next((match[0] for match in numbers if match), "")
        people.append(_person(table, row, number, columns["person"], columns["name"]))
    return table, columns, people


def _grade_column(table: CsvTable, columns: _ColumnsByKind, request: Request) -> int:
    """Find the column to fill: the named one, the worksheet's, or that of the assignment in a gradebook."""
    if "grade" in request.columns or (columns["identifier"] and len(columns["grade"]) == 1 and not request.assignment):
        return columns["grade"][0]
    headers = table.values(0)
    if not request.assignment:
        advice = "name the columns with --id-column and --grade-column, or for a gradebook the assignment"
        unknown = f"{table.name} is no grading worksheet in a language that is known"
        raise UsageError(f"{unknown}: {advice} with --assignment; there are {list_columns(headers)}")
    people = {at for kind in ("person", "name", "first", "last") for at in columns[kind]}
    items = {column: header for column, header in enumerate(headers) if column not in people}
    # `Queens` is `Assignment: Queens (Real)`; a column of feedback is no such item.
    titles = {column: _ITEM.fullmatch("" if _FEEDBACK.search(cell) else cell.strip()) for column, cell in items.items()}
    known = {column: (items[column], [match["title"]] if match else []) for column, match in titles.items()}
    return _pick_column(table, request.assignment, known)
