"""Whose a submission is: its name held against the roster.

The folder that the roster names counts before everything, then the platform's number for a student; then whatever the
name can be: an id, a login, an email address, a name in either order, a team. When nothing of that fits, the number
may be a student's id, and the end of a repository's name (`queens-alice`) a login. Which of several owners it is, is
not decided here.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from grader.classroom.names import BLACKBOARD, Named, bare_name
from grader.classroom.roster import Member, Roster
from grader.model.gradebook import Student


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who hands in one submission: a student, or the members of a team."""

    id: str
    students: tuple[Student, ...]
    team: str = ""
    line: int
    """of the roster; the first member's"""


Keys = defaultdict[str, dict[str, Owner]]
"""what somebody goes by -> whom it may mean, by their ids"""


def _keys() -> Keys:
    return defaultdict(dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """Everything that somebody of the roster goes by."""

    folders: Keys = field(default_factory=_keys)
    numbers: Keys = field(default_factory=_keys)
    names: Keys = field(default_factory=_keys)
    ids: Keys = field(default_factory=_keys)
    logins: Keys = field(default_factory=_keys)


def owners_of(roster: Roster) -> tuple[Owner, ...]:
    """Return who hands in one submission each, in the order of the roster."""
    groups: defaultdict[tuple[str, str], list[Member]] = defaultdict(list)
    for member in roster.members:
        groups[("team", member.team) if member.team else ("student", member.student.id)].append(member)
    return tuple(
        Owner(
            id=name, team=name if kind == "team" else "", students=tuple(m.student for m in group), line=group[0].line
        )
        for (kind, name), group in groups.items()
    )


def members_of(roster: Roster, owners: Iterable[Owner]) -> Iterator[tuple[Owner, Member]]:
    """Yield the lines of the roster, each with whom it belongs to."""
    by_student = {student.id: owner for owner in owners for student in owner.students}
    for member in roster.members:
        yield by_student[member.student.id], member


def index_of(roster: Roster, owners: Iterable[Owner]) -> Index:
    """Write down what every owner goes by."""
    index = Index()
    for owner, member in members_of(roster, owners):
        student = member.student
        _enter(index.folders, owner, [folded(member.folder), folded(bare_name(member.folder))])
        _enter(index.numbers, owner, member.numbers)
        _enter(index.ids, owner, [folded(student.id)])
        _enter(index.logins, owner, [folded(text) for text in (student.login, student.id, owner.team)])
        exact = (student.id, student.login, student.email, student.email.partition("@")[0], owner.team)
        _enter(index.names, owner, map(folded, exact))
        _enter(index.names, owner, _spoken(student.name, member.sort_name))
        _enter(index.names, owner, [_letters(owner.team)])
    return index


def find_owners(index: Index, named: Named, name: str) -> tuple[Owner, ...]:
    """Return whose the submission `name` may be: one owner, nobody of the roster, or several when it is in doubt."""
    if found := {**index.folders.get(folded(name), {}), **index.folders.get(folded(bare_name(name)), {})}:
        return tuple(found.values())
    if found := index.numbers.get(named.number, {}) if named.platform else {}:
        return tuple(found.values())
    return (
        tuple(_by_name(index, named).values())
        or tuple(index.ids.get(named.number, {}).values())
        or tuple(_by_end(index, named.who).values())
    )


def _by_name(index: Index, named: Named) -> dict[str, Owner]:
    found: dict[str, Owner] = {}
    for part in _parts(named):
        found |= index.names.get(folded(part), {})
    # Only when nobody is called exactly so: ann-lee and annlee may be two people's logins.
    return found or {id_: owner for part in _parts(named) for id_, owner in index.names.get(_letters(part), {}).items()}


def _parts(named: Named) -> Iterator[str]:
    """Yield what the user's name may be: Blackboard puts the assignment before it, and either may have a `_`."""
    yield named.who
    if named.platform == BLACKBOARD:
        rest = named.owner
        while "_" in rest:
            rest = rest.partition("_")[2]
            yield rest


def _by_end(index: Index, who: str) -> dict[str, Owner]:
    """GitHub Classroom names a repository after the assignment and the login; the longest login counts."""
    rest = folded(who)
    while "-" in rest:
        rest = rest.partition("-")[2]
        if found := index.logins.get(rest):
            return found
    return {}


def _enter(keys: Keys, owner: Owner, texts: Iterable[str]) -> None:
    for text in texts:
        if text:
            keys[text][owner.id] = owner


def _spoken(*names: str) -> Iterator[str]:
    """Yield names in letters alone, from every word on and around: platforms put the last name first, or last."""
    for name in names:
        words = name.split()
        yield from (_letters("".join(words[start:] + words[:start])) for start in range(len(words)))


def folded(text: str) -> str:
    """Make names that are the same but for letter case and Unicode's several ways of writing the same text."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def _letters(text: str) -> str:
    """Leave letters and digits, without accents: platforms drop the rest, each in its own way."""
    apart = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in apart if character.isalnum())
