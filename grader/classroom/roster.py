"""Who is in the class: a CSV file with a header, by hand or as Canvas, Moodle, Gradescope or GitHub Classroom have it.

Which column means what is in `COLUMNS`, letter case, `_` and `-` aside. Further columns are allowed, and told. Mistakes
are told all at once, with their lines: a student lost here would be lost to the gradebook.
"""

import csv
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from io import StringIO
from pathlib import Path

from grader.errors import UsageError
from grader.model.gradebook import Student
from grader.text import listed, one_line

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": (
        "sis user id",  # before Canvas's own id: it is the one that a university knows
        "id",
        "student id",
        "sid",
        "student number",
        "id number",
        "roster identifier",
        "identifier",
    ),
    "name": ("name", "full name", "student name", "student"),
    "first": ("first name", "firstname", "given name"),
    "last": ("last name", "lastname", "surname", "family name"),
    "email": ("email", "email address", "e mail", "mail"),
    "login": ("login", "login id", "sis login id", "github username", "username", "user name"),
    "folder": ("folder", "submission", "student repository name"),
    "team": ("team", "team name", "group", "group name"),
    "section": ("section", "sections"),
    "role": ("role",),
}
"""What a column means -> how it may be called; the first one with something in it counts."""

STUDENT_ROLES = ("", "student", "learner")
_MOST_BYTES = 16 * 2**20
_MOST_NAMED = 8
_SEPARATORS = ",;\t"
_NO_STUDENTS = ("points possible", "student, test")
"""what Canvas adds as lines: the points, and the student of its test view"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A line of the roster."""

    student: Student
    line: int
    team: str = ""
    folder: str = ""
    """the name of what they handed in; empty when that is to be found out"""
    sort_name: str = ""
    """last name and first name, where the roster keeps them apart"""
    numbers: tuple[str, ...] = ()
    """by which a platform knows them"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """The members of a class, in the order of the file, and sentences on what was not used of it."""

    members: tuple[Member, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _RosterLine:
    """A line's cells, by what their columns are called."""

    line: int
    cells: Mapping[str, str]

    def get(self, meaning: str) -> str:
        """Return the first cell with something in it that has this meaning."""
        return next((cell for name in COLUMNS[meaning] if (cell := self.cells.get(name, ""))), "")


def read_roster(path: Path) -> Roster:
    """Read a roster; raises UsageError with every mistake in it and its line."""
    shown = one_line(path.name)
    header, lines = _read_rows(_read_text(path, shown), shown)
    names = [_column_name(cell) for cell in header]
    problems = list(_header_problems(names))
    if problems:
        raise UsageError("\n".join(f"{shown}:1: {problem}" for problem in problems))
    rows = [_RosterLine(line=line, cells=dict(zip(names, cells, strict=False))) for line, cells in lines]
    rows = [row for row in rows if any(row.get(meaning) for meaning in COLUMNS)]
    rows = [row for row in rows if row.get("name").casefold() not in _NO_STUDENTS]
    members = tuple(_member_of_line(row, names) for row in rows if row.get("role").casefold() in STUDENT_ROLES)
    others = [row for row in rows if row.get("role").casefold() not in STUDENT_ROLES]
    wide = [
        (line, f"has {len(cells)} cells, and the header {len(header)}: a comma in a cell wants quotes around it")
        for line, cells in lines
        if any(cells[len(header) :])
    ]
    mistakes = sorted([*wide, *_mistakes_of(members)])
    if mistakes:
        raise UsageError("\n".join(f"{shown}:{line}: this line {message}" for line, message in mistakes))
    if not members:
        raise UsageError(f"{shown}: there is no student in this roster, only a header")
    notes = list(_on_columns(header, names, shown))
    if others:
        roles = listed([f"line {row.line} ({one_line(row.get('role'))})" for row in others], most=_MOST_NAMED)
        notes.append(f"{shown}: these are no students: {roles}")
    return Roster(members=members, notes=tuple(notes))


