"""`grader diff`: two gradebooks -> whose grade changes, by how much, on account of what.

A grade falls when its points do; when the two runs have another maximum, when its share of the maximum does, by more
than rounding explains. Whoever we owe a grade has not fallen, and is told apart.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.classroom.store import Key
from grader.errors import UsageError
from grader.gradebook.grades_csv import verdict
from grader.gradebook.reasons import test_changes, whole_reasons
from grader.gradebook.spec_changes import book_changes
from grader.model import Verdict
from grader.model.comparison import Cause, Change, Comparison, Difference, Kind, SpecChange, Standing
from grader.model.gradebook import Grade, Gradebook
from grader.model.report import Report
from grader.text import one_line, show

_ORDER: tuple[Kind, ...] = ("falls", "gone", "ungraded", "rises", "graded", "appeared", "shifts")
_HALF = Fraction(1, 200)
"""what rounding to two places can hide"""

_DIGITS = 12
"""of a digest, where people read it"""

Keys = Mapping[str, Key]
"""id -> what the report depends on"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """A submission's grades in both runs, None where it is not part of one, and their keys as far as they are known."""

    old: Grade | None
    new: Grade | None
    old_key: Key | None = None
    new_key: Key | None = None

    @property
    def records(self) -> tuple[Report, Report] | None:
        one, other = (grade.report if grade else None for grade in (self.old, self.new))
        return (one, other) if one and other else None


def compare(
    old: Gradebook, new: Gradebook, *, keys: tuple[Keys, Keys] | None = None, hidden: bool = False
) -> Comparison:
    """Compare two gradebooks; `hidden` tells also what students may not see of a test. Nothing is read or run."""
    pairs = _pairs(old, new, keys or ({}, {}))
    changes = book_changes(old, new, next(filter(None, (pair.records for pair in pairs)), None), hidden=hidden)
    found = [_change(pair, (old, new), changes, hidden=hidden) for pair in pairs]
    same = [change for change in found if change.kind == "same"]
    return Comparison(
        old=old.spec,
        new=new.spec,
        old_max=old.max_score,
        new_max=new.max_score,
        spec_changes=changes,
        differences=_differences(pairs),
        changes=tuple(sorted((change for change in found if change.kind != "same"), key=_place)),
        unchanged=len(same),
        still_open=sum(change.new is not None and change.new.is_open for change in same),
    )


def _place(change: Change) -> tuple[int, float, str]:
    return _ORDER.index(change.kind), change.delta if change.kind == "falls" else -change.delta, change.id


def _pairs(old: Gradebook, new: Gradebook, keys: tuple[Keys, Keys]) -> list[_Pair]:
    """Put together what belongs together: the same id, or one that is shown the same, as in folders of `grader run`."""
    before, after = _by_id(old), _by_id(new)
    shown = {show(name): name for name in before.keys() - after.keys()}
    partners = {name: name if name in before else shown.pop(show(name), None) for name in after}
    both = [(before[partner] if partner is not None else None, after[name]) for name, partner in partners.items()]
    gone = [before[name] for name in sorted(before.keys() - set(partners.values()))]
    sides = [*both, *((grade, None) for grade in gone)]
    return [_Pair(old=one, new=other, old_key=_key(one, keys[0]), new_key=_key(other, keys[1])) for one, other in sides]


def _by_id(book: Gradebook) -> dict[str, Grade]:
    grades = {grade.entry.id: grade for grade in book.grades}
    if len(grades) < len(book.grades):
        name = next(one for one, count in Counter(grade.entry.id for grade in book.grades).items() if count > 1)
        raise UsageError(f"two reports are both called {one_line(name)}: keep the one that counts, and compare again")
    return grades


def _key(grade: Grade | None, keys: Keys) -> Key | None:
    return keys.get(grade.entry.id) if grade else None


