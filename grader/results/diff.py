"""Compare two runs of a class: whose grade changes, by how much, and why.

All texts of a comparison are escaped and printable. A hidden test has its name and its points, and no reason, unless
the caller asks for it.

A grade falls when its points do. If the two runs have different maxima, its share of the maximum is compared, and must
fall by more than rounding explains. An ungraded submission has not fallen; it is listed separately.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import takewhile
from typing import Any, Literal, TypeGuard

import msgspec

from grader.core.errors import UsageError
from grader.core.model.gradebook import Grade, Gradebook
from grader.core.model.judgement import Verdict
from grader.core.model.report import Report, ReportedCase, ReportedSpec, ReportedTest
from grader.core.report.json import to_json
from grader.core.report.view import case_summary, describe_cause, describe_work
from grader.core.text import one_line, percent, show
from grader.core.yaml.parsing import Outline, outline
from grader.results.store import ReportKey
from grader.results.view import grade_view, points_text

ChangeKind = Literal["falls", "gone", "ungraded", "rises", "graded", "appeared", "shifts", "same"]
"""how a grade changed: `shifts` when points move between tests and their sum stays"""

Cause = Literal["submission", "spec", "reference", "tools", "sandbox", "grader", "after"]
"""a dependency of a grade that changed; `after` is the post-grading"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecChange:
    """A place in the spec, `tests[usage].points`, with its old and new value; None where there is none.

    Both are empty if the change is hidden from students.
    """

    path: str
    old: str | None
    new: str | None
    test: str = ""
    """the test that it belongs to; empty for what all tests share"""

    @property
    def text(self) -> str:
        """The change on one line."""
        if self.old == self.new == "":
            return f"{self.path}: changed, and students may not see how"
        old, new = ("none" if side is None else side for side in (self.old, self.new))
        return f"{self.path}: {old} -> {new}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedCause:
    """A changed dependency of grades, and the number of submissions that it concerns."""

    cause: Cause
    text: str
    """`python3: Python 3.11.2 -> Python 3.12.1`; empty when only its digest is known"""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TestChange:
    """A test whose points or verdict changed; None for a run without it."""

    __test__ = False

    name: str
    old_points: float | None
    new_points: float | None
    old_score: float | None
    new_score: float | None
    old_verdict: str | None
    new_verdict: str | None
    reasons: tuple[str, ...] = ()
    """a sentence each: a changed case, a change of the spec"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The result of a submission in one run."""

    words: str
    """the verdict, or that nothing was handed in, or that it is not graded yet"""
    score: float | None
    """the final score"""
    max_score: float
    is_open: bool = False
    """whether a grade is still due: ungraded, or not graded yet"""
    graded: float | None = None
    """the score before the post-grading, where there is any"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeChange:
    """A submission in both runs."""

    id: str
    names: tuple[str, ...]
    """of the students, where a roster tells them"""
    kind: ChangeKind
    old: Standing | None
    """None for a run without this submission; the same for `new`"""
    new: Standing | None
    causes: tuple[Cause, ...] = ()
    reasons: tuple[str, ...] = ()
    """reasons for all tests at once, such as a failed build"""
    tests: tuple[TestChange, ...] = ()
    is_known: bool = True
    """whether all dependencies of both grades are known: single reports do not record the reference"""

    @property
    def is_lower(self) -> bool:
        """Whether there are fewer points than before, or no grade any more."""
        return self.kind == "falls" or (self.kind == "gone" and self.old is not None and self.old.score is not None)

    @property
    def delta(self) -> float:
        """The change in points, rounded to two places; 0 when one of them is not known."""
        old, new = (standing.score if standing else None for standing in (self.old, self.new))
        return 0.0 if old is None or new is None else round(new - old, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The changes from one run to another."""

    old: ReportedSpec
    new: ReportedSpec
    old_max: float
    new_max: float
    spec_changes: tuple[SpecChange, ...]
    differences: tuple[ChangedCause, ...]
    changes: tuple[GradeChange, ...]
    """the falls come first, largest first; unchanged grades are not included"""
    unchanged: int
    still_open: int
    """the number of unchanged submissions that are ungraded in both runs"""


VALUE_LIMIT = 60
"""bytes of a value that is shown"""

_LEAD = 12
"""characters of the common start of two long values that are shown before their difference"""

_ORDER: tuple[ChangeKind, ...] = ("falls", "gone", "ungraded", "rises", "graded", "appeared", "shifts")
_HALF = Fraction(1, 200)
"""the largest error of rounding to two places"""

