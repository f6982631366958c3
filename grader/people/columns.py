"""CSV files of people and platforms: one table of what their columns are called, and one reader of their rows."""

import csv
import re
import unicodedata
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path

from msgspec import Struct

from grader.core.errors import UsageError
from grader.core.text import one_line

_IDENTIFIER = "identifier, id, identifiant, identificador"  # in Moodle's worksheet
_COLUMNS = {
    "id": (
        "sis user id, id, student id, sid, student number, id number, id nummer, matrikelnummer, "
        f"numéro d'identification, número de id, roster identifier, {_IDENTIFIER}"
    ),
    "name": "name, student name, student, full name, vollständiger name, nom complet, nombre completo, nome completo",
    "first": "firstname, given name, first name, vorname, prénom, nombre, nome",
    "last": (
        "lastname, family name, last name, surname, nachname, nom de famille, nom, apellido(s), apellidos, sobrenome"
    ),
    "email": (
        "email, e mail, mail, email address, e mail adresse, adresse de courriel, "
        "dirección de correo, endereço de email"
    ),
    "login": (
        "login, login id, sis login id, github username, user name, username, anmeldename, "
        "nom d'utilisateur, nombre de usuario, nome de usuário"
    ),
    "folder": "folder, submission, student repository name",
    "team": "team, team name, group, group name",
    "section": "section, sections",
    "submitted": "submitted, submitted at, submission time",
    "modified": (
        "submission timestamp, last modified (submission), zuletzt geändert (abgabe), "
        "dernière modification (travail remis), dernière modification (remise), "
        "última modificación (entrega), última modificación (envío), última modificação (envio)"
    ),
    "role": "role",
    "identifier": _IDENTIFIER,
    "grade": "grade, bewertung, note, calificación, nota",
    "maximum": "maximum grade, bestwertung, note maximale, calificación máxima, nota máxima",
    "changeable": (
        "grade can be changed, bewertung kann geändert werden, la note peut être modifiée, "
        "la calificación puede cambiarse, la calificación puede ser cambiada, a nota pode ser alterada"
    ),
    "feedback": (
        "feedback comments, feedback als kommentar, feedback par commentaires, "
        "comentarios de retroalimentación, comentários de feedback"
    ),
}  # Canvas's own id is behind the university's
COLUMNS: Mapping[str, Sequence[str]] = {meaning: names.split(", ") for meaning, names in _COLUMNS.items()}
"""a meaning -> the names of its columns, as `column_name` returns them; the first cell that is not empty counts"""

PARTICIPANT = re.compile(r"(?:participant|participante|teilnehmer(?:/in)?) ?([0-9]+)", re.IGNORECASE)
"""Moodle's number for a student, as its worksheet has it"""
_MAX_BYTES = 16 * 2**20


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
        return [cell for meaning in meanings for name in COLUMNS[meaning] if (cell := self.cells.get(name, ""))]

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


def read_csv(path: Path) -> tuple[list[str], list[CsvRow]]:
    """Read a CSV file in any usual encoding: its header, and its lines; blanks around cells are stripped.

    Raises UsageError for a file that is not CSV.
    """
    shown = one_line(path.name)
    lines = list(StringIO(_read_text(path, shown), newline=""))
    skipped = 1 if lines and lines[0].lower().startswith("sep=") else 0
    head = next(filter(str.strip, lines[skipped:]), "")
    separator = max(",;\t", key=lambda sign: len(next(csv.reader([head], delimiter=sign), [])))
    reader = csv.reader(lines[skipped:], delimiter=separator, strict=True)
    table: list[tuple[int, list[str]]] = []
    line = skipped + 1
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                table.append((line, [" ".join(cell.split()) for cell in cells]))
            line = reader.line_num + skipped + 1
    except csv.Error as error:
        raise UsageError(f"{shown}:{reader.line_num + skipped}: this is not CSV: {error}") from error
    if not table:
        raise UsageError(f"{shown}: the roster is empty: its first line names the columns, such as id,name,email")
    (_, header), *rows = table
    names = list(map(column_name, header))
    return header, [
        CsvRow(line=line, cells=dict(zip(names, cells, strict=False)), extra=tuple(cells[len(names) :]))
        for line, cells in rows
    ]


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
