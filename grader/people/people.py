"""Read the roster, and look people up: by a submission's name, by typed text, in a platform's rows.

Names are normalised before they are compared (`fold_name`). If none is equal, only letters and digits are compared,
because platforms drop the rest. The most certain kind of match takes precedence. If it fits several people, all of them
are returned: this module never chooses silently.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from msgspec import Struct, field

from grader.core.errors import UsageError
from grader.core.model.gradebook import Entry, Grade, Gradebook, Student
from grader.core.report.view import NAME_LIMIT
from grader.core.text import count, inert, listed, one_line, show
from grader.people.columns import PARTICIPANT, CsvFile, CsvRow, column_names, read_csv, spoken_name
from grader.people.names import BLACKBOARD, CANVAS, MOODLE, Named, bare_name, read_name
from grader.people.times import parse_moment, without_accents

_UNUSED = ("identifier", "grade", "maximum", "changeable", "feedback")  # meanings that matter to a platform alone
STUDENT_ROLES = ("", "student", "learner")
_MAX_NAMED = 8
_NO_STUDENTS = ("points possible", "student, test")  # lines that Canvas adds: the points, and its test student


class Member(Struct, frozen=True, kw_only=True):
    """A line of the roster."""

    student: Student
    line: int
    team: str = ""
    folder: str = ""  # the name of their submission; empty when it has to be looked up
    numbers: tuple[str, ...] = ()  # the platform's for them
    submitted: str = ""  # when they handed in, with a zone; empty when the roster has no time
    modified: str = ""  # when they handed in, as a platform wrote it into the roster


class Roster(Struct, frozen=True, kw_only=True):
    """The members of a class, in the order of the file, and notes on the unused parts of the file."""

    members: tuple[Member, ...]
    notes: tuple[str, ...] = ()


def read_roster(path: Path) -> Roster:
    """Read a roster; raises UsageError with every mistake in it and its line."""
    shown, file = one_line(path.name), read_csv(path)
    meanings = [meaning for meaning in column_names() if meaning not in _UNUSED]
    known = [name for meaning in meanings for name in column_names()[meaning]]
    if problems := [*_mistakes_of_header(file, known)]:
        raise UsageError("\n".join(f"{shown}:1: {problem}" for problem in problems))
    wide = [row for row in file.rows if any(row.extra)]
    rows = [row for row in file.rows if row.every(*meanings) and row.get("name").casefold() not in _NO_STUDENTS]
    members = [_member_of(row, file) for row in rows if row.get("role").casefold() in STUDENT_ROLES]
    most, hint = len(file.header), "a comma in a cell wants quotes around it"
    cells = ((row.line, f"has {count(most + len(row.extra), 'cell')}, and the header {most}: {hint}") for row in wide)
    if mistakes := [*cells, *_mistakes_of(members), *_mistakes_of_times(members)]:
        raise UsageError("\n".join(f"{shown}:{line}: this line {message}" for line, message in sorted(mistakes)))
    if not members:
        raise UsageError(f"{shown}: there is no student in this roster, only a header")
    return Roster(members=tuple(members), notes=tuple(_misspelt_columns(file, known, shown)))


def _misspelt_columns(file: CsvFile, known: Collection[str], shown: str) -> Iterator[str]:
    """Yield a note on each unknown column that is called nearly as one that the file lacks."""
    # Nobody writes a time of Moodle's by hand, and Moodle's column of when it was graded is called nearly the same.
    given = {*file.names, *column_names()["modified"]}
    missing = [name for name in known if name not in given]
    for written, name in zip(file.header, file.names, strict=True):
        if name not in known and (near := get_close_matches(name, missing, 1, 0.8)):
            yield f"{shown}: the column {one_line(written)} is not used; did you mean {near[0]!r}?"


def _member_of(row: CsvRow, file: CsvFile) -> Member:
    login, email = row.get("login"), row.get("email")
    # Canvas's own export has its number next to the university's id; Moodle writes it as "Participant 123", also beside
    # an id number.
    is_canvas = "sis user id" in row.cells or "sis login id" in row.cells
    ids = sorted(row.every("id"), key=lambda cell: bool(PARTICIPANT.fullmatch(cell)))
    id_ = next(iter(ids), "") if file.has("id") else login or email
    student = Student(id=id_, name=row.name, email=email, login=login, section=row.get("section"))
    numbers = tuple(filter(None, (row.cells.get("id", "") if is_canvas else "", row.number)))
    return Member(
        student=student,
        line=row.line,
        team=row.get("team"),
        folder=row.get("folder"),
        numbers=numbers,
        submitted=row.get("submitted"),
        modified=row.get("modified"),
    )


def _mistakes_of_header(file: CsvFile, known: Collection[str]) -> Iterator[str]:
    for name in sorted({name for name in file.names if name in known and file.names.count(name) > 1}):
        yield f"two columns are called {name!r}; rename one"
    if not file.has("id", "login", "email"):
        columns = ", ".join(map(one_line, file.names[:_MAX_NAMED]))
        yield f"no column tells the students' ids; call one of them id (the columns are: {columns})"


def _mistakes_of(members: Sequence[Member]) -> Iterator[tuple[int, str]]:
    ids, folders, teams = dict[str, Member](), dict[str, Member](), dict[str, Member]()
    for member in members:
        name, team = member.student.id, member.team
        if not name:
            yield member.line, f"has no id ({one_line(member.student.name or member.student.email) or 'and no name'})"
        elif (earlier := ids.setdefault(name.casefold(), member)) is not member:
            taken = f"has the id {one_line(name)} of line {earlier.line}"
            yield member.line, f"{taken}; every student has an id of their own"
        if team and (earlier := teams.setdefault(team.casefold(), member)).team != team:
            names = f"{one_line(team)}, and line {earlier.line} {one_line(earlier.team)}"
            yield member.line, f"has the team {names}; write it in one way"
        earlier = folders.setdefault(member.folder, member) if member.folder else member
        if earlier is not member and (not team or earlier.team != team):
            where = f"{one_line(member.folder)} of line {earlier.line}"
            yield member.line, f"has the folder {where}; if they are a team, name it in the column team"
    for name, member in teams.items():
        if name in ids and ids[name].team != member.team:
            yield member.line, f"has a team with the id of line {ids[name].line}, {one_line(member.team)}; rename it"


def _mistakes_of_times(members: Sequence[Member]) -> Iterator[tuple[int, str]]:
    """Yield the lines with invalid times, or with two times for one team."""
    teams: dict[str, tuple[Member, str]] = {}
    for member in members:
        try:
            own = member, parse_moment(member.submitted).instant if member.submitted else ""
        except ValueError as error:
            yield member.line, f"does not tell when it was submitted: {error}"
            continue
        earlier, time = teams.setdefault(member.team.casefold(), own) if member.team and own[1] else own
        if time != own[1]:
            yield member.line, f"has another time of submission than line {earlier.line}, of the same team"


# ---------------------------------------------------------------- what somebody goes by


def student_in_words(student: Student) -> str:
    """Return the id and the name of a student."""
    shown = f"{student.id} ({student.name})" if student.name else student.id
    return one_line(shown, 2 * NAME_LIMIT)


def fold_name(text: str) -> str:
    """Normalise a name for comparison: NFKC, letter case folded, blanks collapsed."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def letters_of(text: str) -> str:
    """Keep only letters and digits, without accents: platforms drop the rest, each differently."""
    return "".join(filter(str.isalnum, without_accents(text)))


