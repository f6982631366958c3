"""Which samples are graded, and in which tests: samples of which the same is stated share the runs.

A small set of samples is graded whole. Otherwise a test runs with one sample for each statement of `expected.yaml`
about it, and the first right samples are graded whole, since they show what is right and what it takes. Where that
takes too long, each outcome is shown in one test at least, and each test loses points once; of the other statements
some are tried, as many as there is time for by an estimate. The choice is the same each time.
"""

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

from msgspec import Struct

from grader.check.samples import Sample, Stated
from grader.core.kind import kind_of
from grader.core.model.judgement import Verdict
from grader.core.model.spec import Spec, Test
from grader.core.text import count, listed, points

MAX_CASE_RUNS = 300  # all samples are graded in all cases as long as that takes no more runs
MAX_SECONDS = 65.0
"""seconds of a processor, by the estimate below, that the chosen samples may take: half of that with two processors"""
_RUN_SECONDS, _BUILD_SECONDS = 0.1, 0.7
_DEFAULT_LIMIT = 10.0
_WHOLE_SAMPLES = 2  # right samples that are graded whole in any case

_Statement = tuple[str, Stated | str]
"""the name of a test and what is stated of it; or an empty name and the score, where nothing else is stated"""


class SamplePlan(Struct, frozen=True, kw_only=True):
    """The tests that each sample is graded in."""

    tests: Mapping[str, tuple[str, ...]]
    """the name of a sample -> names of tests in the spec's order; without the samples that are not graded"""
    ungraded: tuple[str, ...] = ()  # the samples that are not graded at all
    partial: tuple[str, ...] = ()  # the samples that are graded in some tests only
    skipped_runs: int = 0  # runs of cases that are left out
    all_runs: int = 0
    untried: tuple[tuple[str, str], ...] = ()
    """statements that no sample shows, for want of time: a sample of which it is stated, and the test; no test where
    only the score is stated"""
    statements: int = 0

    def only(self, sample: str) -> tuple[str, ...]:
        """Return the tests of a sample that is graded in some only; none for another."""
        return self.tests[sample] if sample in self.partial else ()

    def left_out(self, sample: str, spec: Spec) -> list[str]:
        """Return the names of the tests that a sample is not graded in."""
        return [test.name for test in spec.tests if test.name not in self.tests.get(sample, ())]

    def describe(self) -> str:
        """Say what is not run, in a sentence; empty when all is."""
        if not self.skipped_runs:
            return ""
        untried = ""
        if self.untried:
            shown = listed([f"{sample} in {test}" if test else sample for sample, test in self.untried], most=3)
            untried = (
                f", or there was no time: {len(self.untried)} of {count(self.statements, 'different statement')} "
                f"about tests were not tried ({shown})"
            )
        return (
            f"{self.skipped_runs} of {count(self.all_runs, 'run')} of cases with samples were not made: of "
            f"{len(self.tests) + len(self.ungraded)} samples {len(self.ungraded)} were not graded, and "
            f"{len(self.partial)} in some tests only, since the same is stated of others{untried}; --all grades them "
            "all."
        )


def plan_samples(spec: Spec, stated: Sequence[Sample], *, draws: int = 1, everything: bool = False) -> SamplePlan:
    """Choose what is graded, `everything` or the least that shows each statement; each sample `draws` times."""
    names = tuple(test.name for test in spec.tests)
    all_runs = draws * len(stated) * sum(len(test.cases) for test in spec.tests)
    if everything or all_runs <= MAX_CASE_RUNS:
        return SamplePlan(tests={sample.submission.id: names for sample in stated}, all_runs=all_runs)
    chosen, untried = _choose(spec, stated, draws)
    tests = {name: tuple(test for test in names if test in some) for name, some in chosen.items() if some}
    runs = draws * sum(len(test.cases) for some in tests.values() for test in spec.tests if test.name in some)
    return SamplePlan(
        tests=tests,
        ungraded=tuple(name for name in chosen if name not in tests),
        partial=tuple(name for name, some in tests.items() if some != names),
        skipped_runs=all_runs - runs,
        all_runs=all_runs,
        untried=tuple(untried),
        statements=len({statement for sample in stated for statement in _statements(spec, sample)}),
    )


def expected_score(spec: Spec, sample: Sample, tests: Sequence[str]) -> Fraction:
    """Return the score of a sample in some of the tests, by what is stated of it and of the others."""
    others = [_stated_points(sample, test) for test in spec.tests if test.name not in tests]
    return max(Fraction(0), Fraction(sample.score) - sum(others, Fraction(0)))


def _stated_points(sample: Sample, test: Test) -> Fraction:
    score = sample.stated_of(test.name).score
    return test.points if score is None else Fraction(score)


