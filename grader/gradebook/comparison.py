"""Two runs of a class side by side: whose grade changes, by how much, and on account of what.

All texts of a comparison are as they may be shown: escaped and printable. Of a test that students may not see, there is
its name and its points, and no reason, unless whoever compared asked for it.

A grade falls when its points do; when the two runs have another maximum, when its share of the maximum does, by more
than rounding explains. Whoever we owe a grade has not fallen, and is told apart.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import msgspec

from grader.classroom.store import ReportKey
from grader.errors import UsageError
from grader.gradebook.spec_changes import SpecChange, changes_between
from grader.gradebook.statistics import outcome_of, percent_text
from grader.model import Verdict
from grader.model.gradebook import Grade, Gradebook
from grader.model.report import Report, ReportedCase, ReportedSpec, ReportedTest
from grader.report.json import to_json_file
from grader.text import one_line, show

Kind = Literal["falls", "gone", "ungraded", "rises", "graded", "appeared", "shifts", "same"]
"""what becomes of a grade: `shifts` when points move from test to test, and their sum stays"""

Cause = Literal["submission", "spec", "reference", "tools", "sandbox", "grader"]
"""something that a grade depends on, and that is not what it was"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedCause:
    """Something else that grades depend on, and for how many submissions it is not what it was."""

    cause: Cause
    text: str
    """`python3: Python 3.11.2 -> Python 3.12.1`; empty when only its digest is known"""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TestChange:
    """A test whose points or verdict changed; None where it is not part of that run."""

    __test__ = False

    name: str
    old_points: float | None
    new_points: float | None
    old_score: float | None
    new_score: float | None
    old_verdict: str | None
    new_verdict: str | None
    reasons: tuple[str, ...] = ()
    """a sentence each: what a case shows, what the spec changed"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What somebody has in one run."""

    words: str
    """the verdict, or that nothing was handed in, or that it is not graded yet"""
    score: float | None
    max_score: float
    is_open: bool = False
    """whether we owe the grade: ungraded, or not graded yet"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeChange:
    """A submission in both runs."""

    id: str
    names: tuple[str, ...]
    """of the students, where a roster tells them"""
    kind: Kind
    old: Standing | None
    """None when it is not part of that run, also below"""
    new: Standing | None
    causes: tuple[Cause, ...] = ()
    reasons: tuple[str, ...] = ()
    """what concerns all tests, such as a build that fails"""
    tests: tuple[TestChange, ...] = ()
    is_known: bool = True
    """whether all is known that the two grades depend on: single reports do not tell which reference it was"""

    @property
    def is_lower(self) -> bool:
        """Whether somebody has less than before: fewer points, or a grade no more."""
        return self.kind == "falls" or (self.kind == "gone" and self.old is not None and self.old.score is not None)

    @property
    def delta(self) -> float:
        """Points of now less those of before, rounded to two places; 0 when one of them is not known."""
        old, new = (standing.score if standing else None for standing in (self.old, self.new))
        return 0.0 if old is None or new is None else round(new - old, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All that changed from one run to another."""

    old: ReportedSpec
    new: ReportedSpec
    old_max: float
    new_max: float
    spec_changes: tuple[SpecChange, ...]
    differences: tuple[ChangedCause, ...]
    changes: tuple[GradeChange, ...]
    """those that fall come first, the deepest fall before the others; whoever stays the same is not among them"""
    unchanged: int
    still_open: int
    """of the unchanged, those that have no grade in either run because we owe it"""


_ORDER: tuple[Kind, ...] = ("falls", "gone", "ungraded", "rises", "graded", "appeared", "shifts")
_HALF = Fraction(1, 200)
"""what rounding to two places can hide"""

_DIGITS = 12
"""of a digest, where people read it"""

_STOPS_ALL = (Verdict.UNGRADED, Verdict.BUILD_FAILED)
"""verdicts that say nothing about one case: what is behind them is told once"""

ReportKeys = Mapping[str, ReportKey]
"""id -> what the report depends on"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """A submission's grades in both runs, None where it is not part of one, and their keys as far as they are known."""

    old: Grade | None
    new: Grade | None
    old_key: ReportKey | None = None
    new_key: ReportKey | None = None

    @property
    def records(self) -> tuple[Report, Report] | None:
        one, other = (grade.report if grade else None for grade in (self.old, self.new))
        return (one, other) if one and other else None


