"""Which samples are graded, and in which tests: samples of which the same is stated share the runs.

A small set of samples is graded whole. Otherwise a test runs with one sample for each statement of `expected.yaml`
about it, and the first right samples are graded whole, since they show what is right and what it takes. Where that
takes too long by an estimate, first comes what shows an outcome or that a test can lose points, and then what takes
least, as long as there is time. The choice is the same each time.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from grader.check.samples import Sample, Stated
from grader.core.kind import kind_of
from grader.core.model.judgement import Verdict
from grader.core.model.spec import Spec
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
        shown = listed([f"{sample} in {test}" if test else sample for sample, test in self.untried], most=3)
        number = f"{len(self.untried)} of {count(self.statements, 'different statement')} about tests were not tried"
        return (
            f"{self.skipped_runs} of {count(self.all_runs, 'run')} of cases with samples were not made: of "
            f"{len(self.tests) + len(self.ungraded)} samples {len(self.ungraded)} were not graded, and "
            f"{len(self.partial)} in some tests only, since the same is stated of others"
            f"{f', or there was no time: {number} ({shown})' if self.untried else ''}; --all grades them all."
        )


def plan_samples(spec: Spec, stated: Sequence[Sample], *, draws: int = 1, everything: bool = False) -> SamplePlan:
    """Choose what is graded, `everything` or the least that shows each statement; each sample `draws` times."""
    names = tuple(test.name for test in spec.tests)
    all_runs = draws * len(stated) * sum(len(test.cases) for test in spec.tests)
    if everything or all_runs <= MAX_CASE_RUNS:
        return SamplePlan(tests={sample.submission.id: names for sample in stated}, all_runs=all_runs)
    holders: dict[_Statement, dict[str, tuple[Sample, set[str]]]] = {}
    for sample in stated:
        for statement in _statements(spec, sample):
            holders.setdefault(statement, {})[sample.submission.id] = sample, _related(spec, sample, statement[0])
    chosen, untried = _choose(spec, stated, holders, draws)
    tests = {name: tuple(test for test in names if test in some) for name, some in chosen.items() if some}
    runs = draws * sum(len(test.cases) for some in tests.values() for test in spec.tests if test.name in some)
    return SamplePlan(
        tests=tests,
        ungraded=tuple(name for name in chosen if name not in tests),
        partial=tuple(name for name, some in tests.items() if some != names),
        skipped_runs=all_runs - runs,
        all_runs=all_runs,
        untried=tuple((next(iter(holders[statement])), statement[0]) for statement in untried),
        statements=len(holders),
    )


def expected_score(spec: Spec, sample: Sample, tests: Sequence[str]) -> Fraction:
    """Return the score of a sample in some of the tests, by what is stated of it and of the others."""
    scores = [(test, sample.stated_of(test.name).score) for test in spec.tests if test.name not in tests]
    others = sum((test.points if score is None else Fraction(score) for test, score in scores), Fraction(0))
    return max(Fraction(0), Fraction(sample.score) - others)


def _choose(
    spec: Spec,
    stated: Sequence[Sample],
    holders: Mapping[_Statement, Mapping[str, tuple[Sample, set[str]]]],
    draws: int,
) -> tuple[Mapping[str, set[str]], list[_Statement]]:
    """Return the tests of each sample, and the statements that there is no time for."""
    chosen: dict[str, set[str]] = {sample.submission.id: set() for sample in stated}
    full = [sample for sample in stated if sample.score == points(spec.max_score)]
    for sample in sorted(full, key=lambda sample: not sample.is_right(spec))[:_WHOLE_SAMPLES]:
        chosen[sample.submission.id] |= {test.name for test in spec.tests}
    # No sample stands for others where it is not stated which of several rules one breaks: it may be alone.
    answering = {test.name for test in spec.tests if all(kind_of(case).has_answer for case in test.cases)} | {""}
    for name, showing in ((name, showing) for name, showing in holders.items() if name[1] != Stated()):
        for sample, tests in () if name[0] in answering else showing.values():
            chosen[sample.submission.id] |= tests
    left = MAX_SECONDS - sum(_seconds(spec, draws, one, chosen[one.submission.id]) for one in stated)
    untried = []
    for statement in _by_worth(spec, holders, draws):
        further = {
            name: _seconds(spec, draws, sample, tests - chosen[name], is_built=bool(chosen[name]))
            for name, (sample, tests) in holders[statement].items()
        }
        best = min(further, key=lambda name: (further[name], -len(chosen[name])))
        if further[best] > left:
            untried.append(statement)
            continue
        left -= further[best]
        chosen[best] |= holders[statement][best][1]
    return chosen, untried


def _by_worth(
    spec: Spec, holders: Mapping[_Statement, Mapping[str, tuple[Sample, set[str]]]], draws: int
) -> list[_Statement]:
    """Return the statements, first those that show an outcome or that a test can lose points; else by what they take.

    Of equals their content decides, so that another statement more or less leaves the choice of most.
    """

    def cost(statement: _Statement) -> tuple[float, str]:
        least = min(_seconds(spec, draws, sample, tests) for sample, tests in holders[statement].values())
        return least, hashlib.sha256(repr(statement).encode()).hexdigest()

    first: dict[object, _Statement] = {}
    ordered = sorted(holders, key=cost)
    for name, stated in ordered:
        if isinstance(stated, Stated):
            first.setdefault((stated.verdicts, stated.deviations, stated.score == "0"), (name, stated))
        if stated != Stated():
            first.setdefault(name, (name, stated))
    return list(dict.fromkeys((*first.values(), *ordered)))


def _seconds(spec: Spec, draws: int, sample: Sample, tests: Collection[str], *, is_built: bool = False) -> float:
    """Return about how many seconds it takes to grade a sample in some tests."""
    seconds = _BUILD_SECONDS if spec.build and tests and not is_built else 0.0
    for test in (test for test in spec.tests if test.name in tests):
        verdicts = sample.stated_of(test.name).verdicts
        seconds += 0 if Verdict.BUILD_FAILED in verdicts else _RUN_SECONDS * len(test.cases) * draws
        if Verdict.TIMEOUT in verdicts:
            limits = (case.limits.get("cpu", case.limits.get("time", _DEFAULT_LIMIT)) for case in test.cases)
            seconds += max(limits) * draws
    return seconds


def _statements(spec: Spec, sample: Sample) -> Iterator[_Statement]:
    if sample.is_indivisible:
        return iter([("", sample.score)])
    return ((test.name, sample.stated_of(test.name)) for test in spec.tests)


def _related(spec: Spec, sample: Sample, name: str) -> set[str]:
    """Return a test, or all, with those whose results have a part in its own: what it needs, what is charged once."""
    follows, once = {test.name: test.follows for test in spec.tests}, set(spec.once)
    charged = [one for one in follows if once.intersection(sample.stated_of(one).deviations)]
    found, waiting = set[str](), [name] if name else list(follows)
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += [*follows[one], *(charged if one in charged else ())]
    return found