def _change(
    pair: _Pair, books: tuple[Gradebook, Gradebook], spec_changes: Sequence[SpecChange], *, hidden: bool
) -> Change:
    old, new = (_standing(grade, book) for grade, book in zip((pair.old, pair.new), books, strict=True))
    grade = pair.new or pair.old
    assert grade is not None  # noqa: S101 - a pair has one grade at least
    causes = tuple(dict.fromkeys(cause for cause, _ in _causes(pair)))
    concerning = spec_changes if "spec" in causes else ()
    records = pair.records
    tests = test_changes(*records, concerning, hidden=hidden) if records else ()
    kind = _kind(old, new)
    if kind == "same" and tests:
        kind = "shifts"
    return Change(
        id=show(grade.entry.id),
        names=tuple(show(student.name) for student in grade.entry.students if student.name),
        kind=kind,
        old=old,
        new=new,
        causes=causes,
        reasons=whole_reasons(*records, hidden=hidden) if records else (),
        tests=tests,
        is_known=pair.old_key is not None and pair.new_key is not None,
    )


def _standing(grade: Grade | None, book: Gradebook) -> Standing | None:
    if grade is None:
        return None
    record = grade.report
    owed = record.verdict is Verdict.UNGRADED if record else grade.entry.path is not None
    return Standing(
        words=verdict(grade),
        score=record.score if record else None,
        max_score=record.max_score if record else book.max_score,
        is_open=owed,
    )


def _kind(old: Standing | None, new: Standing | None) -> Kind:
    if new is None or (new.score is None and not new.is_open and old and (old.score is not None or old.is_open)):
        return "gone"
    if old is None:
        return "appeared"
    if new.score is None:
        return "ungraded" if new.is_open and not old.is_open else "same"
    if old.score is None:
        return "graded"
    return _direction(Fraction(str(old.score)), Fraction(str(new.score)), old.max_score, new.max_score)


def _direction(old: Fraction, new: Fraction, old_max: float, new_max: float) -> Kind:
    if old_max == new_max or not (old_max and new_max):
        return "falls" if new < old else "rises" if new > old else "same"
    most = Fraction(str(old_max)), Fraction(str(new_max))
    delta = new / most[1] - old / most[0]
    if abs(delta) <= _HALF / most[0] + _HALF / most[1]:
        return "same"
    return "falls" if delta < 0 else "rises"


def _causes(pair: _Pair) -> Iterator[tuple[Cause, str]]:
    """Yield what this grade depends on and is not what it was, each with a text for people, where there is one."""
    if pair.records is None:
        return
    old, new = pair.records
    if old.submission.digest != new.submission.digest:
        yield "submission", ""
    if old.spec.digest != new.spec.digest:
        yield "spec", f"{old.spec.digest[:_DIGITS]} -> {new.spec.digest[:_DIGITS]}"
    keys = (pair.old_key, pair.new_key) if pair.old_key and pair.new_key else None
    if keys and keys[0].reference != keys[1].reference:
        yield "reference", f"{keys[0].reference[:_DIGITS]} -> {keys[1].reference[:_DIGITS]}"
    tools = list(_tools(old.toolchain, new.toolchain))
    yield from (("tools", text) for text in tools)
    if old.sandbox != new.sandbox:
        yield "sandbox", " -> ".join("; ".join((side.sandbox.level, *side.sandbox.warnings)) for side in (old, new))
    elif keys and not tools and keys[0].toolchain != keys[1].toolchain:
        yield "tools", "how they are started, or their limits"
    if old.grader != new.grader:
        yield "grader", f"{old.grader} -> {new.grader}"


def _tools(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            yield f"{name}: {old.get(name, 'none')} -> {new.get(name, 'none')}"


def _differences(pairs: Sequence[_Pair]) -> tuple[Difference, ...]:
    counts = Counter(found for pair in pairs for found in _causes(pair))
    return tuple(Difference(cause=cause, text=text, count=count) for (cause, text), count in counts.items())