_DIGITS = 12
"""characters of a digest that are shown"""

_STOPS_ALL = (Verdict.UNGRADED, Verdict.BUILD_FAILED)
"""verdicts about the whole submission, whose reason is reported once"""

ReportKeys = Mapping[str, ReportKey]
"""id -> what the report depends on"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """A submission's grades in both runs (None for a run without it), and their keys if known."""

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
    """Compare two gradebooks; `hidden` includes details of hidden tests. Nothing is read or run."""
    pairs = _pair_grades(old, new, keys or ({}, {}))
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
        changes=tuple(
            sorted(
                (change for change in found if change.kind != "same"),
                key=lambda one: (_ORDER.index(one.kind), one.delta if one.kind == "falls" else -one.delta, one.id),
            )
        ),
        unchanged=len(same),
        still_open=sum(change.new is not None and change.new.is_open for change in same),
    )


def comparison_to_json(comparison: Comparison) -> bytes:
    """Render a comparison as JSON."""
    found: dict[str, Any] = msgspec.to_builtins(comparison)
    found["changes"] = [
        {**msgspec.to_builtins(change), "delta": change.delta, "is_lower": change.is_lower}
        for change in comparison.changes
    ]
    found["counts"] = Counter(change.kind for change in comparison.changes)
    return to_json(found)


def _pair_grades(old: Gradebook, new: Gradebook, keys: tuple[ReportKeys, ReportKeys]) -> list[_Pair]:
    """Pair the grades with the same id, or with ids that are shown the same, as in folders of `grader run`."""
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
    # A reason for all tests at once, such as a failed build, is included only when it changed.
    before, now = (_whole_reason(record, hidden=hidden) for record in records) if records else ("", "")
    reasons = () if now == before else tuple(filter(None, (now, before and f"Before: {before}")))
    if pair.old and pair.new:
        reasons += tuple(_changes_after(pair))
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
        reasons=reasons,
        tests=tests,
        is_known=pair.old_key is not None and pair.new_key is not None,
    )


def _standing(grade: Grade | None, book: Gradebook) -> Standing | None:
    if grade is None:
        return None
    record, view = grade.report, grade_view(grade)
    return Standing(
        words=view.outcome,
        score=grade.counted,
        max_score=record.max_score if record else book.max_score,
        is_open=view.awaits_grade,
        graded=record.score if record and record.final else None,
    )


def _kind(old: Standing | None, new: Standing | None) -> ChangeKind:
    if new is None or (new.score is None and not new.is_open and old and (old.score is not None or old.is_open)):
        return "gone"
    if old is None:
        return "appeared"
    if new.score is None:
        return "ungraded" if new.is_open and not old.is_open else "same"
    if old.score is None:
        return "graded"
    delta, hidden = Fraction(str(new.score)) - Fraction(str(old.score)), Fraction(0)
    if old.max_score != new.max_score and old.max_score and new.max_score:
        most = Fraction(str(old.max_score)), Fraction(str(new.max_score))
        delta = Fraction(str(new.score)) / most[1] - Fraction(str(old.score)) / most[0]
        hidden = _HALF / most[0] + _HALF / most[1]  # the most that rounding explains
    return "same" if abs(delta) <= hidden else "falls" if delta < 0 else "rises"


def _causes(pair: _Pair) -> Iterator[tuple[Cause, str]]:
    """Yield the changed dependencies of this grade, each with a text for people, or an empty one."""
    yield from _causes_in_reports(pair)
    if pair.old and pair.new and grade_view(pair.old).changes != grade_view(pair.new).changes:
        yield "after", ""