class NameIndex(dict[str, set[int]]):
    """A folded name -> the numbers of the people whom it may mean."""

    def enter(self, number: int, *texts: str) -> None:
        """Add the names of one person; empty ones are skipped."""
        for key in filter(None, map(fold_name, texts)):
            self.setdefault(key, set()).add(number)

    def find(self, *texts: str) -> list[int]:
        """Return everybody who has one of these names."""
        return sorted({number for text in texts for number in self.get(fold_name(text), ())})


# ---------------------------------------------------------------- of a roster, by the name of a submission


class Owner(Struct, frozen=True, kw_only=True):
    """Who hands in one submission: a student, or the members of a team."""

    id: str
    team: str
    members: tuple[Member, ...]  # one at least


class RosterIndex(Struct, frozen=True):
    """The owners of submissions, in the order of the roster, and indexes of all their names."""

    owners: list[Owner] = []
    folders: NameIndex = field(default_factory=NameIndex)
    platform_numbers: NameIndex = field(default_factory=NameIndex)
    names: NameIndex = field(default_factory=NameIndex)
    ids: NameIndex = field(default_factory=NameIndex)
    logins: NameIndex = field(default_factory=NameIndex)

    def names_folder(self, name: str) -> bool:
        """Whether the roster's column folder has the name of this submission."""
        return bool(self.folders.find(name, bare_name(name)))

    def has(self, name: str) -> bool:
        """Whether the roster has this name, of a submission or of a person."""
        return self.names_folder(name) or bool(self.names.find(name) or self.names.find(letters_of(name)))


