"""Whose row in somebody else's gradebook a grade belongs to.

The platform's own number for a student decides before everything; then ids and addresses, whatever column they stand
in; then logins; then names. Where one of these points to two rows, nobody is graded: a grade in a stranger's row is
worse than one that is not there, and those who are left out are told.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.exports.request import Request, is_ungraded, standing
from grader.model.gradebook import Entry, Grade, Student
from grader.text import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A row of a gradebook, and what its student goes by there."""

    row: int
    number: str = ""
    """the platform's own"""
    ids: tuple[str, ...] = ()
    """ids, logins, addresses"""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """The rows of those who have a grade, and a sentence for everybody who has one and no row, or none by our fault."""

    grades: Mapping[int, Grade]
    left_out: tuple[str, ...]


_Claim = tuple[Grade, Student, list[int]]


def match(request: Request, people: Sequence[Person], platform: str) -> Matched:
    """Find the row of every student with a grade."""
    left_out: list[str] = []
    claims: list[_Claim] = []
    find = _finder(people)
    for grade in request.book.grades:
        if is_ungraded(grade) or (grade.report is None and grade.entry.path is not None):
            left_out.append(f"{one_line(grade.entry.id)} is left as it was: {standing(grade)}")
        elif grade.report is not None:
            claims += [(grade, one, find(one, _number(request, grade.entry, platform))) for one in grade.entry.students]
    rows = defaultdict[int, list[_Claim]](list)
    for claim in claims:
        if len(claim[2]) == 1:
            rows[claim[2][0]].append(claim)
        else:
            left_out.append(_unfound(claim))
    for row, several in rows.items():
        if len(several) > 1:
            names = " and ".join(_called(student) for _, student, _ in several)
            left_out.append(f"{names} both fit row {row + 1}, which stays as it was: tell them apart in the roster")
    grades = {row: claim[0][0] for row, claim in sorted(rows.items()) if len(claim) == 1}
    return Matched(grades=grades, left_out=tuple(left_out))


def key(text: str) -> str:
    """Reduce what somebody goes by to what has to be the same: letter case and blanks do not matter."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def name_key(text: str) -> str:
    """Do so with a name, in either order: `Lee, Ann` is Ann Lee."""
    last, comma, first = text.partition(",")
    return key(f"{first} {last}" if comma else text)


def _finder(people: Sequence[Person]) -> Callable[[Student, str], list[int]]:
    numbers = _index((person.number, person.row) for person in people)
    ids = _index((text, person.row) for person in people for text in (person.number, *person.ids))
    names = _index((name_key(person.name), person.row) for person in people)
    called = {person.row: name_key(person.name) for person in people}

    def find(student: Student, number: str) -> list[int]:
        """Return the rows that may be the student's."""
        if found := numbers.get(key(number), set()):
            return sorted(found)
        if found := ids.get(key(student.id), set()) | ids.get(key(student.email), set()):
            return sorted(found)
        if found := ids.get(key(student.login), set()):
            # A login at another platform may be somebody else's here.
            other = student.name and any(called[row] != name_key(student.name) for row in found)
            return [] if other else sorted(found)
        return sorted(names.get(name_key(student.name or student.id), set()))

    return find


def _index(pairs: Iterable[tuple[str, int]]) -> dict[str, set[int]]:
    index = defaultdict[str, set[int]](set)
    for text, row in pairs:
        if key(text):
            index[key(text)].add(row)
    return dict(index)


def _number(request: Request, entry: Entry, platform: str) -> str:
    return request.number(entry, platform) if len(entry.students) == 1 else ""


def _unfound(claim: _Claim) -> str:
    _, student, rows = claim
    if not rows:
        return f"{_called(student)} has a grade and no row in the file: look at the id, login, address and name"
    numbers = ", ".join(str(row + 1) for row in rows)
    return f"{_called(student)} has a grade and fits rows {numbers}, which stay as they were"


def _called(student: Student) -> str:
    return one_line(f"{student.name} ({student.id})" if student.name else student.id)
