"""Whom nobody knows: work of nobody on the roster beside the students without work, likely pairs first.

A pair is only shown, never made: whoever knows the class writes the name of the work into the roster. Two names are
likely one person's if they are nearly the same, or have a word in common that nobody else there has.
Only the whole name of a plain submission, or the platform's own part of one, is compared: never the name that a student
gave a file.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from grader.core.model.gradebook import Entry, Gradebook, Student
from grader.core.report.html import fill_in
from grader.core.report.view import NAME_LIMIT
from grader.core.text import one_line
from grader.people.names import PLAIN, bare_name, read_name
from grader.people.people import letters_of, student_in_words
from grader.results.view import NOTHING, with_outcome

_LIKELY = 0.8  # similarity of two names, from 0 to 1, from which they may be one person's
_ONE_WORD, _ALL_WORDS = 0.85, 0.95
_MIN_LETTERS = 3  # letters of a word that says something about a person
_MAX_LISTED = 20  # in the terminal, of each kind
_MAX_COMPARED = 10_000  # pairs: beyond that, the roster is another class's
_WIDTH = 30


class Unmatched(NamedTuple):
    """Work without a student, and students without work."""

    pairs: tuple[tuple[str, Student], ...]  # submissions, each with the student whose it likely is
    work: tuple[str, ...]  # the other submissions of nobody on the roster
    students: tuple[Student, ...]  # the other students without work

    @property
    def rows(self) -> list[tuple[str, Student | None]]:
        """All of them side by side: a submission, a student, or both."""
        return [*self.pairs, *((name, None) for name in self.work), *(("", student) for student in self.students)]


def unmatched_of(book: Gradebook) -> Unmatched:
    """Return whom nobody knows in a class; nothing where it has no roster."""
    entries = [grade.entry for grade in book.grades if grade.entry.is_unknown]
    work = [entry.uploads[0] if entry.uploads else entry.id for entry in entries]
    students = [student for grade in with_outcome(book, NOTHING) for student in grade.entry.students]
    pairs = _pair(entries, students) if len(entries) * len(students) <= _MAX_COMPARED else {}
    return Unmatched(
        tuple((work[upload], students[student]) for upload, student in sorted(pairs.items())),
        tuple(name for number, name in enumerate(work) if number not in pairs),
        tuple(student for number, student in enumerate(students) if number not in pairs.values()),
    )


def _pair(entries: list[Entry], students: list[Student]) -> dict[int, int]:
    """Return the numbers of the pairs that are likely, and of which no other is as likely for either."""
    ours = [list(map(_spell, _names_of_work(entry))) for entry in entries]
    theirs = [list(map(_spell, _names_of_student(student))) for student in students]
    scores = {
        (upload, student): score
        for upload, names in enumerate(ours)
        for student, known in enumerate(theirs)
        if (score := max((_likeness(name, text) for name in names for text in known), default=0)) >= _LIKELY
    }
    of_work, of_student = defaultdict[int, list[float]](list), defaultdict[int, list[float]](list)
    for (upload, student), score in scores.items():
        of_work[upload].append(score)
        of_student[student].append(score)
    return {
        upload: student
        for (upload, student), score in scores.items()
        if all(max(rivals) == score and rivals.count(score) == 1 for rivals in (of_work[upload], of_student[student]))
    }


def _names_of_work(entry: Entry) -> tuple[str, ...]:
    """Return what a submission says about its owner."""
    if not entry.uploads or entry.platform in {"", PLAIN}:
        return (entry.id, *map(bare_name, entry.uploads))
    named = read_name(entry.uploads[0], entry.platform)
    return tuple(filter(None, (named.user or named.who, named.number)))


def _names_of_student(student: Student) -> Iterator[str]:
    words = student.name.split()
    yield from filter(None, (student.id, student.login, student.email.partition("@")[0], student.name))
    if len(words) > 1:
        yield from (" ".join(words[::-1]), f"{words[0][0]}{words[-1]}", f"{words[-1]}{words[0][0]}")


class _Spelling(NamedTuple):
    """A name, as it is compared: computed once, since everybody is compared with everybody."""

    letters: str
    digits: str
    words: frozenset[str]


def _spell(name: str) -> _Spelling:
    """Spell a name, without leading zeros: spreadsheets drop them."""
    letters, words = letters_of(name).lstrip("0"), re.split(r"[\W_]+", name.casefold())
    return _Spelling(
        letters, re.sub(r"\D", "", letters), frozenset(word for word in words if len(word) >= _MIN_LETTERS)
    )


def _likeness(ours: _Spelling, theirs: _Spelling) -> float:
    """Return how alike the name of a submission and one of a student's are, from 0 to 1; 0 for what is not likely."""
    first, second = ours.letters, theirs.letters
    if first == second or min(len(first), len(second)) < _MIN_LETTERS:
        return float(first == second != "")
    fewer, more = sorted((ours.words, theirs.words), key=len)
    if fewer and fewer <= more and (len(fewer) > 1 or len(theirs.words) == 1):
        return _ALL_WORDS
    if ours.digits != theirs.digits and min(len(ours.digits), len(theirs.digits)) >= _MIN_LETTERS:
        # The numbers of a class are alike: one place differs, or two are swapped.
        differ = sum(map(str.__ne__, first, second)) if len(first) == len(second) else len(second)
        return _LIKELY if differ == 1 or (differ == 2 and sorted(first) == sorted(second)) else 0.0  # noqa: PLR2004
    is_near = 2 * min(len(first), len(second)) >= _LIKELY * (len(first) + len(second))
    matcher = SequenceMatcher(None, first, second) if is_near else None
    likeness = matcher.ratio() if matcher and matcher.quick_ratio() >= _LIKELY else 0.0
    return max(likeness, _ONE_WORD if fewer & more else 0.0)


# ---------------------------------------------------------------- in words


def unmatched_lines(unmatched: Unmatched) -> list[str]:
    """Render the lines for the terminal, likely pairs side by side at the end."""
    if not unmatched.rows:
        return []
    pairs = [(one_line(name, _WIDTH), student_in_words(student)) for name, student in unmatched.pairs]
    lines = fill_in(
        "unmatched.txt",
        students=[*map(student_in_words, unmatched.students), *(student for _, student in pairs)],
        work=[one_line(name, NAME_LIMIT) for name in (*unmatched.work, *(name for name, _ in unmatched.pairs))],
        pairs=pairs,
        width=max((len(name) for name, _ in pairs), default=0),
        most=_MAX_LISTED,
    )
    return lines.decode().splitlines()
