"""Read the roster, and look people up: by a submission's name, by typed text, in a platform's rows.

A roster is a CSV file with a header, by hand or as Canvas, Moodle, Gradescope or GitHub Classroom have it. Which column
means what is in `COLUMNS`, ignoring letter case, `_` and `-`. Further columns are allowed, and listed in a note. All
mistakes are reported at once, with their lines: a student lost here would be lost to the gradebook.

`fold_name` normalises names before they are compared: letter case, blanks and Unicode's several forms of one text do
not matter. If no name is equal, only letters and digits are compared, because platforms drop the rest. The most certain
kind of match takes precedence. If it fits several people, all of them are returned: this module never chooses silently.
"""

import csv
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from io import StringIO
from pathlib import Path

from grader.core.errors import UsageError
from grader.core.model.gradebook import Entry, Grade, Gradebook, Student
from grader.core.text import count, inert, listed, one_line, show
from grader.people.names import BLACKBOARD, CANVAS, MOODLE, MOODLE_HEADERS, Named, bare_name, read_name
from grader.people.times import parse_moment


def _column_name(name: str) -> str:
    return " ".join(re.split(r"[\s_-]+", name.casefold().strip()))


def _moodle(*kinds: str) -> tuple[str, ...]:
    return tuple(_column_name(header) for kind in kinds for header in MOODLE_HEADERS[kind])


COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": (
        "sis user id",  # before Canvas's own id: it is the one that a university knows
        *("id", "student id", "sid", "student number"),
        *(*_moodle("id"), "roster identifier", *_moodle("identifier")),
    ),
    "name": ("name", "student name", "student", *_moodle("name")),
    "first": ("firstname", "given name", *_moodle("first")),
    "last": ("lastname", "family name", *_moodle("last")),
    "email": ("email", "e mail", "mail", *_moodle("email")),
    "login": ("login", "login id", "sis login id", "github username", "user name", *_moodle("login")),
    "folder": ("folder", "submission", "student repository name"),
    "team": ("team", "team name", "group", "group name"),
    "section": ("section", "sections"),
    "submitted": ("submitted", "submitted at", "submission time"),
    "modified": ("submission timestamp", *_moodle("modified")),
    "role": ("role",),
}
"""meaning of a column -> its possible names; the first one that is not empty counts"""

_KNOWN_COLUMNS = tuple(name for group in COLUMNS.values() for name in group)

_OF_PLATFORMS = re.compile(
    r".*\((?:[0-9]+|grade|bewertung|note|calificación|nota)\)|status|github id|root account"
    r"|(?:current|final|unposted current|unposted final) (?:score|grade|points)"
    rf"|{'|'.join(map(re.escape, _moodle('grade', 'maximum', 'changeable', 'feedback')))}"
)
"""columns that Canvas, Moodle and GitHub Classroom add for their own use"""

STUDENT_ROLES = ("", "student", "learner")
_MAX_BYTES = 16 * 2**20
_MAX_REPORT_BYTES = 8
_SEPARATORS = ",;\t"
PARTICIPANT = re.compile(r"(?:participant|participante|teilnehmer(?:/in)?) ?([0-9]+)", re.IGNORECASE)
_NO_STUDENTS = ("points possible", "student, test")
"""lines that Canvas adds: the points, and the student of its test view"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A line of the roster."""

    student: Student
    line: int
    team: str = ""
    folder: str = ""
    """the name of their submission; empty when it has to be looked up"""
    sort_name: str = ""
    """last name and first name, where the roster keeps them apart"""
    numbers: tuple[str, ...] = ()
    """the platform's numbers for them"""
    submitted: str = ""
    """when they handed in, with a zone; empty when the roster has no time"""
    modified: str = ""
    """when they handed in, as a platform wrote it into the roster"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """The members of a class, in the order of the file, and notes on the unused parts of the file."""

    members: tuple[Member, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _RosterLine:
    """A line's cells, by the names of their columns."""

    line: int
    cells: Mapping[str, str]

    def get(self, meaning: str) -> str:
        """Return the first cell with this meaning that is not empty."""
        return next((cell for name in COLUMNS[meaning] if (cell := self.cells.get(name, ""))), "")


