"""Which samples are graded, and in which tests: samples of which the same is stated share the runs.

A small set of samples is graded whole. Otherwise a test runs with one sample for each statement of `expected.yaml`
about it, and the first right samples are graded whole, since they show what is right and what it takes. The choice
depends on the spec and the statements alone, so it is the same each time.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from grader.core.model import Spec, Test
from grader.core.text import count, points
from grader.kinds import kind_of
from grader.verify.samples import Sample, Stated

MAX_CASE_RUNS = 300
"""all samples are graded in all cases as long as that takes no more runs"""
_WHOLE_SAMPLES = 2
"""right samples that are graded whole in any case"""

_Statement = tuple[str, Stated | str]
"""the name of a test and what is stated of it; or an empty name and the score, where nothing else is stated"""


class SamplePlan(Struct, frozen=True, kw_only=True):
    """The tests that each sample is graded in."""

    tests: Mapping[str, tuple[str, ...]]
    """the name of a sample -> names of tests in the spec's order; without the samples that are not graded"""
    ungraded: tuple[str, ...] = ()
    """the samples that are not graded at all"""
    partial: tuple[str, ...] = ()
    """the samples that are graded in some tests only"""
    skipped_runs: int = 0
    """runs of cases that are left out"""
    all_runs: int = 0

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
        return (
            f"{self.skipped_runs} of {count(self.all_runs, 'run')} of cases with samples were not made: of "
            f"{len(self.tests) + len(self.ungraded)} samples {len(self.ungraded)} were not graded, and "
            f"{len(self.partial)} in some tests only, since the same is stated of others; --all grades them all."
        )


def plan_samples(spec: Spec, stated: Sequence[Sample], *, draws: int = 1, everything: bool = False) -> SamplePlan:
    """Choose what is graded, `everything` or the least that shows each statement; each sample `draws` times."""
    names = tuple(test.name for test in spec.tests)
    all_runs = draws * len(stated) * sum(len(test.cases) for test in spec.tests)
    if everything or all_runs <= MAX_CASE_RUNS:
        return SamplePlan(tests={sample.submission.id: names for sample in stated}, all_runs=all_runs)
    chosen = _choose(spec, stated)
    tests = {name: tuple(test for test in names if test in some) for name, some in chosen.items() if some}
    runs = draws * sum(len(test.cases) for some in tests.values() for test in spec.tests if test.name in some)
    return SamplePlan(
        tests=tests,
        ungraded=tuple(name for name in chosen if name not in tests),
        partial=tuple(name for name, some in tests.items() if some != names),
        skipped_runs=all_runs - runs,
        all_runs=all_runs,
    )


def expected_score(spec: Spec, sample: Sample, tests: Sequence[str]) -> Fraction:
    """Return the score of a sample in some of the tests, by what is stated of it and of the others."""
    others = [_stated_points(sample, test) for test in spec.tests if test.name not in tests]
    return max(Fraction(0), Fraction(sample.score) - sum(others, Fraction(0)))


def _stated_points(sample: Sample, test: Test) -> Fraction:
    score = sample.stated_of(test.name).score
    return test.points if score is None else Fraction(score)


def _choose(spec: Spec, stated: Sequence[Sample]) -> dict[str, set[str]]:
    """Return the tests of each sample: the rarest statements first, and then with samples that are built anyway."""
    chosen: dict[str, set[str]] = {sample.submission.id: set() for sample in stated}
    names = {test.name for test in spec.tests}
    full = [sample for sample in stated if sample.score == points(spec.max_score)]
    for sample in sorted(full, key=lambda sample: not sample.is_right(spec))[:_WHOLE_SAMPLES]:
        chosen[sample.submission.id] |= names
    holders: dict[_Statement, list[Sample]] = {}
    for sample in stated:
        for statement in _statements(spec, sample):
            holders.setdefault(statement, []).append(sample)
    for statement, samples in sorted(holders.items(), key=lambda entry: len(entry[1])):
        for sample in _representatives(spec, statement, samples, chosen):
            for test in [statement[0]] if statement[0] else names:
                chosen[sample.submission.id] |= _with_related(spec, sample, test)
    return chosen


def _representatives(
    spec: Spec, statement: _Statement, samples: Sequence[Sample], chosen: Mapping[str, set[str]]
) -> Sequence[Sample]:
    """Return the samples that are to show a statement; none where one that is `chosen` shows it already."""
    name, stated = statement
    cases = [case for test in spec.tests if test.name == name for case in test.cases]
    # Which of several rules on the source a sample breaks is not stated, so each of them may be the only one.
    if stated != Stated() and any(kind_of(case).inspect or kind_of(case).run_cases for case in cases):
        return samples
    if any(chosen[sample.submission.id] and name in (*chosen[sample.submission.id], "") for sample in samples):
        return ()
    return [max(samples, key=lambda sample: len(chosen[sample.submission.id]))]


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
