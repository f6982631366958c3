"""Compare two runs of a class: whose grade changes, by how much, and why.

All texts of a comparison are escaped and printable. A hidden test has its name and its points, and no reason, unless
the caller asks for it.

A grade falls when its points do. If the two runs have different maxima, its share of the maximum is compared, and must
fall by more than rounding explains. An ungraded submission has not fallen; it is listed separately.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import takewhile
from typing import Any, Literal, NamedTuple, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grader.core.errors import UsageError
from grader.core.model.gradebook import Grade, Gradebook
from grader.core.model.report import Report, ReportedCase, ReportedSpec, ReportedTest, Verdict
from grader.core.report.document import describe_cause, describe_work
from grader.core.report.json import to_json
from grader.core.report.view import case_summary
from grader.core.text import one_line, percent, show
from grader.core.yaml.parsing import Outline, outline, parse
from grader.results.store import ReportKey
from grader.results.view import grade_view, points_text

ChangeKind = Literal["falls", "gone", "ungraded", "rises", "graded", "appeared", "shifts", "same"]
"""how a grade changed, in the order of showing: `shifts` when points move between tests and their sum stays"""

Cause = Literal["submission", "spec", "reference", "tools", "sandbox", "grader", "after"]
"""a dependency of a grade that changed; `after` is the post-grading"""

ReportKeys = Mapping[str, ReportKey]  # id -> what the report depends on
VALUE_LIMIT = 60  # bytes of a value that is shown
_LEAD = 12  # characters of the common start of two long values that are shown before their difference
_HALF = Fraction(1, 200)  # the largest error of rounding to two places
_DIGITS = 12  # characters of a digest that are shown
_STOPS_ALL = (Verdict.UNGRADED, Verdict.BUILD_FAILED)
"""verdicts about the whole submission, whose reason is reported once"""


class SpecChange(Struct, frozen=True):
    """A place in the spec, `tests[usage].points`, with its old and new value; None where there is none.

    Both are empty if the change is hidden from students. `test` is the one that it belongs to, if any.
    """

    path: str
    old: str | None
    new: str | None
    test: str = ""

    @property
    def text(self) -> str:
        """The change on one line."""
        old, new = ("none" if side is None else side for side in (self.old, self.new))
        how = f"{old} -> {new}" if old or new else "changed, and students may not see how"
        return f"{self.path}: {how}"


class ChangedCause(Struct, frozen=True):
    """A changed dependency of grades, and the number of submissions that it concerns."""

    cause: Cause
    text: str  # `python3: Python 3.11.2 -> Python 3.12.1`; empty when only its digest is known
    count: int


class TestChange(Struct, frozen=True):
    """A test whose points or verdict changed; None for a run without it. A reason is a sentence."""

    name: str
    old_points: float | None
    new_points: float | None
    old_score: float | None
    new_score: float | None
    old_verdict: str | None
    new_verdict: str | None
    reasons: tuple[str, ...] = ()


class Standing(Struct, frozen=True):
    """The result of a submission in one run."""

    words: str  # the verdict, or that nothing was handed in, or that it is not graded yet
    score: float | None  # the final score
    max_score: float
    is_open: bool  # whether a grade is still due: ungraded, or not graded yet
    graded: float | None  # the score before the post-grading, where there is any


class GradeChange(Struct, frozen=True, kw_only=True):
    """A submission in both runs: `old` is None for a run without it, and so is `new`."""

    id: str
    names: tuple[str, ...]  # of the students, where a roster tells them
    kind: ChangeKind
    old: Standing | None
    new: Standing | None
    causes: tuple[Cause, ...]
    reasons: tuple[str, ...]  # reasons for all tests at once, such as a failed build
    tests: tuple[TestChange, ...]
    is_known: bool  # whether all dependencies of both grades are known: single reports do not record the reference
    delta: float  # the change in points, rounded to two places; 0 when one of them is not known
    is_lower: bool  # whether there are fewer points than before, or no grade any more


class Comparison(Struct, frozen=True, kw_only=True):
    """The changes from one run to another, the largest falls first; unchanged grades are only counted."""

    old: ReportedSpec
    new: ReportedSpec
    old_max: float
    new_max: float
    spec_changes: tuple[SpecChange, ...]
    differences: tuple[ChangedCause, ...]
    changes: tuple[GradeChange, ...]
    unchanged: int
    still_open: int  # the number of unchanged submissions that are ungraded in both runs


class _Pair(NamedTuple):
    """A submission's grades in both runs (None for a run without it), and what is known of both of them."""

    grades: tuple[Grade | None, Grade | None]
    records: tuple[Report, Report] | None = None
    keys: tuple[ReportKey, ReportKey] | None = None
    after: tuple[Sequence[str], Sequence[str]] = ((), ())  # the lines of the post-grading