def _causes_in_reports(pair: _Pair) -> Iterator[tuple[Cause, str]]:
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

    `changes` are those of the spec that concern this submission. Without `hidden`, a hidden test has only its points.
    """
    before, after = ({test.name: test for test in record.tests} for record in (old, new))
    found: list[TestChange] = []
    for name in dict.fromkeys([*before, *after]):
        one, other = before.get(name), after.get(name)
        shown = hidden or all(side.visibility == "visible" for side in (one, other) if side)
        worths = [side and (side.points, side.score, side.verdict if shown else None) for side in (one, other)]
        if worths[0] == worths[1]:
            continue
        found.append(
            TestChange(
                name=name,
                old_points=one.points if one else None,
                new_points=other.points if other else None,
                old_score=one.score if one else None,
                new_score=other.score if other else None,
                old_verdict=one.verdict if one and shown else None,
                new_verdict=other.verdict if other and shown else None,
                reasons=tuple(_reasons_of_test(one, other, changes, shown=shown)),
            )
        )
    return tuple(found)


def _whole_reason(record: Report, *, hidden: bool) -> str:
    if not record.build.ok:
        return f"The build fails: {record.build.message or 'it does not say why.'}"
    for test in record.tests:
        case = next((case for case in test.cases if case.verdict in _STOPS_ALL), None)
        if case is not None:
            shown = hidden or test.visibility == "visible"
            return f"{case.id} is {case.verdict}: {case_summary(case)}" if shown else f"{test.name} is {case.verdict}."
    cause = describe_cause(record, hidden=hidden)
    return " ".join([*([f"{cause.title}: {cause.sentence}"] if cause else []), *describe_work(record)])


def _changes_after(pair: _Pair) -> Iterator[str]:
    before, now = (grade_view(grade).changes if grade else [] for grade in (pair.old, pair.new))
    yield from (line for line in now if line not in before)
    yield from (f"No more: {line}" for line in before if line not in now)


def _reasons_of_test(
    old: ReportedTest | None, new: ReportedTest | None, changes: Sequence[SpecChange], *, shown: bool
) -> Iterator[str]:
    if old is None or new is None:
        yield "The test is new." if old is None else "There is no such test any more."
        return
    if shown:
        # The first case that lost credit, and the first that gained some.
        before = {case.id: case for case in old.cases}
        pairs = [(before[case.id], case) for case in new.cases if case.id in before]
        lower = [(one, other) for one, other in pairs if other.credit < one.credit and other.verdict not in _STOPS_ALL]
        higher = [(one, other) for one, other in pairs if other.credit > one.credit and one.verdict not in _STOPS_ALL]
        for group in filter(None, (lower, higher)):
            more = f" and {len(group) - 1} more" if len(group) > 1 else ""
            yield f"{group[0][1].id}{more}: {_case_change(*group[0])}"
    kinds = {one.kind for case in (*old.cases, *new.cases) for one in case.deviations} if shown else set[str]()
    shared = {f"tolerate.{kind}" for kind in kinds}
    yield from (change.text for change in changes if change.test == new.name or change.path in shared)


def _case_change(old: ReportedCase, new: ReportedCase) -> str:
    before = {(one.kind, one.stream): one.keeps for one in old.deviations}
    after = {(one.kind, one.stream): one.keeps for one in new.deviations}
    if before.keys() == after.keys():
        for place, keeps in after.items():
            if before[place] != keeps:
                was = percent(before[place])
                return f"{place[0]} keeps {percent(keeps)} of the credit; before, {was}."
    if new.credit < old.credit:
        return f"{new.verdict}, as said of the whole." if new.cause and not old.cause else case_summary(new)
    return f"{new.verdict} now; before: {case_summary(old)}"


# ---------------------------------------------------------------- what is different in a spec


def spec_changes(old: str, new: str, *, hidden: bool = False) -> tuple[SpecChange, ...]:
    """Compare two texts in YAML; `hidden` includes details of hidden tests. Raises SpecError for other texts."""
    return _compared_outlines(
        outline(old.encode(), "the old spec"), outline(new.encode(), "the new spec"), hidden=hidden
    )


def changes_between(
    old: Gradebook, new: Gradebook, pair: tuple[Report, Report] | None, *, hidden: bool = False
) -> tuple[SpecChange, ...]:
    """Compare the specs of two gradebooks; without their texts, fall back to the outlines in a `pair` of reports.

    The reports should be of one submission, because each submission may have its own generated cases.
    """
    if old.spec_text and new.spec_text:
        return spec_changes(old.spec_text, new.spec_text, hidden=hidden)
    if pair is None or pair[0].spec.digest == pair[1].spec.digest:
        return ()
    return _compared_outlines(_reported_outline(pair[0]), _reported_outline(pair[1]), hidden=hidden)


def _reported_outline(record: Report) -> Outline:
    """Return the outline of the spec that a report contains, with the spec's own keys."""
    tests: list[Outline] = [
        {
            "name": test.name,
            "points": points_text(test.points),
            **({"visibility": test.visibility} if test.visibility != "visible" else {}),
            **({"bonus": "true"} if test.bonus else {}),
            **({"about": test.about} if test.about else {}),
            **({"hint": test.hint} if test.hint else {}),
            "cases": {case.id: case.command for case in test.cases},
        }
        for test in record.tests
    ]
    return {"id": record.spec.id, "title": record.spec.title, "tests": tests}


