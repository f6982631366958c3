"""Whom somebody means: a student's id, name, login or e-mail address, a team, or the submission's own name."""

import difflib
from collections.abc import Iterator

from grader.classroom.names import bare_name
from grader.errors import UsageError
from grader.model.gradebook import Grade, Gradebook
from grader.text import inert, one_line, show

_SUGGESTED = 5


def find_grade(book: Gradebook, name: str) -> Grade:
    """Return the one grade that `name` stands for, in any letter case; UsageError when there is none, or several."""
    exact = [grade for grade in book.grades if grade.entry.id == name]
    wanted = name.casefold()
    found = exact or [grade for grade in book.grades if wanted in {known.casefold() for known in _names(grade)}]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{_safe(name)} may be {_listed([grade.entry.id for grade in found])}: name one by its id")
    raise UsageError(f"there is no {_safe(name)} in these results; {_suggestion(book, wanted)}")


def _names(grade: Grade) -> Iterator[str]:
    entry = grade.entry
    path = [entry.path.name, bare_name(entry.path.name)] if entry.path else []
    students = [word for one in entry.students for word in (one.id, one.name, one.email, one.login)]
    yield from filter(None, (entry.id, show(entry.id), entry.team, grade.folder, *path, *students))


def _suggestion(book: Gradebook, wanted: str) -> str:
    known = {name.casefold(): name for grade in book.grades for name in _names(grade)}
    inside = [folded for folded in known if wanted and wanted in folded]
    near = list(dict.fromkeys([*difflib.get_close_matches(wanted, known, 3), *inside]))
    if near:
        return f"did you mean {_listed([known[folded] for folded in near])}?"
    return f"there are: {_listed([grade.entry.id for grade in book.grades])}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _SUGGESTED} more" if len(names) > _SUGGESTED else ""
    return f"{', '.join(map(_safe, names[:_SUGGESTED]))}{more}"


def _safe(name: str) -> str:
    return inert(one_line(name), anywhere=True)