def compare_gradebooks(
    old: Gradebook, new: Gradebook, *, keys: tuple[ReportKeys, ReportKeys] | None = None, hidden: bool = False
) -> Comparison:
    """Compare two gradebooks; `hidden` includes details of hidden tests. Nothing is read or run."""
    pairs = list(_pair_grades(old, new, keys or ({}, {})))
    spec = changes_between(old, new, next(filter(None, (pair.records for pair in pairs)), None), hidden=hidden)
    changes = [_grade_change(pair, (old, new), spec, hidden=hidden) for pair in pairs]
    causes = Counter(cause for pair in pairs for cause in dict.fromkeys(_causes(pair)))
    same = [change for change in changes if change.kind == "same"]
    order = get_args(ChangeKind)
    changes.sort(key=lambda it: (order.index(it.kind), it.delta if it.kind == "falls" else -it.delta, it.id))
    return Comparison(
        old=old.spec,
        new=new.spec,
        old_max=old.max_score,
        new_max=new.max_score,
        spec_changes=spec,
        differences=tuple(ChangedCause(*cause, number) for cause, number in causes.items()),
        changes=tuple(change for change in changes if change.kind != "same"),
        unchanged=len(same),
        still_open=sum(change.new is not None and change.new.is_open for change in same),
    )


def comparison_to_json(comparison: Comparison) -> bytes:
    """Render a comparison as JSON."""
    fields: dict[str, Any] = msgspec.to_builtins(comparison)
    fields["counts"] = Counter(change.kind for change in comparison.changes)
    return to_json(fields)


def _pair_grades(old: Gradebook, new: Gradebook, keys: tuple[ReportKeys, ReportKeys]) -> Iterator[_Pair]:
    """Pair the grades with ids that are shown the same: folders of `grader run` have no others."""
    before, after = map(_by_shown_id, (old, new))
    for name in {**after, **before}:
        was, now = before.get(name), after.get(name)
        if was and now:
            records = (was.report, now.report) if was.report and now.report else None
            first, second = keys[0].get(was.entry.id), keys[1].get(now.entry.id)
            lines = grade_view(was).changes, grade_view(now).changes
            yield _Pair((was, now), records, (first, second) if first and second else None, lines)
        else:
            yield _Pair((was, now))


def _by_shown_id(book: Gradebook) -> dict[str, Grade]:
    grades = {show(grade.entry.id): grade for grade in book.grades}
    for grade in book.grades:
        if grades[show(grade.entry.id)] is not grade:
            name = one_line(grade.entry.id)
            raise UsageError(f"two reports are both called {name}: keep the one that counts, and compare again")
    return grades


def _grade_change(
    pair: _Pair, books: tuple[Gradebook, Gradebook], spec_changes: Sequence[SpecChange], *, hidden: bool
) -> GradeChange:
    old, new = map(_standing, pair.grades, books)
    entry = next(grade.entry for grade in reversed(pair.grades) if grade)
    causes = tuple(dict.fromkeys(cause for cause, _ in _causes(pair)))
    tests: tuple[TestChange, ...] = ()
    reasons: list[str] = []
    if pair.records:
        tests = tuple(_changes_of_tests(*pair.records, spec_changes if "spec" in causes else (), hidden=hidden))
        # A reason for all tests at once, such as a failed build, is included only when it changed.
        before, now = (_whole_reason(record, hidden=hidden) for record in pair.records)
        reasons = [] if now == before else list(filter(None, (now, before and f"Before: {before}")))
    was, lines = pair.after
    reasons += [line for line in lines if line not in was]
    reasons += [f"No more: {line}" for line in was if line not in lines]
    kind = _kind(old, new)
    old_score, new_score = (standing.score if standing else None for standing in (old, new))
    return GradeChange(
        id=show(entry.id),
        names=tuple(show(student.name) for student in entry.students if student.name),
        kind="shifts" if kind == "same" and tests else kind,
        old=old,
        new=new,
        causes=causes,
        reasons=tuple(reasons),
        tests=tests,
        is_known=pair.keys is not None,
        delta=0.0 if old_score is None or new_score is None else round(new_score - old_score, 2),
        is_lower=kind == "falls" or (kind == "gone" and old_score is not None),
    )


