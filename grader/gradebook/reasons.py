"""Why a test has other points than before: what its cases show, and what the spec changed about it."""

from collections.abc import Iterator, Sequence

from grader.model import Verdict
from grader.model.comparison import SpecChange, TestChange
from grader.model.report import Report, ReportedCase, ReportedTest
from grader.report.view import story

_WHOLE = (Verdict.UNGRADED, Verdict.BUILD_FAILED)
"""verdicts that say nothing about one case: what is behind them is told once"""


def test_changes(old: Report, new: Report, changes: Sequence[SpecChange], *, hidden: bool) -> tuple[TestChange, ...]:
    """Return the tests whose points or verdict differ, in the order of the specs.

    `changes` are those of the spec, as far as they concern this submission. Without `hidden`, a test that students may
    not see has its points and nothing else.
    """
    before, after = ({test.name: test for test in record.tests} for record in (old, new))
    pairs = [(before.get(name), after.get(name)) for name in dict.fromkeys([*before, *after])]
    found = [_test_change(one, other, changes, hidden=hidden) for one, other in pairs]
    return tuple(change for change in found if change is not None)


def whole_reasons(old: Report, new: Report, *, hidden: bool) -> tuple[str, ...]:
    """Return what concerns all tests at once: a build that fails, a failure of ours; now or before."""
    now, before = _whole(new, hidden=hidden), _whole(old, hidden=hidden)
    if now == before:
        return ()
    return tuple(filter(None, (now, before and f"Before: {before}")))


def share(value: float) -> str:
    """Write a share of the credit: `50 %`."""
    return f"{round(value * 100, 2):g} %"


def _whole(record: Report, *, hidden: bool) -> str:
    if not record.build.ok:
        return f"The build fails: {record.build.message or 'it does not say why.'}"
    for test in record.tests:
        case = next((case for case in test.cases if case.verdict in _WHOLE), None)
        if case is not None:
            shown = hidden or test.visibility == "visible"
            return f"{case.id} is {case.verdict}: {story(case)}" if shown else f"{test.name} is {case.verdict}."
    return ""


def _test_change(
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
        reasons=tuple(_reasons(old, new, changes, shown=shown)),
    )


def _reasons(
    old: ReportedTest | None, new: ReportedTest | None, changes: Sequence[SpecChange], *, shown: bool
) -> Iterator[str]:
    if old is None or new is None:
        yield "The test is new." if old is None else "There is no such test any more."
        return
    if shown:
        yield from _cases(old, new)
    kinds = {one.kind for case in (*old.cases, *new.cases) for one in case.deviations} if shown else set[str]()
    shared = {f"tolerate.{kind}" for kind in kinds}
    yield from (change.text for change in changes if change.test == new.name or change.path in shared)


def _cases(old: ReportedTest, new: ReportedTest) -> Iterator[str]:
    """Tell of the first case that is worth less than before, and of the first that is worth more."""
    before = {case.id: case for case in old.cases}
    pairs = [(before[case.id], case) for case in new.cases if case.id in before]
    lower = [(one, other) for one, other in pairs if other.credit < one.credit and other.verdict not in _WHOLE]
    higher = [(one, other) for one, other in pairs if other.credit > one.credit and one.verdict not in _WHOLE]
    for group in (lower, higher):
        if group:
            more = f" and {len(group) - 1} more" if len(group) > 1 else ""
            yield f"{group[0][1].id}{more}: {_contrast(*group[0])}"


def _contrast(old: ReportedCase, new: ReportedCase) -> str:
    before = {(one.kind, one.stream): one.keeps for one in old.deviations}
    after = {(one.kind, one.stream): one.keeps for one in new.deviations}
    if before.keys() == after.keys():
        for (kind, stream), keeps in after.items():
            was = before[kind, stream]
            if was != keeps:
                return f"{kind} keeps {share(keeps)} of the credit; before, {share(was)}."
    if new.credit < old.credit:
        return story(new)
    return f"{new.verdict} now; before: {story(old)}"