def index_roster(roster: Roster) -> RosterIndex:
    """Merge the members of teams, and index all names of every owner."""
    groups, index = defaultdict[tuple[str, str], list[Member]](list), RosterIndex()
    for member in roster.members:
        groups[member.team, "" if member.team else member.student.id].append(member)
    for number, ((team, id_), group) in enumerate(groups.items()):
        index.owners.append(Owner(id=team or id_, team=team, members=tuple(group)))
        for member in group:
            student = member.student
            index.folders.enter(number, member.folder, bare_name(member.folder))
            index.platform_numbers.enter(number, *member.numbers)
            index.ids.enter(number, student.id)
            index.logins.enter(number, student.login, student.id, team)
            index.names.enter(number, student.id, student.login, student.email, student.email.partition("@")[0])
            index.names.enter(number, team, letters_of(team))
            words = student.name.split()  # platforms put the last name first, or last
            turned = (words[start:] + words[:start] for start in range(len(words)))
            index.names.enter(number, *(letters_of("".join(name)) for name in turned))
    return index


def find_owners(index: RosterIndex, named: Named, name: str) -> tuple[Owner, ...]:
    """Return the possible owners of the submission `name`: one, none, or several when it is ambiguous.

    The roster's column folder takes precedence, then the platform's number for a student, then the name: an id, a
    login, an email address, a name in either order, a team. A number and a name of two people are ambiguous. As a
    fallback, the number may be a student's id, and the end of a repository's name (`queens-alice`) a login. For a name
    in doubt, the owners by any of its meanings are returned.
    """
    numbers = index.folders.find(name, bare_name(name)) or sorted(
        {number for reading in named.readings or (named,) for number in _owners_of_reading(index, reading)}
    )
    return tuple(index.owners[number] for number in numbers)


def _owners_of_reading(index: RosterIndex, named: Named) -> list[int]:
    parts, login = [named.who], named.user
    if named.platform == BLACKBOARD:  # it puts the assignment before the name, and either may have a `_`
        pieces, login = named.owner.split("_"), ""
        ends = ("_".join(pieces[start:]) for start in range(len(pieces)))
        user = named.user or named.who
        parts = [user, *(end for end in ends if len(end) > len(user))]
    numbered = index.platform_numbers.find(named.number) if named.platform in (CANVAS, MOODLE) else []
    # Only letters at last: ann-lee and annlee may be two people's logins.
    by_name = index.names.find(*parts) or index.names.find(*map(letters_of, parts))
    if numbered and not set(numbered).intersection(by_name):
        return sorted({*numbered, *by_name})
    return numbered or by_name or index.ids.find(named.id_number) or index.logins.find(login)


# ---------------------------------------------------------------- of a gradebook, by what somebody typed