def _standing(grade: Grade | None, book: Gradebook) -> Standing | None:
    if grade is None:
        return None
    record, view = grade.report, grade_view(grade)
    graded, most = (record.score if record.final else None, record.max_score) if record else (None, book.max_score)
    return Standing(view.outcome, grade.counted, most, view.awaits_grade, graded)


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


def _causes(pair: _Pair) -> list[tuple[Cause, str]]:
    """Return the changed dependencies of this grade, each with a text for people, or an empty one."""
    causes: list[tuple[Cause, str]] = []
    if pair.records:
        old, new = map(_dependencies, pair.records, pair.keys or (None, None))
        for cause, label in sorted({*old, *new}, key=lambda place: (get_args(Cause).index(place[0]), place[1])):
            before, after = (side.get((cause, label), "none") for side in (old, new))
            most = _DIGITS if cause in {"spec", "reference"} else None
            if before != after:
                causes.append((cause, "" if cause == "submission" else f"{label}{before[:most]} -> {after[:most]}"))
    is_listed = any(cause in {"tools", "sandbox"} for cause, _ in causes)
    if pair.records and pair.keys and pair.keys[0].toolchain != pair.keys[1].toolchain and not is_listed:
        causes.append(("tools", "how they are started, or their limits"))
    return causes if pair.after[0] == pair.after[1] else [*causes, ("after", "")]


def _dependencies(record: Report, key: ReportKey | None) -> dict[tuple[Cause, str], str]:
    return {
        ("submission", ""): record.submission.digest,
        ("spec", ""): record.spec.digest,
        **({("reference", ""): key.reference} if key else {}),
        **{("tools", f"{name}: "): version for name, version in record.toolchain.items()},
        ("sandbox", ""): "; ".join((record.sandbox.level, *record.sandbox.warnings)),
        ("grader", ""): record.grader,
    }


# ---------------------------------------------------------------- why a test has other points


def _changes_of_tests(old: Report, new: Report, changes: Sequence[SpecChange], *, hidden: bool) -> Iterator[TestChange]:
    """Yield the tests whose points or verdict differ, in the order of the specs.

    `changes` are those of the spec that concern this submission. Without `hidden`, a hidden test has only its points.
    """
    before, after = ({test.name: test for test in record.tests} for record in (old, new))
    for name in {**before, **after}:
        old_test, new_test = before.get(name), after.get(name)
        shown = hidden or all(side.visibility == "visible" for side in (old_test, new_test) if side)
        (points, score, verdict), (new_points, new_score, new_verdict) = (
            (side.points, side.score, side.verdict if shown else None) if side else (None, None, None)
            for side in (old_test, new_test)
        )
        if (points, score, verdict) != (new_points, new_score, new_verdict):
            reasons = tuple(_reasons_of_test(old_test, new_test, changes, shown=shown))
            yield TestChange(name, points, new_points, score, new_score, verdict, new_verdict, reasons)


def _whole_reason(record: Report, *, hidden: bool) -> str:
    if not record.build.ok:
        return f"The build fails: {record.build.message or 'it does not say why.'}"
    pairs = ((test, case) for test in record.tests for case in test.cases)
    for test, case in (pair for pair in pairs if pair[1].verdict in _STOPS_ALL):
        shown = hidden or test.visibility == "visible"
        return f"{case.id} is {case.verdict}: {case_summary(case)}" if shown else f"{test.name} is {case.verdict}."
    cause = describe_cause(record, hidden=hidden)
    return " ".join([*([f"{cause.title}: {cause.sentence}"] if cause else []), *describe_work(record)])


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
        lower = [(was, now) for was, now in pairs if now.credit < was.credit and now.verdict not in _STOPS_ALL]
        higher = [(was, now) for was, now in pairs if now.credit > was.credit and was.verdict not in _STOPS_ALL]
        for group in filter(None, (lower, higher)):
            more = f" and {len(group) - 1} more" if len(group) > 1 else ""
            yield f"{group[0][1].id}{more}: {_case_change(*group[0])}"
    cases = (*old.cases, *new.cases) if shown else ()
    shared = {f"tolerate.{deviation.kind}" for case in cases for deviation in case.deviations}
    yield from (change.text for change in changes if change.test == new.name or change.path in shared)


def _case_change(old: ReportedCase, new: ReportedCase) -> str:
    before, after = ({(it.kind, it.stream): it.keeps for it in case.deviations} for case in (old, new))
    place = next((place for place in after if after[place] != before.get(place)), None)
    if place and before.keys() == after.keys():
        return f"{place[0]} keeps {percent(after[place])} of the credit; before, {percent(before[place])}."
    if new.credit < old.credit:
        return f"{new.verdict}, as said of the whole." if new.cause and not old.cause else case_summary(new)
    return f"{new.verdict} now; before: {case_summary(old)}"