def _compared_outlines(old: Outline, new: Outline, *, hidden: bool) -> tuple[SpecChange, ...]:
    secret: set[str] = set()
    for spec in () if hidden else (old, new):
        tests = _by_name(spec.get("tests") or ()) if isinstance(spec, Mapping) else {}
        secret |= {name for name, test in tests.items() if test.get("visibility", "visible") != "visible"}
    changes: list[SpecChange] = []
    for change in _changes_at("", "", old, new):
        whole = f"tests[{change.test}]"
        # Of a hidden test, its points, its visibility and the fact of other changes may be shown.
        if change.test in secret and change.path not in (whole, f"{whole}.points", f"{whole}.visibility"):
            changes.append(replace(change, path=whole, old="", new=""))
        else:
            changes.append(change)
    return tuple(dict.fromkeys(changes))


def _changes_at(path: str, test: str, old: Outline | None, new: Outline | None) -> Iterator[SpecChange]:
    if old == new:
        return
    if path == "tests" and isinstance(old, Sequence) and isinstance(new, Sequence):
        tests, tests_now = _by_name(old), _by_name(new)
        for name in dict.fromkeys([*tests, *tests_now]):
            one, other, place = tests.get(name), tests_now.get(name), f"tests[{one_line(name)}]"
            if one is None or other is None:
                worths = [None if side is None else _worth(side) for side in (one, other)]
                yield SpecChange(path=place, old=worths[0], new=worths[1], test=name)
            else:
                yield from _changes_at(place, name, one, other)
    elif _is_table(old, new) and _is_table(new, old):
        before, after = (side if isinstance(side, Mapping) else {} for side in (old, new))
        for key in dict.fromkeys([*before, *after]):
            place = f"{path}.{one_line(key)}" if path else one_line(key)
            yield from _changes_at(place, test, before.get(key), after.get(key))
    elif _is_tables(old) and _is_tables(new):
        yield from _list_changes(path, test, old, new)
    else:
        yield _value_change(path, test, old, new)


def _by_name(tests: Outline) -> dict[str, Mapping[str, Outline]]:
    return {show(_flow(test.get("name", ""))): test for test in tests if isinstance(test, Mapping)}


def _list_changes(path: str, test: str, old: Sequence[Outline], new: Sequence[Outline]) -> Iterator[SpecChange]:
    """Compare lists of mappings: by position if their lengths are equal, else by the items that only one has."""
    removed = [item for item in old if item not in new]
    added = [item for item in new if item not in old]
    if len(old) == len(new):
        for count, (one, other) in enumerate(zip(old, new, strict=True), start=1):
            yield from _changes_at(f"{path}[{count}]", test, one, other)
    elif removed or added:
        sides = [", ".join(map(_flow, items)) if items else None for items in (removed, added)]
        yield _value_change(path, test, *sides)
    else:
        yield _value_change(path, test, old, new)


def _is_table(side: Outline | None, other: Outline | None) -> bool:
    return isinstance(side, Mapping) or (side is None and isinstance(other, Mapping))


def _is_tables(side: Outline | None) -> TypeGuard[Sequence[Outline]]:
    return isinstance(side, list) and all(isinstance(item, Mapping) for item in side)


def _value_change(path: str, test: str, old: Outline | None, new: Outline | None) -> SpecChange:
    """Return the change of a value; the common start of two long values is cut off."""
    if old is None or new is None:
        sides = [None if side is None else one_line(_flow(side), VALUE_LIMIT) for side in (old, new)]
        return SpecChange(path=path, old=sides[0], new=sides[1], test=test)
    before, after = _flow(old), _flow(new)
    same = (one == other for one, other in zip(before, after, strict=False))
    common = len(list(takewhile(bool, same)))
    if common > VALUE_LIMIT // 2:
        before, after = (f"…{side[common - _LEAD :].lstrip()}" for side in (before, after))
    return SpecChange(path=path, old=one_line(before, VALUE_LIMIT), new=one_line(after, VALUE_LIMIT), test=test)


def _worth(test: Mapping[str, Outline]) -> str:
    """Return the points of a test as the spec has them."""
    worth = _flow(test.get("points", "1"))
    return f"{worth} {'point' if worth == '1' else 'points'}"


def _flow(value: Outline) -> str:
    """Write a value on one line, as YAML could."""
    if isinstance(value, str):
        return value or '""'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(_flow, value)) + "]"
