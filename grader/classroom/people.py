"""Who is meant: of a roster by a submission's name, of a gradebook by what somebody typed, of a platform's rows.

Names are the same when they are `folded` to the same: letter case, blanks and Unicode's several ways of writing one
text do not matter. Only for whom nobody is called exactly so, letters and digits alone are compared, because platforms
drop the rest. What is surest counts before all else, and where that fits several people all of them are returned: to
choose one silently is nobody's business here.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from grader.classroom.names import BLACKBOARD, Named, bare_name, read_name
from grader.classroom.roster import Member, Roster, spoken
from grader.errors import UsageError
from grader.model.gradebook import Entry, Grade, Gradebook, Student
from grader.text import inert, listed, one_line, show

_SUGGESTED = 5


def folded(text: str) -> str:
    """Reduce what somebody goes by to what has to be the same."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _letters(text: str) -> str:
    """Leave letters and digits, without accents: platforms drop the rest, each in its own way."""
    apart = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in apart if character.isalnum())


@dataclass(frozen=True, slots=True)
class NameIndex:
    """What people go by -> whom it may mean, by their numbers in a list."""

    numbers: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def enter(self, number: int, texts: Iterable[str]) -> None:
        """Write down that this one goes by these texts; an empty one says nothing."""
        for key in filter(None, map(folded, texts)):
            self.numbers[key].add(number)

    def find(self, *texts: str) -> list[int]:
        """Return everybody who goes by one of the texts."""
        return sorted({number for text in texts for number in self.numbers.get(folded(text), ())})


# ---------------------------------------------------------------- of a roster, by the name of a submission


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who hands in one submission: a student, or the members of a team."""

    id: str
    students: tuple[Student, ...]
    team: str = ""
    line: int
    """of the roster; the first member's"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterIndex:
    """Who hands in one submission each, in the order of the roster, and everything that they go by."""

    owners: tuple[Owner, ...]
    members: tuple[tuple[Owner, Member], ...]
    """the lines of the roster, each with whom it belongs to"""
    folders: NameIndex = field(default_factory=NameIndex)
    platform_numbers: NameIndex = field(default_factory=NameIndex)
    names: NameIndex = field(default_factory=NameIndex)
    ids: NameIndex = field(default_factory=NameIndex)
    logins: NameIndex = field(default_factory=NameIndex)