def compare_gradebooks(
    old: Gradebook, new: Gradebook, *, keys: tuple[ReportKeys, ReportKeys] | None = None, hidden: bool = False
) -> Comparison:
    """Compare two gradebooks; `hidden` tells also what students may not see of a test. Nothing is read or run."""
    pairs = _paired(old, new, keys or ({}, {}))
    changes = changes_between(old, new, next(filter(None, (pair.records for pair in pairs)), None), hidden=hidden)
    found = [_grade_change(pair, (old, new), changes, hidden=hidden) for pair in pairs]
    same = [change for change in found if change.kind == "same"]
    causes = Counter(cause for pair in pairs for cause in _causes(pair))
    return Comparison(
        old=old.spec,
        new=new.spec,
        old_max=old.max_score,
        new_max=new.max_score,
        spec_changes=changes,
        differences=tuple(ChangedCause(cause=cause, text=text, count=count) for (cause, text), count in causes.items()),
        changes=tuple(sorted((change for change in found if change.kind != "same"), key=_rank)),
        unchanged=len(same),
        still_open=sum(change.new is not None and change.new.is_open for change in same),
    )


def comparison_to_json(comparison: Comparison) -> bytes:
    """Write a comparison for programs."""
    found: dict[str, Any] = msgspec.to_builtins(comparison)
    found["changes"] = [
        {**msgspec.to_builtins(change), "delta": change.delta, "is_lower": change.is_lower}
        for change in comparison.changes
    ]
    found["counts"] = Counter(change.kind for change in comparison.changes)
    return to_json_file(found)


def _rank(change: GradeChange) -> tuple[int, float, str]:
    return _ORDER.index(change.kind), change.delta if change.kind == "falls" else -change.delta, change.id


def _paired(old: Gradebook, new: Gradebook, keys: tuple[ReportKeys, ReportKeys]) -> list[_Pair]:
    """Put together what belongs together: the same id, or one that is shown the same, as in folders of `grader run`."""
    before, after = _by_id(old), _by_id(new)
    shown = {show(name): name for name in before.keys() - after.keys()}
    partners = {name: name if name in before else shown.pop(show(name), None) for name in after}
    both = [(before[partner] if partner is not None else None, after[name]) for name, partner in partners.items()]
    gone = [before[name] for name in sorted(before.keys() - set(partners.values()))]
    sides = [*both, *((grade, None) for grade in gone)]
    return [
        _Pair(
            old=one,
            new=other,
            old_key=keys[0].get(one.entry.id) if one else None,
            new_key=keys[1].get(other.entry.id) if other else None,
        )
        for one, other in sides
    ]


def _by_id(book: Gradebook) -> dict[str, Grade]:
    grades = {grade.entry.id: grade for grade in book.grades}
    if len(grades) < len(book.grades):
        name = next(one for one, count in Counter(grade.entry.id for grade in book.grades).items() if count > 1)
        raise UsageError(f"two reports are both called {one_line(name)}: keep the one that counts, and compare again")
    return grades


def _grade_change(
    pair: _Pair, books: tuple[Gradebook, Gradebook], spec_changes: Sequence[SpecChange], *, hidden: bool
) -> GradeChange:
    old, new = (_standing(grade, book) for grade, book in zip((pair.old, pair.new), books, strict=True))
    grade = pair.new or pair.old
    assert grade is not None  # noqa: S101 - a pair has one grade at least
    causes = tuple(dict.fromkeys(cause for cause, _ in _causes(pair)))
    concerning = spec_changes if "spec" in causes else ()
    records = pair.records
    tests = _changes_of_tests(*records, concerning, hidden=hidden) if records else ()
    kind = _kind(old, new)
    if kind == "same" and tests:
        kind = "shifts"
    return GradeChange(
        id=show(grade.entry.id),
        names=tuple(show(student.name) for student in grade.entry.students if student.name),
        kind=kind,
        old=old,
        new=new,
        causes=causes,
        reasons=_whole_reasons(*records, hidden=hidden) if records else (),
        tests=tests,
        is_known=pair.old_key is not None and pair.new_key is not None,
    )


