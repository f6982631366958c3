"""Which samples are graded, and in which tests: samples of which the same is stated share the runs.

A small set of samples is graded whole. Otherwise a test runs with one sample for each statement of `expected.yaml`
about it, and the first right samples are graded whole, since they show what is right and what it takes. The choice is
the same each time.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from grader.check.samples import Sample, Stated
from grader.core.kind import kind_of
from grader.core.model.spec import Spec
from grader.core.text import count, points

MAX_CASE_RUNS = 300  # all samples are graded in all cases as long as that takes no more runs
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

    def only(self, sample: str) -> tuple[str, ...]:
        """Return the tests of a sample that is graded in some only; none for another."""
        return self.tests[sample] if sample in self.partial else ()

    def left_out(self, sample: str, spec: Spec) -> list[str]:
        """Return the names of the tests that a sample is not graded in."""
        return [test.name for test in spec.tests if test.name not in self.tests.get(sample, ())]

    def describe(self) -> str:
        """Say what is not run, in a sentence; empty when all is."""
        message = (
            f"{self.skipped_runs} of {count(self.all_runs, 'run')} of cases with samples were not made: of "
            f"{len(self.tests) + len(self.ungraded)} samples {len(self.ungraded)} were not graded, and "
            f"{len(self.partial)} in some tests only, since the same is stated of others; --all grades them all."
        )
        return message if self.skipped_runs else ""


def plan_samples(spec: Spec, stated: Sequence[Sample], *, draws: int = 1, everything: bool = False) -> SamplePlan:
    """Choose what is graded, `everything` or the least that shows each statement; each sample `draws` times."""
    cases = {test.name: len(test.cases) for test in spec.tests}
    all_runs = draws * len(stated) * sum(cases.values())
    if everything or all_runs <= MAX_CASE_RUNS:
        return SamplePlan(tests={sample.submission.id: tuple(cases) for sample in stated}, all_runs=all_runs)
    chosen = _choose(spec, stated, cases)
    tests = {name: tuple(test for test in cases if test in some) for name, some in chosen.items() if some}
    return SamplePlan(
        tests=tests,
        ungraded=tuple(name for name in chosen if name not in tests),
        partial=tuple(name for name, some in tests.items() if len(some) < len(cases)),
        skipped_runs=all_runs - draws * sum(cases[test] for some in tests.values() for test in some),
        all_runs=all_runs,
    )


def expected_score(spec: Spec, sample: Sample, tests: Sequence[str]) -> Fraction:
    """Return the score of a sample in some of the tests, by what is stated of it and of the others."""
    scores = [(test, sample.stated_of(test.name).score) for test in spec.tests if test.name not in tests]
    others = sum((test.points if score is None else Fraction(score) for test, score in scores), Fraction(0))
    return max(Fraction(0), Fraction(sample.score) - others)


def _choose(spec: Spec, stated: Sequence[Sample], cases: Mapping[str, int]) -> Mapping[str, set[str]]:
    """Return the tests of each sample: for each statement those of the sample that shows it with the fewest runs."""
    chosen: dict[str, set[str]] = {sample.submission.id: set() for sample in stated}
    holders: dict[_Statement, dict[str, set[str]]] = {}
    follows, once = {test.name: test.follows for test in spec.tests}, set(spec.once)
    for sample in stated:
        charged = [name for name in follows if once.intersection(sample.stated_of(name).deviations)] if once else []
        own: list[_Statement] = [(test.name, sample.stated_of(test.name)) for test in spec.tests]
        for statement in [("", sample.score)] if sample.is_indivisible else own:
            holders.setdefault(statement, {})[sample.submission.id] = _related(follows, charged, statement[0])
    full = [sample for sample in stated if sample.score == points(spec.max_score)]
    for sample in sorted(full, key=lambda sample: not sample.is_right(spec))[:_WHOLE_SAMPLES]:
        chosen[sample.submission.id] |= cases.keys()
    # No sample stands for others where it is not stated which of several rules one breaks: it may be alone.
    answering = {test.name for test in spec.tests if all(kind_of(case).has_answer for case in test.cases)} | {""}
    for (name, what), showing in holders.items():
        if name not in answering and what != Stated():
            for sample_id, tests in showing.items():
                chosen[sample_id] |= tests
    for showing in holders.values():
        further = {name: sum(cases[test] for test in tests - chosen[name]) for name, tests in showing.items()}
        best = min(further, key=lambda name: (further[name], -len(chosen[name])))
        chosen[best] |= showing[best]
    return chosen


def _related(follows: Mapping[str, Sequence[str]], charged: Sequence[str], name: str) -> set[str]:
    """Return a test, or all, with those whose results have a part in its own: what it needs, what is charged once."""
    found, waiting = set[str](), [name] if name else list(follows)
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += [*follows[one], *(charged if one in charged else ())]
    return found