def index_roster(roster: Roster) -> RosterIndex:
    """Put the members of teams together, and write down what every owner goes by."""
    groups: defaultdict[tuple[str, str], list[Member]] = defaultdict(list)
    for member in roster.members:
        groups[member.team, "" if member.team else member.student.id].append(member)
    owners = tuple(
        Owner(id=team or id_, team=team, students=tuple(member.student for member in group), line=group[0].line)
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
        index.names.enter(number, (*exact, *_in_letters(student.name), *_in_letters(member.sort_name), _letters(team)))
    return index


def find_owners(index: RosterIndex, named: Named, name: str) -> tuple[Owner, ...]:
    """Return whose the submission `name` may be: one owner, nobody of the roster, or several when it is in doubt.

    The folder that the roster names counts before everything, then the platform's number for a student; then whatever
    the name can be: an id, a login, an email address, a name in either order, a team. When nothing of that fits, the
    number may be a student's id, and the end of a repository's name (`queens-alice`) a login.
    """
    parts = list(_parts_of_name(named))
    found = (
        index.folders.find(name, bare_name(name))
        or (index.platform_numbers.find(named.number) if named.platform else [])
        or index.names.find(*parts)
        or index.names.find(*map(_letters, parts))  # only now: ann-lee and annlee may be two people's logins
        or index.ids.find(named.number)
        or _by_end(index, named.who)
    )
    return tuple(index.owners[number] for number in found)


def _parts_of_name(named: Named) -> Iterator[str]:
    """Yield what the user's name may be: Blackboard puts the assignment before it, and either may have a `_`."""
    yield named.who
    if named.platform == BLACKBOARD:
        rest = named.owner
        while "_" in rest:
            rest = rest.partition("_")[2]
            yield rest


def _by_end(index: RosterIndex, who: str) -> list[int]:
    """GitHub Classroom names a repository after the assignment and the login; the longest login counts."""
    rest, found = who, list[int]()
    while "-" in rest and not found:
        rest = rest.partition("-")[2]
        found = index.logins.find(rest)
    return found


def _in_letters(name: str) -> Iterator[str]:
    """Yield a name in letters alone, from every word on and around: platforms put the last name first, or last."""
    words = name.split()
    return (_letters("".join(words[start:] + words[:start])) for start in range(len(words)))


# ---------------------------------------------------------------- of a gradebook, by what somebody typed


def find_grade(book: Gradebook, name: str) -> Grade:
    """Return the one grade that `name` stands for; UsageError, with suggestions, when there is none, or several."""
    found = grades_called(book, name)
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(
            f"{_safe_name(name)} may be {_safe_ids([grade.entry.id for grade in found])}: name one by its id"
        )
    wanted = folded(name)
    known = {folded(text): text for grade in book.grades for text in _goes_by(grade)}
    inside = [key for key in known if wanted and wanted in key]
    near = list(dict.fromkeys([*get_close_matches(wanted, known, 3), *inside]))
    hint = f"did you mean {_safe_ids([known[key] for key in near])}?" if near else ""
    everybody = _safe_ids([grade.entry.id for grade in book.grades])
    raise UsageError(f"there is no {_safe_name(name)} in these results; {hint or f'there are: {everybody}'}")


def grades_called(book: Gradebook, name: str) -> list[Grade]:
    """Return the grades that a name may mean: the one whose id it is to the letter, else all that go by it.

    A name is a student's id, name, login or e-mail address, a team, a report's folder or the submission's own name,
    also as reports show it: escaped.
    """
    exact = [grade for grade in book.grades if grade.entry.id == name]
    if exact or not name:
        return exact
    index = NameIndex()
    for number, grade in enumerate(book.grades):
        texts = list(_goes_by(grade))
        index.enter(number, (*texts, *map(one_line, texts)))
    return [book.grades[number] for number in index.find(name)]


def _goes_by(grade: Grade) -> Iterator[str]:
    entry = grade.entry
    path = [entry.path.name, bare_name(entry.path.name)] if entry.path else []
    students = [word for one in entry.students for word in (one.id, one.name, one.email, one.login)]
    yield from filter(None, (entry.id, show(entry.id), entry.team, grade.folder, *path, *students))


def _safe_ids(names: Sequence[str]) -> str:
    return listed([_safe_name(name) for name in names], most=_SUGGESTED)


def _safe_name(name: str) -> str:
    return inert(one_line(name), anywhere=True)


# ---------------------------------------------------------------- of the rows of a platform's gradebook


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformRow:
    """A row of a gradebook, and what its student goes by there."""

    row: int
    number: str = ""
    """the platform's own"""
    ids: tuple[str, ...] = ()
    """ids, logins, addresses"""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowIndex:
    """Everything that the students of a platform's rows go by there."""

    numbers: NameIndex = field(default_factory=NameIndex)
    ids: NameIndex = field(default_factory=NameIndex)
    names: NameIndex = field(default_factory=NameIndex)
    called: dict[int, str] = field(default_factory=dict)
    """a row -> the name in it, folded"""


def index_rows(rows: Iterable[PlatformRow]) -> RowIndex:
    """Write down what the students of the rows go by."""
    index = RowIndex()
    for row in rows:
        name = spoken(row.name)
        index.numbers.enter(row.row, (row.number,))
        index.ids.enter(row.row, (row.number, *row.ids))
        index.names.enter(row.row, (name,))
        index.called[row.row] = folded(name)
    return index


def find_rows(index: RowIndex, student: Student, number: str) -> list[int]:
    """Return the rows that may be the student's, whom the platform knows by `number` if that is not empty.

    The platform's own number decides before everything; then ids and addresses, whatever column they stand in; then
    logins; then names.
    """
    if found := index.numbers.find(number) or index.ids.find(student.id, student.email):
        return found
    name = spoken(student.name)
    if found := index.ids.find(student.login):
        # A login at another platform may be somebody else's here.
        other = name and any(index.called[row] != folded(name) for row in found)
        return [] if other else found
    return index.names.find(name or spoken(student.id))


def platform_number(entry: Entry, platform: str) -> str:
    """Return a student's number on the platform out of the name of what it was downloaded as; empty when not known."""
    named = read_name(entry.path.name) if entry.path else None
    return named.number if named and named.platform == platform and len(entry.students) == 1 else ""