def _standing(grade: Grade | None, book: Gradebook) -> Standing | None:
    if grade is None:
        return None
    record = grade.report
    owed = record.verdict is Verdict.UNGRADED if record else grade.entry.path is not None
    return Standing(
        words=outcome_of(grade),
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
    tools = [
        f"{name}: {old.toolchain.get(name, 'none')} -> {new.toolchain.get(name, 'none')}"
        for name in sorted({*old.toolchain, *new.toolchain})
        if old.toolchain.get(name) != new.toolchain.get(name)
    ]
    yield from (("tools", text) for text in tools)
    if old.sandbox != new.sandbox:
        yield "sandbox", " -> ".join("; ".join((side.sandbox.level, *side.sandbox.warnings)) for side in (old, new))
    elif keys and not tools and keys[0].toolchain != keys[1].toolchain:
        yield "tools", "how they are started, or their limits"
    if old.grader != new.grader:
        yield "grader", f"{old.grader} -> {new.grader}"


# ---------------------------------------------------------------- why a test has other points


def _changes_of_tests(
    old: Report, new: Report, changes: Sequence[SpecChange], *, hidden: bool
) -> tuple[TestChange, ...]:
    """Return the tests whose points or verdict differ, in the order of the specs.

    `changes` are those of the spec, as far as they concern this submission. Without `hidden`, a test that students may
    not see has its points and nothing else.
    """
    before, after = ({test.name: test for test in record.tests} for record in (old, new))
    pairs = [(before.get(name), after.get(name)) for name in dict.fromkeys([*before, *after])]
    found = [_change_of_test(one, other, changes, hidden=hidden) for one, other in pairs]
    return tuple(change for change in found if change is not None)


def _whole_reasons(old: Report, new: Report, *, hidden: bool) -> tuple[str, ...]:
    """Return what concerns all tests at once: a build that fails, a failure of ours; now or before."""
    now, before = _whole_reason(new, hidden=hidden), _whole_reason(old, hidden=hidden)
    if now == before:
        return ()
    return tuple(filter(None, (now, before and f"Before: {before}")))


def _said_of(case: ReportedCase) -> str:
    """Say what is to be said about a case, never nothing."""
    return case.message or " ".join(one.message for one in case.deviations) or f"The case is {case.verdict}."


def _whole_reason(record: Report, *, hidden: bool) -> str:
    if not record.build.ok:
        return f"The build fails: {record.build.message or 'it does not say why.'}"
    for test in record.tests:
        case = next((case for case in test.cases if case.verdict in _STOPS_ALL), None)
        if case is not None:
            shown = hidden or test.visibility == "visible"
            return f"{case.id} is {case.verdict}: {_said_of(case)}" if shown else f"{test.name} is {case.verdict}."
    return ""


def _change_of_test(
    old: ReportedTest | None, new: ReportedTest | None, changes: Sequence[SpecChange], *, hidden: bool
) -> TestChange | None:
    sides = [side for side in (old, new) if side is not None]
    shown = hidden or all(side.visibility == "visible" for side in sides)
    if old and new and (old.points, old.score) == (new.points, new.score) and (old.verdict == new.verdict or not shown):
        return None
    return TestChange(
        name=sides[-1].name,
        old_points=old.points if old else None,
        new_points=new.points if new else None,
        old_score=old.score if old else None,
        new_score=new.score if new else None,
        old_verdict=old.verdict if old and shown else None,
        new_verdict=new.verdict if new and shown else None,
        reasons=tuple(_reasons_of_test(old, new, changes, shown=shown)),
    )


def _reasons_of_test(
    old: ReportedTest | None, new: ReportedTest | None, changes: Sequence[SpecChange], *, shown: bool
) -> Iterator[str]:
    if old is None or new is None:
        yield "The test is new." if old is None else "There is no such test any more."
        return
    if shown:
        yield from _first_cases(old, new)
    kinds = {one.kind for case in (*old.cases, *new.cases) for one in case.deviations} if shown else set[str]()
    shared = {f"tolerate.{kind}" for kind in kinds}
    yield from (change.text for change in changes if change.test == new.name or change.path in shared)


def _first_cases(old: ReportedTest, new: ReportedTest) -> Iterator[str]:
    """Tell of the first case that is worth less than before, and of the first that is worth more."""
    before = {case.id: case for case in old.cases}
    pairs = [(before[case.id], case) for case in new.cases if case.id in before]
    lower = [(one, other) for one, other in pairs if other.credit < one.credit and other.verdict not in _STOPS_ALL]
    higher = [(one, other) for one, other in pairs if other.credit > one.credit and one.verdict not in _STOPS_ALL]
    for group in (lower, higher):
        if group:
            more = f" and {len(group) - 1} more" if len(group) > 1 else ""
            yield f"{group[0][1].id}{more}: {_case_change(*group[0])}"


def _case_change(old: ReportedCase, new: ReportedCase) -> str:
    before = {(one.kind, one.stream): one.keeps for one in old.deviations}
    after = {(one.kind, one.stream): one.keeps for one in new.deviations}
    if before.keys() == after.keys():
        for (kind, stream), keeps in after.items():
            was = before[kind, stream]
            if was != keeps:
                return f"{kind} keeps {percent_text(keeps)} of the credit; before, {percent_text(was)}."
    if new.credit < old.credit:
        return _said_of(new)
    return f"{new.verdict} now; before: {_said_of(old)}"