def read_roster(path: Path) -> Roster:
    """Read a roster; raises UsageError with every mistake in it and its line."""
    shown = one_line(path.name)
    header, lines = read_csv(path, shown)
    names = [_column_name(cell) for cell in header]
    if problems := _mistakes_of_header(names):
        raise UsageError("\n".join(f"{shown}:1: {problem}" for problem in problems))
    rows = [_RosterLine(line=line, cells=dict(zip(names, cells, strict=False))) for line, cells in lines]
    rows = [row for row in rows if any(row.get(meaning) for meaning in COLUMNS)]
    rows = [row for row in rows if row.get("name").casefold() not in _NO_STUDENTS]
    members = tuple(_member_of_line(row, names) for row in rows if row.get("role").casefold() in STUDENT_ROLES)
    others = [row for row in rows if row.get("role").casefold() not in STUDENT_ROLES]
    mistakes = [*_mistakes_of_width(lines, len(header)), *_mistakes_of(members), *_mistakes_of_times(members)]
    if mistakes := sorted(mistakes):
        raise UsageError("\n".join(f"{shown}:{line}: this line {message}" for line, message in mistakes))
    if not members:
        raise UsageError(f"{shown}: there is no student in this roster, only a header")
    notes = (*_notes_on_columns(header, names), *_notes_on_roles(others))
    return Roster(members=members, notes=tuple(f"{shown}: {note}" for note in notes))