def _read_text(path: Path, shown: str) -> str:
    """Read the file, as UTF-8 unless it cannot be: spreadsheets also write UTF-16 and Latin-1."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"the roster {one_line(str(path))} cannot be read: {error.strerror}") from error
    if len(data) > _MOST_BYTES:
        raise UsageError(f"{shown}: more than {_MOST_BYTES // 2**20} MiB are no roster")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            unassigned = b"\x81\x8d\x8f\x90\x9d"  # of the 256, those that Windows' own code page has not
            text = data.decode("latin-1" if any(byte in data for byte in unassigned) else "cp1252")
    if "\0" in text:
        raise UsageError(f"{shown}: this is no CSV file: export the roster as CSV")
    return unicodedata.normalize("NFC", text)


def _read_rows(text: str, shown: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the header's cells, and those of every line with its number; blanks around a cell are none of it."""
    rows = list(StringIO(text, newline=""))
    skipped = 1 if rows and rows[0].lower().startswith("sep=") else 0
    head = next(filter(str.strip, rows[skipped:]), "")
    separator = max(_SEPARATORS, key=lambda sign: len(next(csv.reader([head], delimiter=sign), [])))
    reader = csv.reader(rows[skipped:], delimiter=separator, strict=True)
    found: list[tuple[int, list[str]]] = []
    before = 0
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                found.append((before + skipped + 1, [" ".join(cell.split()) for cell in cells]))
            before = reader.line_num
    except csv.Error as error:
        raise UsageError(f"{shown}:{reader.line_num + skipped}: this is not CSV: {error}") from error
    if not found:
        raise UsageError(f"{shown}: the roster is empty: its first line names the columns, such as id,name,email")
    return found[0][1], found[1:]


def _column_name(name: str) -> str:
    return " ".join(re.split(r"[\s_-]+", name.casefold().strip()))


def _header_problems(names: Sequence[str]) -> Iterator[str]:
    known = {name for group in COLUMNS.values() for name in group}
    for name in sorted({name for name in names if name in known and names.count(name) > 1}):
        yield f"two columns are called {name!r}; rename one"
    if not any(name in names for meaning in ("id", "login", "email") for name in COLUMNS[meaning]):
        shown = ", ".join(map(one_line, names[:_MOST_NAMED]))
        yield f"no column tells the students' ids; call one of them id (the columns are: {shown})"


def _member_of_line(row: _RosterLine, names: Sequence[str]) -> Member:
    has_ids = any(name in names for name in COLUMNS["id"])
    login, email = row.get("login"), row.get("email")
    first, last = row.get("first"), row.get("last")
    # Canvas's own export has its number beside the university's id; Moodle writes it as "Participant 123".
    canvas = [row.cells.get("id", "")] if "sis user id" in row.cells or "sis login id" in row.cells else []
    moodle = re.fullmatch(r"participant ([0-9]+)", row.get("id"), re.IGNORECASE)
    return Member(
        student=Student(
            id=row.get("id") if has_ids else login or email,
            name=spoken(row.get("name")) or f"{first} {last}".strip(),
            email=email,
            login=login,
            section=row.get("section"),
        ),
        line=row.line,
        team=row.get("team"),
        folder=row.get("folder"),
        sort_name=f"{last} {first}".strip(),
        numbers=(*canvas, moodle[1]) if moodle else tuple(canvas),
    )


def spoken(written: str) -> str:
    """Return a name as it is spoken: Canvas exports "Doe, Alice"."""
    last, comma, first = written.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() and "," not in first else written


def _mistakes_of(members: Sequence[Member]) -> Iterator[tuple[int, str]]:
    ids: dict[str, Member] = {}
    folders: dict[str, Member] = {}
    teams: dict[str, Member] = {}
    for member in members:
        name = member.student.id
        if not name:
            yield member.line, f"has no id ({one_line(member.student.name or member.student.email) or 'and no name'})"
        elif (other := ids.setdefault(name.casefold(), member)) is not member:
            yield member.line, f"has the id {one_line(name)} of line {other.line}; every student has an id of their own"
        if member.team:
            other = teams.setdefault(member.team.casefold(), member)
            if other.team != member.team:
                names = f"{one_line(member.team)}, and line {other.line} {one_line(other.team)}"
                yield member.line, f"has the team {names}; write it in one way"
        if member.folder:
            other = folders.setdefault(member.folder, member)
            if other is not member and (not member.team or other.team != member.team):
                yield member.line, f"has the folder {one_line(member.folder)} of line {other.line}; are they a team?"
    for name, member in teams.items():
        if name in ids and ids[name].team != member.team:
            yield member.line, f"has a team with the id of line {ids[name].line}, {one_line(member.team)}; rename it"


def _on_columns(header: Sequence[str], names: Sequence[str], shown: str) -> Iterator[str]:
    known = [name for group in COLUMNS.values() for name in group]
    unused = [written for written, name in zip(header, names, strict=True) if name and name not in known]
    if not unused:
        return
    columns = listed(list(map(one_line, unused)), most=_MOST_NAMED)
    meant = [(name, close) for name in unused for close in get_close_matches(_column_name(name), known, 1, 0.8)]
    hint = "".join(f"; did you mean {close!r} by {one_line(name)}?" for name, close in meant[:1])
    yield f"{shown}: these columns are not used: {columns}{hint}"
