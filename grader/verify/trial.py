"""A mutant on trial: which case notices it, what it costs, and whether what is wrong is named rightly.

Output mutants are judged in every case, so that their cost is what a student's program would lose. Source mutants have
to be run, which takes time: they are run case by case, the most telling first, until one notices; their cost is what
that case alone takes, and so the least that they lose.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fnmatch import fnmatchcase
from fractions import Fraction

from grader.judge import judge_test, overall
from grader.model import CaseResult, Execution, Spec, Test, TestResult, Verdict
from grader.pipeline import Course
from grader.verify.right import Scene, judged
from grader.verify.scope import STREAMS, WHOLE, Mutant, comparator


class Outcome(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    """it loses points"""
    SURVIVED = "survived"
    """it loses none, and nothing says that it may"""
    TOLERATED = "tolerated"
    """its deviation is named, and costs nothing by the spec's own word"""
    EQUIVALENT = "equivalent"
    """the spec says, with a reason, that it is not wrong"""
    SAME = "same"
    """it does nothing else than what is right"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What became of one mutant."""

    mutant: Mutant
    outcome: Outcome
    noticed: str = ""
    """the first case that noticed it"""
    verdict: str = ""
    """that case's"""
    message: str = ""
    """that case's sentence"""
    cost: Fraction = Fraction(0)
    """points"""
    is_least: bool = False
    """whether it may cost more: not every case was run"""
    deviations: tuple[str, ...] = ()
    """the kinds that were named"""
    is_named: bool | None = None
    """whether they are the right ones; None when the language has no name for what is wrong"""
    reason: str = ""
    """why it is no mistake, for an equivalent one"""


Baseline = Mapping[str, CaseResult]
"""case id -> the judgement of what is right there"""


def baseline(scenes: Sequence[Scene], course: Course) -> Baseline:
    """Judge what is right in every case."""
    return {scene.case.id: _judged(scene, scene.right, course) for scene in scenes}


def _judged(scene: Scene, execution: Execution, course: Course) -> CaseResult:
    return judged(scene.case, execution, scene.expected, course, of_reference=scene.by_reference)


def try_output(mutant: Mutant, scenes: Sequence[Scene], right: Baseline, course: Course) -> Trial:
    """Judge an output mutant in all cases."""
    changed: dict[str, CaseResult] = {}
    naming: list[CaseResult] = []
    for scene in scenes:
        execution = mutant.apply(scene)
        if execution is not scene.right and execution != scene.right:
            changed[scene.case.id] = result = _judged(scene, execution, course)
            naming += [result] if _names_all(scene) else []
    if not changed:
        return Trial(mutant=mutant, outcome=Outcome.SAME)
    cost = _score(course.spec, right) - _score(course.spec, {**right, **changed})
    trial = _trial(mutant, list(changed.values()), cost)
    return replace(trial, is_named=_is_named(mutant, naming or list(changed.values())) if mutant.named else None)


def _names_all(scene: Scene) -> bool:
    """Whether a text is compared line by line in a case, and so every deviation can be named."""
    return any(comparator(scene, stream) in WHOLE for stream in STREAMS)


def try_source(mutant: Mutant, scenes: Sequence[Scene], course: Course) -> Trial:
    """Run a source mutant until a case notices. Raises HostError when it cannot be run."""
    noticed: list[CaseResult] = []
    for scene in scenes:
        execution = mutant.apply(scene)
        if execution is scene.right:
            continue
        result = _judged(scene, execution, course)
        lost = _share(scene.test, result)
        if lost:
            return _trial(mutant, [result], lost, is_least=True)
        noticed += [result] if result.deviations else []
    return _trial(mutant, noticed, Fraction(0))


def _share(test: Test, result: CaseResult) -> Fraction:
    """Return the points that a test loses by this case alone."""
    if test.all_or_nothing:
        return test.points if result.credit < 1 else Fraction(0)
    return test.points * (1 - result.credit) / len(test.cases)


def _trial(mutant: Mutant, results: Sequence[CaseResult], cost: Fraction, *, is_least: bool = False) -> Trial:
    noticing = [result for result in results if result.deviations or result.verdict != Verdict.PASSED]
    first = next((result for result in noticing if result.credit < 1), noticing[0] if noticing else None)
    kinds = {deviation.kind for result in results for deviation in result.deviations}
    without_cost = Outcome.TOLERATED if first and first.credit == 1 else Outcome.SURVIVED
    return Trial(
        mutant=mutant,
        outcome=Outcome.KILLED if cost else without_cost,
        noticed=first.id if first else "",
        verdict=str(first.verdict) if first else "",
        message=first.message if first else "",
        cost=cost,
        is_least=is_least,
        deviations=tuple(sorted(kinds)),
    )


def _is_named(mutant: Mutant, results: Sequence[CaseResult]) -> bool:
    """Whether most of the cases in which it is wrong name nothing but what is wrong."""
    named = [{deviation.kind for deviation in result.deviations} for result in results]
    right = [kinds for kinds in named if kinds and kinds <= mutant.named]
    return 2 * len(right) > len(named)


def _score(spec: Spec, results: Mapping[str, CaseResult]) -> Fraction:
    """Return the score with these judgements; cases without one count nothing, and so do tests whose needs fail."""
    tests: list[TestResult] = []
    for test in spec.tests:
        cases = tuple(results[case.id] for case in test.cases if case.id in results)
        if cases and _has_needs(test, tests):
            tests.append(judge_test(test, cases))
    _, score = overall(tests)
    return score or Fraction(0)


def _has_needs(test: Test, before: Sequence[TestResult]) -> bool:
    unmet = {result.test.name for result in before if result.verdict != Verdict.PASSED}
    return unmet.isdisjoint(test.needs)


# ---------------------------------------------------------------- what the spec says of them


def marked(
    trials: Sequence[Trial], untried: Sequence[str], equivalent: Mapping[str, str]
) -> tuple[tuple[Trial, ...], tuple[str, ...]]:
    """Set the survivors aside that the spec calls equivalent.

    Return all trials, and what is wrong with the markings: one that matches no mutant, also of those that were
    `untried`, or only such as are noticed.
    """
    found = tuple(_set_aside(trial, equivalent) for trial in trials)
    survivors = [trial.mutant.name for trial in trials if trial.outcome == Outcome.SURVIVED]
    others = [trial.mutant.name for trial in trials if trial.outcome not in (Outcome.SURVIVED, Outcome.SAME)]
    wrong = []
    for pattern in equivalent:
        if _matches(pattern, (*survivors, *untried)):
            continue
        told = "only mutants that are noticed" if _matches(pattern, others) else "no mutant"
        wrong.append(f"equivalent: {pattern} matches {told}: take it out, or correct the name")
    return found, tuple(wrong)


def _set_aside(trial: Trial, equivalent: Mapping[str, str]) -> Trial:
    if trial.outcome != Outcome.SURVIVED:
        return trial
    pattern = next((pattern for pattern in equivalent if _matches(pattern, [trial.mutant.name])), None)
    if pattern is None:
        return trial
    return replace(trial, outcome=Outcome.EQUIVALENT, reason=equivalent[pattern])


def _matches(pattern: str, names: Sequence[str]) -> bool:
    return any(pattern == name or fnmatchcase(name, pattern) for name in names)
