"""A CSV file that somebody else wrote, of which a few cells change and nothing else does.

A gradebook goes back where it came from, so quotes, blanks, line ends and the byte-order mark stay as they were, and so
does every cell that is not filled in. A cell that is, keeps the quotes that it had.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.errors import UsageError
from grader.exports.request import Template
from grader.text import one_line

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DELIMITERS = (",", ";", "\t")
_DECIMAL = re.compile(r"-?[0-9][0-9.,]*")
_QUOTED_CELL = re.compile(r'"([^"]*(?:""[^"]*)*)"')

CellPlace = tuple[int, int]
"""row and column, from 0"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvTable:
    """The cells of a file as they are written, quotes and all."""

    name: str
    mark: bytes
    delimiter: str
    rows: tuple[tuple[str, ...], ...]
    ends: tuple[str, ...]
    """what ends each row"""

    def value(self, row: int, column: int) -> str:
        """Return what a cell says; nothing where a row is too short."""
        return _cell_value(self.rows[row][column]) if column < len(self.rows[row]) else ""

    def values(self, row: int) -> list[str]:
        """Return what the cells of a row say."""
        return [_cell_value(raw) for raw in self.rows[row]]

    def filled(self, changes: Mapping[CellPlace, str]) -> bytes:
        """Write the file with other values in some cells."""
        rows = [list(row) for row in self.rows]
        for (row, column), value in changes.items():
            rows[row] += [""] * (column + 1 - len(rows[row]))
            rows[row][column] = self._raw(value, rows[row][column])
        lines = (self.delimiter.join(row) + end for row, end in zip(rows, self.ends, strict=True))
        return self.mark + "".join(lines).encode()

    def _raw(self, value: str, before: str) -> str:
        quoted = before.startswith('"') or any(sign in value for sign in (self.delimiter, '"', "\n", "\r"))
        return '"' + value.replace('"', '""') + '"' if quoted else value


def read_table(template: Template) -> CsvTable:
    """Read a CSV file with its header; UsageError when it is none."""
    mark = _BYTE_ORDER_MARK if template.content.startswith(_BYTE_ORDER_MARK) else b""
    try:
        text = template.content.removeprefix(mark).decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{template.name} is not UTF-8: export it again, and do not save it in between") from error
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=lambda sign: len(_first_row(first, sign)))
    lines = list(_split_rows(text, delimiter))
    if not lines:
        raise UsageError(f"{template.name} is empty: name the file that the platform exported")
    for number, (row, _) in enumerate(lines, 1):
        if any(raw.startswith('"') and not _QUOTED_CELL.match(raw) for raw in row):
            raise UsageError(f"{template.name}: in row {number} a quote is opened and not closed; export it again")
    return CsvTable(
        name=template.name,
        mark=mark,
        delimiter=delimiter,
        rows=tuple(row for row, _ in lines),
        ends=tuple(end for _, end in lines),
    )


def decimal_mark(table: CsvTable, columns: Sequence[int]) -> str:
    """Find out how the file writes decimal numbers: by those in it, else by what stands between its cells."""
    for row in range(1, len(table.rows)):
        for column in columns:
            text = table.value(row, column).strip()
            if _DECIMAL.fullmatch(text) and (found := re.findall(r"[.,]", text)):
                return str(found[-1])
    return "," if table.delimiter == ";" else "."


def to_number(text: str) -> Fraction | None:
    """Read a number with either decimal mark; what stands before the last one groups digits. None when it is none."""
    text = text.strip()
    if not _DECIMAL.fullmatch(text):
        return None
    whole, _, rest = text.replace(",", ".").rpartition(".")
    return Fraction(f"{whole.replace('.', '')}.{rest or 0}" if whole else rest)


def list_columns(names: Sequence[str]) -> str:
    """Name columns in a message."""
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


def _first_row(line: str, delimiter: str) -> tuple[str, ...]:
    return next((row for row, _ in _split_rows(line, delimiter)), ())


def _cell_value(raw: str) -> str:
    match = _QUOTED_CELL.match(raw)
    return match[1].replace('""', '"') + raw[match.end() :] if match else raw