def _choose(spec: Spec, stated: Sequence[Sample], draws: int) -> tuple[Mapping[str, set[str]], list[tuple[str, str]]]:
    """Return the tests of each sample, and the statements that there is no time for."""
    chosen: dict[str, set[str]] = {sample.submission.id: set() for sample in stated}
    names = {test.name for test in spec.tests}
    full = [sample for sample in stated if sample.score == points(spec.max_score)]
    for sample in sorted(full, key=lambda sample: not sample.is_right(spec))[:_WHOLE_SAMPLES]:
        chosen[sample.submission.id] |= names
    holders: dict[_Statement, dict[str, _Showing]] = {}
    for sample in stated:
        for statement in _statements(spec, sample):
            wanted = {statement[0]} if statement[0] else names
            tests = set[str]().union(*(_with_related(spec, sample, test) for test in wanted))
            holders.setdefault(statement, {})[sample.submission.id] = _Showing(sample=sample, tests=tests)
    for statement in filter(partial(_needs_every_sample, spec), holders):
        for name, showing in holders[statement].items():
            chosen[name] |= showing.tests
    seconds = partial(_estimate, spec, draws)
    left = MAX_SECONDS - sum(seconds(sample, chosen[sample.submission.id]) for sample in stated)
    untried = list[_Statement]()
    worthy = _worthy(holders, seconds)
    for some in (worthy, [statement for statement in holders if statement not in worthy]):
        left, others = _add_cheapest({statement: holders[statement] for statement in some}, chosen, seconds, left)
        untried += others
    return chosen, [(next(iter(holders[statement])), statement[0]) for statement in untried]


class _Showing(Struct, frozen=True, kw_only=True):
    """How a sample shows a statement."""

    sample: Sample
    tests: set[str]  # in which it has to be graded for that


_Seconds = Callable[[Sample, Collection[str], Collection[str]], float]
"""Estimates what it takes to grade a sample in some tests beside others."""


def _needs_every_sample(spec: Spec, statement: _Statement) -> bool:
    """Whether no sample stands for others: which of several rules one breaks is not stated, so it may be alone."""
    name, stated = statement
    cases = [case for test in spec.tests if test.name == name for case in test.cases]
    return stated != Stated() and not all(kind_of(case).has_answer for case in cases)


def _worthy(holders: Mapping[_Statement, Mapping[str, _Showing]], seconds: _Seconds) -> Sequence[_Statement]:
    """Return the statements that show an outcome, or that a test can lose points, where that takes least."""

    def cost(statement: _Statement) -> tuple[float, str]:
        every = holders[statement].values()
        return min(seconds(one.sample, one.tests, ()) for one in every), _digest_of(statement)

    first: dict[object, _Statement] = {}
    for statement in sorted(holders, key=cost):
        name, stated = statement
        if isinstance(stated, Stated):
            first.setdefault((stated.verdicts, stated.deviations, stated.score == "0"), statement)
        if stated != Stated():
            first.setdefault(name, statement)
    return tuple(dict.fromkeys(first.values()))


def _add_cheapest(
    holders: Mapping[_Statement, Mapping[str, _Showing]], chosen: Mapping[str, set[str]], seconds: _Seconds, left: float
) -> tuple[float, Sequence[_Statement]]:
    """Add to the `chosen` tests of samples what shows these statements, in each step what takes least.

    Return what is then left of the time, and the statements for which that is not enough. Of equals, the rarest comes
    first: the others may then be shown by a sample that is built anyway. Then their content decides, so that another
    statement more or less leaves the choice of most.
    """
    waiting = {
        (statement, name): (len(showings), _digest_of(statement))
        for statement, showings in holders.items()
        for name in showings
    }
    known = {statement for statement, name in waiting if chosen[name] and chosen[name] >= ({statement[0]} - {""})}
    waiting = {place: rank for place, rank in waiting.items() if place[0] not in known}
    costs = dict.fromkeys(waiting, 0.0)
    changed = set(chosen)
    while waiting:
        for statement, name in waiting:
            if name in changed:
                one = holders[statement][name]
                costs[statement, name] = seconds(one.sample, one.tests, chosen[name])
        best = min(waiting, key=lambda place: (costs[place], waiting[place], -len(chosen[place[1]])))
        if costs[best] > left:
            break
        left -= costs[best]
        chosen[best[1]].update(holders[best[0]][best[1]].tests)
        changed = {best[1]}
        shown = {
            statement
            for statement, name in waiting
            if name == best[1] and chosen[name] >= holders[statement][name].tests
        }
        waiting = {place: rank for place, rank in waiting.items() if place[0] not in shown}
    return left, tuple(dict.fromkeys(statement for statement, _ in waiting))


def _digest_of(statement: _Statement) -> str:
    return hashlib.sha256(repr(statement).encode()).hexdigest()


def _estimate(spec: Spec, draws: int, sample: Sample, tests: Collection[str], known: Collection[str] = ()) -> float:
    """Return about how many seconds it takes to grade a sample in some tests, beside those that are `known`."""
    seconds = _BUILD_SECONDS if spec.build and tests and not known else 0.0
    for test in spec.tests:
        if test.name in tests and test.name not in known:
            verdicts = sample.stated_of(test.name).verdicts
            seconds += 0 if Verdict.BUILD_FAILED in verdicts else _RUN_SECONDS * len(test.cases) * draws
            if Verdict.TIMEOUT in verdicts:
                limits = (case.limits.get("cpu", case.limits.get("time", _DEFAULT_LIMIT)) for case in test.cases)
                seconds += max(limits) * draws
    return seconds


def _statements(spec: Spec, sample: Sample) -> Iterator[_Statement]:
    if sample.is_indivisible:
        yield "", sample.score
        return
    for test in spec.tests:
        yield test.name, sample.stated_of(test.name)


def _with_related(spec: Spec, sample: Sample, name: str) -> set[str]:
    """Return a test with those whose results have a part in its own: what it needs, and what is charged once."""
    follows = {test.name: test.follows for test in spec.tests}
    once = set(spec.once)
    found, waiting = set[str](), [name]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found.add(one)
        waiting += follows[one]
        if once.intersection(sample.stated_of(one).deviations):
            waiting += [other for other in follows if once.intersection(sample.stated_of(other).deviations)]
    return found