def _notes_on_columns(header: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """Say which columns are not used, and what the first of them with a name like a known one may be meant for."""
    pairs = zip(header, names, strict=True)
    others = [(written, name) for written, name in pairs if name and name not in _KNOWN_COLUMNS]
    unused = [written for written, name in others if not _OF_PLATFORMS.fullmatch(name)]
    if unused:
        columns = listed(list(map(one_line, unused)), most=_MAX_REPORT_BYTES)
        close = ((name, get_close_matches(_column_name(name), _KNOWN_COLUMNS, 1, 0.8)) for name in unused)
        name, meant = next(((name, found[0]) for name, found in close if found), ("", ""))
        hint = f"; did you mean {meant!r} by {one_line(name)}?" if meant else ""
        yield f"these columns are not used: {columns}{hint}"


def _notes_on_roles(others: Sequence[_RosterLine]) -> Iterator[str]:
    if others:
        roles = listed([f"line {row.line} ({one_line(row.get('role'))})" for row in others], most=_MAX_REPORT_BYTES)
        yield f"these are no students: {roles}"


def read_csv(path: Path, shown: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Read a CSV file in any usual encoding: its header, and the cells of each line with its number.

    Blanks around cells are stripped. Raises UsageError for a file that is not CSV; `shown` is its name there.
    """
    return _read_rows(_read_text(path, shown), shown)


def _read_text(path: Path, shown: str) -> str:
    """Read the file, as UTF-8 unless it cannot be: spreadsheets also write UTF-16 and Latin-1."""
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"the roster {one_line(str(path))} cannot be read: {error.strerror}") from error
    if len(data) > _MAX_BYTES:
        raise UsageError(f"{shown}: more than {_MAX_BYTES // 2**20} MiB are no roster")
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
    """Return the header's cells, and those of every line with its number; blanks around cells are stripped."""
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


def _member_of_line(row: _RosterLine, names: Sequence[str]) -> Member:
    has_ids = any(name in names for name in COLUMNS["id"])
    login, email = row.get("login"), row.get("email")
    first, last = row.get("first"), row.get("last")
    # Canvas's own export has its number next to the university's id; Moodle writes it as "Participant 123", also beside
    # an id number.
    canvas = [row.cells.get("id", "")] if "sis user id" in row.cells or "sis login id" in row.cells else []
    ids = [cell for name in COLUMNS["id"] if (cell := row.cells.get(name, ""))]
    moodle = next(filter(None, map(PARTICIPANT.fullmatch, ids)), None)
    ids.sort(key=lambda cell: bool(PARTICIPANT.fullmatch(cell)))
    return Member(
        student=Student(
            id=next(iter(ids), "") if has_ids else login or email,
            name=spoken_name(row.get("name")) or f"{first} {last}".strip(),
            email=email,
            login=login,
            section=row.get("section"),
        ),
        line=row.line,
        team=row.get("team"),
        folder=row.get("folder"),
        sort_name=f"{last} {first}".strip(),
        numbers=(*canvas, moodle[1]) if moodle else tuple(canvas),
        submitted=row.get("submitted"),
        modified=row.get("modified"),
    )


def spoken_name(written: str) -> str:
    """Return a name as it is spoken: Canvas exports "Doe, Alice"."""
    last, comma, first = written.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() and "," not in first else written


def _mistakes_of_header(names: Sequence[str]) -> list[str]:
    twice = sorted({name for name in names if name in _KNOWN_COLUMNS and names.count(name) > 1})
    problems = [f"two columns are called {name!r}; rename one" for name in twice]
    if not any(name in names for meaning in ("id", "login", "email") for name in COLUMNS[meaning]):
        there = ", ".join(map(one_line, names[:_MAX_REPORT_BYTES]))
        problems.append(f"no column tells the students' ids; call one of them id (the columns are: {there})")
    return problems


def _mistakes_of_width(lines: Iterable[tuple[int, Sequence[str]]], width: int) -> Iterator[tuple[int, str]]:
    for line, cells in lines:
        if any(cells[width:]):
            yield (
                line,
                f"has {count(len(cells), 'cell')}, and the header {width}: a comma in a cell wants quotes around it",
            )


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
                where = f"{one_line(member.folder)} of line {other.line}"
                yield member.line, f"has the folder {where}; if they are a team, name it in the column team"
    for name, member in teams.items():
        if name in ids and ids[name].team != member.team:
            yield member.line, f"has a team with the id of line {ids[name].line}, {one_line(member.team)}; rename it"


def _mistakes_of_times(members: Sequence[Member]) -> Iterator[tuple[int, str]]:
    """Yield the lines with invalid times, or with two times for one team."""
    teams: dict[str, tuple[Member, str]] = {}
    for member in members:
        if not member.submitted:
            continue
        try:
            time = parse_moment(member.submitted).instant
        except ValueError as error:
            yield member.line, f"does not tell when it was submitted: {error}"
            continue
        other, before = teams.setdefault(member.team.casefold(), (member, time)) if member.team else (member, time)
        if before != time:
            yield member.line, f"has another time of submission than line {other.line}, of the same team"


# ---------------------------------------------------------------- what somebody goes by


def fold_name(text: str) -> str:
    """Normalise a name for comparison: NFKC, letter case folded, blanks collapsed."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def letters_of(text: str) -> str:
    """Keep only letters and digits, without accents: platforms drop the rest, each differently."""
    apart = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in apart if character.isalnum())


@dataclass(frozen=True, slots=True)
class NameIndex:
    """A folded name -> the numbers of the people whom it may mean."""

    numbers: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def enter(self, number: int, texts: Iterable[str]) -> None:
        """Add the names of one person; empty ones are skipped."""
        for key in filter(None, map(fold_name, texts)):
            self.numbers[key].add(number)

    def find(self, *texts: str) -> list[int]:
        """Return everybody who has one of these names."""
        return sorted({number for text in texts for number in self.numbers.get(fold_name(text), ())})


# ---------------------------------------------------------------- of a roster, by the name of a submission


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who hands in one submission: a student, or the members of a team."""

    id: str
    students: tuple[Student, ...]
    team: str = ""
    line: int
    """of the roster; the first member's"""
    submitted: str = ""
    """when they handed in, from the roster"""
    modified: tuple[str, ...] = ()
    """when they handed in, as a platform wrote it into the roster, of each member"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterIndex:
    """The owners of submissions, in the order of the roster, and indexes of all their names."""

    owners: tuple[Owner, ...]
    members: tuple[tuple[Owner, Member], ...]
    """the lines of the roster, each with its owner"""
    folders: NameIndex = field(default_factory=NameIndex)
    platform_numbers: NameIndex = field(default_factory=NameIndex)
    names: NameIndex = field(default_factory=NameIndex)
    ids: NameIndex = field(default_factory=NameIndex)
    logins: NameIndex = field(default_factory=NameIndex)


def index_roster(roster: Roster) -> RosterIndex:
    """Merge the members of teams, and index all names of every owner."""
    groups: defaultdict[tuple[str, str], list[Member]] = defaultdict(list)
    for member in roster.members:
        groups[member.team, "" if member.team else member.student.id].append(member)
    owners = tuple(
        Owner(
            id=team or id_,
            team=team,
            students=tuple(member.student for member in group),
            line=group[0].line,
            submitted=next(filter(None, (member.submitted for member in group)), ""),
            modified=tuple(filter(None, (member.modified for member in group))),
        )
        for (team, id_), group in groups.items()
    )
    number_of = {student.id: number for number, owner in enumerate(owners) for student in owner.students}
    lines = [(number_of[member.student.id], member) for member in roster.members]
    index = RosterIndex(owners=owners, members=tuple((owners[number], member) for number, member in lines))
    for number, member in lines:
        student, team = member.student, owners[number].team
        index.folders.enter(number, (member.folder, bare_name(member.folder)))
        index.platform_numbers.enter(number, member.numbers)
        index.ids.enter(number, (student.id,))
        index.logins.enter(number, (student.login, student.id, team))
        exact = (student.id, student.login, student.email, student.email.partition("@")[0], team)
        index.names.enter(
            number, (*exact, *_in_letters(student.name), *_in_letters(member.sort_name), letters_of(team))
        )
    return index


def find_owners(index: RosterIndex, named: Named, name: str) -> tuple[Owner, ...]:
    """Return the possible owners of the submission `name`: one, none, or several when it is ambiguous.

    The roster's column folder takes precedence, then the platform's number for a student, then the name: an id, a
    login, an email address, a name in either order, a team. A number and a name of two people are ambiguous. As a
    fallback, the number may be a student's id, and the end of a repository's name (`queens-alice`) a login. For a name
    in doubt, the owners by any of its meanings are returned.
    """
    found = index.folders.find(name, bare_name(name)) or sorted(
        {number for reading in named.readings or (named,) for number in _owners_of_reading(index, reading)}
    )
    return tuple(index.owners[number] for number in found)


def _owners_of_reading(index: RosterIndex, named: Named) -> list[int]:
    parts = [named.user or named.who]
    if named.platform == BLACKBOARD:  # it puts the assignment before the name, and either may have a `_`
        pieces = named.owner.split("_")
        ends = ("_".join(pieces[start:]) for start in range(len(pieces)))
        parts += [end for end in ends if len(end) > len(parts[0])]
    elif named.user:
        parts = [named.who]
    numbered = index.platform_numbers.find(named.number) if named.platform in (CANVAS, MOODLE) else []
    # Only letters at last: ann-lee and annlee may be two people's logins.
    by_name = index.names.find(*parts) or index.names.find(*map(letters_of, parts))
    if numbered and not set(numbered).intersection(by_name):
        return sorted({*numbered, *by_name})
    is_repository = named.user and named.platform != BLACKBOARD
    return (
        numbered
        or by_name
        or index.ids.find(named.id_number)
        or (index.logins.find(named.user) if is_repository else [])
    )


def names_folder(index: RosterIndex, name: str) -> bool:
    """Whether the roster's column folder has the name of this submission."""
    return bool(index.folders.find(name, bare_name(name)))


def is_on_roster(index: RosterIndex, name: str) -> bool:
    """Whether the roster has this name, of a submission or of a person."""
    return names_folder(index, name) or bool(index.names.find(name) or index.names.find(letters_of(name)))


def is_login(index: RosterIndex, text: str) -> bool:
    """Whether somebody on the roster has this login, id or team."""
    return bool(index.logins.find(text))


def owners_by_ending(index: RosterIndex, name: str) -> tuple[Owner, ...]:
    """Return the owners whose login a name ends with after a `-`, as a repository's does; the longest login counts."""
    found: list[int] = []
    while "-" in name and not found:
        name = name.partition("-")[2]
        found = index.logins.find(name)
    return tuple(index.owners[number] for number in found)


def _in_letters(name: str) -> Iterator[str]:
    """Yield a name in letters alone, from every word on and around: platforms put the last name first, or last."""
    words = name.split()
    return (letters_of("".join(words[start:] + words[:start])) for start in range(len(words)))


# ---------------------------------------------------------------- of a gradebook, by what somebody typed


def find_grade(book: Gradebook, name: str) -> Grade:
    """Look up the one grade of `name`; raises UsageError, with suggestions, when there is none, or several."""
    found = find_grades(book, name)
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(
            f"{_safe_name(name)} may be {_safe_ids([grade.entry.id for grade in found])}: name one by its id"
        )
    wanted = fold_name(name)
    known = {fold_name(text): text for grade in book.grades for text in _aliases_of(grade)}
    inside = [key for key in known if wanted and wanted in key]
    near = list(dict.fromkeys([*get_close_matches(wanted, known, 3), *inside]))
    hint = f"did you mean {_safe_ids([known[key] for key in near])}?" if near else ""
    everybody = _safe_ids([grade.entry.id for grade in book.grades])
    raise UsageError(f"there is no {_safe_name(name)} in these results; {hint or f'there are: {everybody}'}")


def find_grades(book: Gradebook, name: str) -> list[Grade]:
    """Return the grades that a name may mean: the one with exactly this id, else all with this name.

    A name is a student's id, name, login or e-mail address, a team, a report's folder or the submission's own name,
    also as reports show it: escaped.
    """
    exact = [grade for grade in book.grades if grade.entry.id == name]
    if exact or not name:
        return exact
    index = NameIndex()
    for number, grade in enumerate(book.grades):
        texts = list(_aliases_of(grade))
        index.enter(number, (*texts, *map(one_line, texts)))
    return [book.grades[number] for number in index.find(name)]


def _aliases_of(grade: Grade) -> Iterator[str]:
    entry = grade.entry
    path = [entry.path.name, bare_name(entry.path.name)] if entry.path else []
    students = [word for one in entry.students for word in (one.id, one.name, one.email, one.login)]
    yield from filter(None, (entry.id, show(entry.id), entry.team, grade.folder, *path, *students))


def _safe_ids(names: Sequence[str]) -> str:
    return listed([_safe_name(name) for name in names], most=5)


def _safe_name(name: str) -> str:
    return inert(one_line(name), anywhere=True)


# ---------------------------------------------------------------- of the rows of a platform's gradebook


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformRow:
    """A row of a platform's gradebook, and the names of its student there."""

    row: int
    number: str = ""
    """the platform's own"""
    ids: tuple[str, ...] = ()
    """ids, logins, addresses"""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowIndex:
    """Indexes of the names of the students in a platform's rows."""

    numbers: NameIndex = field(default_factory=NameIndex)
    ids: NameIndex = field(default_factory=NameIndex)
    names: NameIndex = field(default_factory=NameIndex)
    called: dict[int, str] = field(default_factory=dict)
    """a row -> the name in it, folded"""


def index_rows(rows: Iterable[PlatformRow], students: Sequence[Student]) -> RowIndex:
    """Index the names of the students in the rows.

    A platform numbers its users, and the ids of our `students` may be such numbers. They are only where that holds for
    nearly all: a single one may equal a stranger's number by chance, or by choice.
    """
    index = RowIndex()
    rows = list(rows)
    for row in rows:
        name = spoken_name(row.name)
        index.numbers.enter(row.row, (row.number,))
        index.ids.enter(row.row, (one for one in row.ids if one != row.number))
        index.names.enter(row.row, (name,))
        index.called[row.row] = fold_name(name)
    ids = [(student, index.numbers.find(student.id)) for student in students]
    same = [1 for student, found in ids if any(_may_be_called(index, row, student) for row in found)]
    if 3 * len(same) >= 2 * len(students):
        for row in rows:
            index.ids.enter(row.row, (row.number,))
    return index


def _may_be_called(index: RowIndex, row: int, student: Student) -> bool:
    names = {fold_name(spoken_name(student.name)), index.called[row]}
    return len(names) == 1 or "" in names


def find_rows(index: RowIndex, student: Student, number: str) -> list[int]:
    """Return the rows that may be the student's; `number` is the platform's for them, empty when not known.

    The platform's own number takes precedence; then ids and addresses, in any column; then logins; then names. Where
    the name stands in another row than the id, both are returned.
    """
    if found := index.numbers.find(number):
        return found
    name = spoken_name(student.name)
    named = index.names.find(name)
    if found := index.ids.find(student.id, student.email):
        return found if not named or set(found) & set(named) else sorted({*found, *named})
    if found := index.ids.find(student.login):
        # A login at another platform may be somebody else's here.
        other = name and any(index.called[row] != fold_name(name) for row in found)
        return [] if other else found
    return index.names.find(name or spoken_name(student.id))


def platform_number(entry: Entry, platform: str) -> str:
    """Return a student's number on the platform, parsed from the name of the download; empty when not known."""
    upload = next(iter(entry.uploads), entry.path.name if entry.path else "")
    named = read_upload(entry, upload)
    return named.number if named.platform == platform and len(entry.students) == 1 else ""


def read_upload(entry: Entry, upload: str) -> Named:
    """Parse the name of one of an entry's uploads again, as it was parsed when it was graded."""
    return read_name(upload, entry.platform)