def find_grade(book: Gradebook, name: str) -> Grade:
    """Look up the one grade that a name may mean: the one with exactly this id, else the only one with this name.

    A name is a student's id, name, login or e-mail address, a team, a report's folder or the submission's own name,
    also as reports show it: escaped. Raises UsageError, with suggestions, when there is none, or several.
    """
    index, known = NameIndex(), dict[str, str]()
    for number, grade in enumerate(book.grades):
        entry, path = grade.entry, grade.entry.path
        names = [name for who in entry.students for name in (who.id, who.name, who.email, who.login)]
        names += [path.name, bare_name(path.name)] if path else []
        texts = list(filter(None, (entry.id, show(entry.id), entry.team, grade.folder, *names)))
        index.enter(number, *texts, *map(one_line, texts))
        known |= {fold_name(text): text for text in texts}
    grades = [grade for grade in book.grades if grade.entry.id == name]
    grades = grades or [book.grades[number] for number in index.find(name)]
    if len(grades) == 1:
        return grades[0]
    if grades:
        raise UsageError(f"{_safe(name)} may be {_safe(*(grade.entry.id for grade in grades))}: name one by its id")
    wanted = fold_name(name)
    near = [*get_close_matches(wanted, known, 3), *(key for key in known if wanted and wanted in key)]
    meant = dict.fromkeys(known[key] for key in near)
    everybody = (grade.entry.id for grade in book.grades)
    hint = f"did you mean {_safe(*meant)}?" if meant else f"there are: {_safe(*everybody)}"
    raise UsageError(f"there is no {_safe(name)} in these results; {hint}")


def _safe(*names: str) -> str:
    return listed([inert(one_line(name), anywhere=True) for name in names], most=5)


# ---------------------------------------------------------------- of the rows of a platform's gradebook


class PlatformRow(Struct, frozen=True, kw_only=True):
    """A row of a platform's gradebook, and the names of its student there."""

    row: int
    number: str = ""  # the platform's own
    ids: tuple[str, ...] = ()  # ids, logins, addresses
    name: str = ""
    submitted: str = ""  # when, as the platform writes it


class RowIndex(Struct, frozen=True):
    """Indexes of the names of the students in a platform's rows."""

    numbers: NameIndex = field(default_factory=NameIndex)
    ids: NameIndex = field(default_factory=NameIndex)
    names: NameIndex = field(default_factory=NameIndex)
    called: dict[int, str] = {}  # a row -> the name in it, folded


def index_rows(rows: Collection[PlatformRow], students: Sequence[Student]) -> RowIndex:
    """Index the names of the students in the rows.

    A platform numbers its users, and the ids of our `students` may be such numbers. They are only where that holds for
    nearly all: a single one may equal a stranger's number by chance, or by choice.
    """
    index = RowIndex()
    for row in rows:
        name = spoken_name(row.name)
        index.numbers.enter(row.row, row.number)
        index.ids.enter(row.row, *(key for key in row.ids if key != row.number))
        index.names.enter(row.row, name)
        index.called[row.row] = fold_name(name)

    def has_own_number(student: Student) -> bool:
        own = fold_name(spoken_name(student.name))
        return any(not own or index.called[row] in {"", own} for row in index.numbers.find(student.id))

    if 3 * sum(map(has_own_number, students)) >= 2 * len(students):
        for row in rows:
            index.ids.enter(row.row, row.number)
    return index


def find_rows(index: RowIndex, student: Student, number: str) -> list[int]:
    """Return the rows that may be the student's; `number` is the platform's for them, empty when not known.

    The platform's own number takes precedence; then ids and addresses, in any column; then logins; then names. Where
    the name stands in another row than the id, both are returned.
    """
    if rows := index.numbers.find(number):
        return rows
    name = spoken_name(student.name)
    named = index.names.find(name)
    if rows := index.ids.find(student.id, student.email):
        return rows if not named or set(rows) & set(named) else sorted({*rows, *named})
    if rows := index.ids.find(student.login):
        # A login at another platform may be somebody else's here.
        is_another = name and any(index.called[row] != fold_name(name) for row in rows)
        return [] if is_another else rows
    return index.names.find(name or spoken_name(student.id))


def platform_number(entry: Entry, platform: str) -> str:
    """Return a student's number on the platform, parsed from the name of the download; empty when not known."""
    upload = next(iter(entry.uploads), entry.path.name if entry.path else "")
    named = read_name(upload, entry.platform)  # as it was parsed when it was graded
    return named.number if named.platform == platform and len(entry.students) == 1 else ""
