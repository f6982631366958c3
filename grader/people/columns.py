"""CSV files of people and platforms: one table of what their columns are called, and one reader of their rows."""

import csv
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from io import StringIO
from pathlib import Path

from msgspec import Struct

from grader.core.errors import UsageError
from grader.core.reader.files import read_data
from grader.core.text import one_line

PARTICIPANT = re.compile(r"(?:participant|participante|teilnehmer(?:/in)?) ?([0-9]+)", re.IGNORECASE)
"""Moodle's number for a student, as its worksheet has it"""
_MAX_BYTES = 16 * 2**20


@cache
def column_names() -> Mapping[str, Sequence[str]]:
    """Return a meaning -> the names of its columns, as `column_name` returns them; the first with a text counts."""
    return dict(read_data(Path(__file__).with_name("columns.yaml")))


def column_name(header: str) -> str:
    """Return a header in the form of the table: letter case, `_`, `-` and a full stop at the end do not matter."""
    return " ".join(re.split(r"[\s_-]+", header.casefold().replace("\u2019", "'").strip())).rstrip(".")


class CsvRow(Struct, frozen=True, kw_only=True):
    """A line's cells, by the names of their columns."""

    line: int
    cells: Mapping[str, str]
    extra: tuple[str, ...] = ()  # cells behind the last column

    def every(self, *meanings: str) -> list[str]:
        """Return the cells with these meanings that are not empty, in the order of the table."""
        return [cell for meaning in meanings for name in column_names()[meaning] if (cell := self.cells.get(name, ""))]

    def get(self, meaning: str) -> str:
        """Return the first cell with this meaning that is not empty."""
        return next(iter(self.every(meaning)), "")

    @property
    def name(self) -> str:
        """The name as it is spoken."""
        return spoken_name(self.get("name")) or f"{self.get('first')} {self.get('last')}".strip()

    @property
    def number(self) -> str:
        """Moodle's number of the participant; empty where there is none."""
        match = next(filter(None, map(PARTICIPANT.fullmatch, self.every("id"))), None)
        return match[1] if match else ""


def spoken_name(written: str) -> str:
    """Return a name as it is spoken: Canvas exports "Doe, Alice"."""
    last, comma, first = written.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() and "," not in first else written


class CsvFile(Struct, frozen=True, kw_only=True):
    """A CSV file: its header as written, the names of its columns in the form of the table, and its lines."""

    header: Sequence[str]
    names: Sequence[str]
    rows: Sequence[CsvRow]

    def has(self, *meanings: str) -> bool:
        """Whether there is a column with one of these meanings."""
        return any(name in self.names for meaning in meanings for name in column_names()[meaning])


def read_csv(path: Path) -> CsvFile:
    """Read a CSV file in any usual encoding; blanks around cells are stripped. Raises UsageError for another file."""
    shown = one_line(path.name)
    lines = list(StringIO(_read_text(path, shown), newline=""))
    if lines and lines[0].lower().startswith("sep="):
        lines[0] = "\n"
    head = next(filter(str.strip, lines), "")
    separator = max(",;\t", key=lambda sign: len(next(csv.reader([head], delimiter=sign), [])))
    reader, line = csv.reader(lines, delimiter=separator, strict=True), 1
    table: list[tuple[int, list[str]]] = []
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                table.append((line, [" ".join(cell.split()) for cell in cells]))
            line = reader.line_num + 1
    except csv.Error as error:
        raise UsageError(f"{shown}:{reader.line_num}: this is not CSV: {error}") from error
    if not table:
        raise UsageError(f"{shown}: the roster is empty: its first line names the columns, such as id,name,email")
    (_, header), *rows = table
    names = list(map(column_name, header))
    cut = len(names)
    lines_of = (CsvRow(line=at, cells=dict(zip(names, row, strict=False)), extra=tuple(row[cut:])) for at, row in rows)
    return CsvFile(header=header, names=names, rows=tuple(lines_of))


def read_bounded(path: Path, most: int, what: str) -> bytes:
    """Read a file that somebody named; raises UsageError where it cannot be, or is too large to be what it should."""
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise UsageError(f"{one_line(str(path))} cannot be read: {error.strerror}") from error
    if len(data) > most:
        raise UsageError(f"{one_line(path.name)}: more than {most // 2**20} MiB are no {what}")
    return data


def _read_text(path: Path, shown: str) -> str:
    """Read the file, as UTF-8 unless it cannot be: spreadsheets also write UTF-16 and Latin-1."""
    data = read_bounded(path, _MAX_BYTES, "roster")
    try:
        text = data.decode("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    if "\0" in text:
        raise UsageError(f"{shown}: this is no CSV file: export the roster as CSV")
    return unicodedata.normalize("NFC", text)