# ---------------------------------------------------------------- what is different in a spec


def changes_between(
    old: Gradebook, new: Gradebook, pair: tuple[Report, Report] | None, *, hidden: bool = False
) -> tuple[SpecChange, ...]:
    """Compare the specs of two gradebooks; without their texts, what a `pair` of reports of one submission has."""
    if old.spec_text and new.spec_text:
        sides = [outline(parse(book.spec_text.encode(), book.spec.id)) for book in (old, new)]
    elif pair and pair[0].spec.digest != pair[1].spec.digest:
        sides = list(map(_reported_outline, pair))
    else:
        return ()
    specs = [spec for spec in sides if isinstance(spec, Mapping) and not hidden]
    tests = [named for spec in specs for named in _by_name(spec.get("tests") or ()).items()]
    secret = {name for name, test in tests if test.get("visibility", "visible") != "visible"}
    changes: list[SpecChange] = []
    for change in _changes_at("", "", *sides):
        whole = f"tests[{change.test}]"
        # Of a hidden test, its points, its visibility and the fact of other changes may be shown.
        is_secret = change.test in secret and change.path not in (whole, f"{whole}.points", f"{whole}.visibility")
        changes.append(replace(change, path=whole, old="", new="") if is_secret else change)
    return tuple(dict.fromkeys(changes))


def _reported_outline(record: Report) -> Outline:
    tests: list[Outline] = []
    for test in record.tests:
        worth = {"points": points_text(test.points), "visibility": test.visibility, "bonus": str(test.bonus).lower()}
        cases = {case.id: case.command for case in test.cases}
        tests.append({"name": test.name, **worth, "about": test.about, "hint": test.hint, "cases": cases})
    return {"id": record.spec.id, "title": record.spec.title, "tests": tests}


def _changes_at(path: str, test: str, old: Outline | None, new: Outline | None) -> Iterator[SpecChange]:
    """Yield the changes: of mappings by key, of tests by name, of other lists by position or by what only one has."""
    sides = [side for side in (old, new) if side is not None]
    if old == new:
        return
    if all(isinstance(side, Mapping) for side in sides):
        before, after = (side if isinstance(side, Mapping) else {} for side in (old, new))
        for key in {**before, **after}:
            yield from _changes_at(f"{path}.{one_line(key)}".lstrip("."), test, before.get(key), after.get(key))
    elif not (isinstance(old, list) and isinstance(new, list) and all(isinstance(x, Mapping) for x in [*old, *new])):
        yield _value_change(path, test, old, new)
    elif path == "tests":
        tests, tests_now = _by_name(old), _by_name(new)
        for name in {**tests, **tests_now}:
            was, now, place = tests.get(name), tests_now.get(name), f"tests[{one_line(name)}]"
            both = _changes_at(place, name, was, now)
            yield from both if was and now else [SpecChange(place, _worth(was), _worth(now), name)]
    elif len(old) == len(new):
        for number, (was, now) in enumerate(zip(old, new, strict=True), start=1):
            yield from _changes_at(f"{path}[{number}]", test, was, now)
    else:
        removed, added = [item for item in old if item not in new], [item for item in new if item not in old]
        texts = [", ".join(map(_flow, only)) or None for only in (removed, added)]
        yield _value_change(path, test, *(texts if removed or added else (old, new)))


def _by_name(tests: Outline) -> dict[str, Mapping[str, Outline]]:
    return {show(_flow(test.get("name", ""))): test for test in tests if isinstance(test, Mapping)}


def _value_change(path: str, test: str, old: Outline | None, new: Outline | None) -> SpecChange:
    """Return the change of a value; the common start of two long values is cut off."""
    texts = [None if side is None else _flow(side) for side in (old, new)]
    pairs = zip(*(text or "" for text in texts), strict=False)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    if common > VALUE_LIMIT // 2:
        texts = [f"…{(text or '')[common - _LEAD :].lstrip()}" for text in texts]
    before, after = (None if text is None else one_line(text, VALUE_LIMIT) for text in texts)
    return SpecChange(path, before, after, test)


def _worth(test: Mapping[str, Outline] | None) -> str | None:
    """Return the points of a test as the spec has them."""
    worth = _flow(test.get("points", "1")) if test else ""
    return f"{worth} {'point' if worth == '1' else 'points'}" if test else None


def _flow(value: Outline) -> str:
    """Write a value on one line, as YAML could."""
    if isinstance(value, str):
        return value or '""'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(_flow, value)) + "]"
