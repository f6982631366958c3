"""Mutants: programs that are wrong in one way, to see whether a spec notices.

An output mutant is a right program with a fault in its output. Its execution in a case is changed as a faulty program
would have changed it, and judged; no process is started. It is wrong in one test, and wherever else a program is
given the same: no program could tell the two apart. It is judged in every case, so that its cost is what a student's
program would lose. A source mutant is the reference with one change of its source. It has to be run, which takes time:
case by case, the most telling first, until one notices; its cost is what that case alone takes, and so the least.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fnmatch import fnmatchcase
from fractions import Fraction
from typing import Literal

from grader.check.expected_results import Scene
from grader.check.subject import Flaw
from grader.core.comparators import COMPARATORS
from grader.core.judge.totals import charge_once, judge_test, least_share_lost, meets_need, overall
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, TestResult, Verdict
from grader.core.model.spec import ANYTHING, STREAMS, Expected, Spec, Stream, Test
from grader.core.pipeline import Course, judged
from grader.core.scoring import score_tests

Fault = Callable[[Scene], Execution | None]
"""Returns what a program does in a case when it is wrong there; None when it is not."""

BrokenRule = Literal["visible", "layout", "source"]
"""What is broken: a rule that the document states; blanks, line ends and capitals; whatever the changed source does."""

WHOLE = frozenset(name for name, comparator in COMPARATORS.items() if comparator.prescribes == "lines")
"""comparators that say how every line looks; the others leave the layout to the program"""
CHOSEN = "chosen lines"  # stands for any comparator that compares only some lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A program that is wrong in one way."""

    name: str  # `listing/stdout/order`, as `equivalent` in the spec names it
    about: str  # what is wrong with it, in a few words
    apply: Callable[[Scene], Execution]
    """returns what it does in a case: the very execution that is right, where it does nothing else; raises HostError
    when it cannot be run"""
    rule: BrokenRule = "visible"
    sort: str = ""  # of a source mutant: what is changed, in a word or two
    named: frozenset[str] = frozenset()
    """the deviations with any of which it is named rightly; none when the language has no name for it"""

    kind = property(lambda self: "source" if self.rule == "source" else "output")  # what of the reference is changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where an output mutant is wrong: in a test, and wherever else a program is given the same."""

    test: Test
    scenes: tuple[Scene, ...]  # the test's own
    every: tuple[Scene, ...]  # of all tests
    course: Course | None = None  # for programs that have to be run; None where nothing is

    def mutant(
        self, name: str, about: str, fault: Fault, *, rule: BrokenRule = "visible", named: Sequence[str] = ()
    ) -> Mutant:
        """Make a mutant that has the fault within this scope."""
        given = {scene.given for scene in self.scenes}

        def apply(scene: Scene) -> Execution:
            wrong = fault(scene) if scene.given in given else None
            return scene.right if wrong is None else wrong

        return Mutant(name=f"{self.test.name}/{name}", about=about, apply=apply, rule=rule, named=frozenset(named))

    def mutant_in(self, at: Scene, group: str, fault: Fault) -> Mutant:
        """Make a mutant that has the fault in one case alone."""
        return self.mutant(
            f"{group}/only{at.case.id.removeprefix(self.test.name) or '[1]'}",
            f"wrong in {at.case.id} alone",
            lambda scene: fault(scene) if scene.given == at.given else None,
        )

    def alike(self, scene: Scene) -> list[Scene]:
        """Return all scenes in which a program is given the same as in this one."""
        return [other for other in self.every if other.given == scene.given]

    def comparators(self, stream: Stream) -> Mapping[str, frozenset[str]]:
        """Return how a stream is compared in the scope, wherever it is: what is given -> comparators but `any`."""
        return {
            scene.given: frozenset().union(*(comparators_of(other, stream) for other in self.alike(scene)))
            for scene in self.scenes
        }


Family = Callable[[Scope], Iterator[Mutant]]
"""Makes the mutants of one kind for a scope; what changes nothing there is left out later."""


def comparators_of(scene: Scene, stream: Stream) -> frozenset[str]:
    """Return how a stream is compared in a case, in any of several ways; in none when it may hold anything."""
    asked = asked_of(scene, stream)
    return frozenset(CHOSEN if leaf.is_selective else leaf.how for leaf in asked.leaves) | (
        {"not"} if asked.denied else set()
    )


def asked_of(scene: Scene, stream: Stream) -> Expected:
    """Return what is expected of a stream in a case."""
    return (scene.case.expect.stdout if stream == "stdout" else scene.case.expect.stderr) or ANYTHING


def scopes(spec: Spec, scenes: Sequence[Scene], course: Course | None = None) -> Iterator[Scope]:
    """Yield a scope for each test, but one only where two tests give a program the same things throughout."""
    seen: set[frozenset[str]] = set()
    for test in spec.tests:
        own = tuple(scene for scene in scenes if scene.test is test)
        given = frozenset(scene.given for scene in own)
        if own and given not in seen:
            seen.add(given)
            yield Scope(test=test, scenes=own, every=tuple(scenes), course=course)


# ---------------------------------------------------------------- a mutant on trial


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"  # it loses points
    SURVIVED = "survived"  # it loses none, and nothing says that it may
    TOLERATED = "tolerated"  # its deviation is named, and costs nothing by the spec's own word
    EQUIVALENT = "equivalent"  # the spec says, with a reason, that it is not wrong
    SAME = "same"  # it does nothing else than what is right


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What became of one mutant."""

    mutant: Mutant
    outcome: Fate
    noticed: str = ""  # the first case that noticed it
    verdict: str = ""  # that case's
    message: str = ""  # that case's sentence
    cost: Fraction = Fraction(0)  # points
    is_least: bool = False  # whether it may cost more: not every case was run
    deviations: tuple[str, ...] = ()  # the kinds that were named
    is_named: bool | None = None
    """whether they are the right ones; None when the language has no name for what is wrong"""
    reason: str = ""  # why it is no mistake, for an equivalent one
    seconds: float = 0.0  # what its runs took, without those that they waited for a processor


def judge_right(scenes: Sequence[Scene], course: Course) -> Mapping[str, CaseResult]:
    """Judge what is right in every case, by its id."""
    return {scene.case.id: _judge_in(scene, scene.right, course) for scene in scenes}


def _judge_in(scene: Scene, execution: Execution, course: Course) -> CaseResult:
    return judged(scene.case, execution, scene.expected, course, of_reference=scene.by_reference)


def try_output(mutant: Mutant, scenes: Sequence[Scene], right: Mapping[str, CaseResult], course: Course) -> Trial:
    """Judge an output mutant in all cases; `right` is how those are judged that are right."""
    changed: dict[str, CaseResult] = {}
    naming: list[CaseResult] = []
    for scene in scenes:
        execution = mutant.apply(scene)
        if execution is scene.right or execution == scene.right:
            continue
        changed[scene.case.id] = result = _judge_in(scene, execution, course)
        if any(comparators_of(scene, stream) & WHOLE for stream in STREAMS):
            naming.append(result)  # a text is compared line by line, and so every deviation can be named
    if not changed:
        return Trial(mutant=mutant, outcome=Fate.SAME)
    results = list(changed.values())
    trial = _conclude(mutant, results, _score_of(course, right) - _score_of(course, {**right, **changed}))
    if not mutant.named:
        return trial
    # Named rightly is what most of the cases in which it is wrong name, and nothing but what is wrong.
    named = [{deviation.kind for deviation in result.deviations} for result in naming or results]
    rightly = [kinds for kinds in named if kinds and kinds <= mutant.named]
    return replace(trial, is_named=2 * len(rightly) > len(named))


def try_source(mutant: Mutant, scenes: Sequence[Scene], course: Course) -> Trial:
    """Run a source mutant until a case notices. Raises HostError when it cannot be run."""
    noticed: list[CaseResult] = []
    failed = Counter[str]()
    seconds = 0.0
    for scene in scenes:
        execution = mutant.apply(scene)
        if execution is scene.right:
            continue
        seconds += max(execution.cpu, execution.time - execution.waited)
        result = _judge_in(scene, execution, course)
        if result.credit < 1:
            failed[scene.test.name] += 1
            share = least_share_lost(scene.test, scene.case, result.credit, failed[scene.test.name])
            if lost := scene.test.points * share:
                return replace(_conclude(mutant, [result], lost), is_least=True, seconds=seconds)
        noticed += [result] if result.deviations else []
    return replace(_conclude(mutant, noticed, Fraction(0)), seconds=seconds)


def _conclude(mutant: Mutant, results: Sequence[CaseResult], cost: Fraction) -> Trial:
    noticing = [result for result in results if result.deviations or result.verdict != Verdict.PASSED]
    # One of whom we do not know what it is worth goes free: that is a fault of an interactor.
    failure = next((result for result in results if result.verdict == Verdict.UNGRADED), None)
    first = failure or min(noticing, key=lambda result: result.credit == 1, default=None)
    kinds = {deviation.kind for result in results for deviation in result.deviations}
    without_cost = Fate.TOLERATED if first and first.credit == 1 else Fate.SURVIVED
    return Trial(
        mutant=mutant,
        outcome=Fate.SURVIVED if failure else Fate.KILLED if cost else without_cost,
        noticed=first.id if first else "",
        verdict=str(first.verdict) if first else "",
        message=first.message.text if first else "",
        cost=cost,
        deviations=tuple(sorted(kinds)),
    )


def _score_of(course: Course, results: Mapping[str, CaseResult]) -> Fraction:
    """Return the score with these judgements; cases without one count nothing, and so do tests whose needs fail."""
    tests: list[TestResult] = []
    unmet: set[str] = set()
    for test in course.spec.tests:
        cases = tuple(results[case.id] for case in test.cases if case.id in results)
        if cases and unmet.isdisjoint(test.needs):
            tests.append(judge_test(test, cases))
            unmet |= set() if meets_need(tests[-1], course.spec.once) else {test.name}
    return overall(score_tests(charge_once(tests, course.spec.once), course.scorers))[1] or Fraction(0)


def set_equivalent_aside(
    trials: Sequence[Trial], untried: Sequence[str], equivalent: Mapping[str, str]
) -> tuple[tuple[Trial, ...], tuple[Flaw, ...]]:
    """Exclude the survivors that the spec calls equivalent.

    Return all trials, and what is wrong with the markings: one that matches no mutant, also of those that were
    `untried`, or only such as are noticed.
    """

    def matches(pattern: str, names: Sequence[str]) -> bool:
        return any(pattern == name or fnmatchcase(name, pattern) for name in names)

    found = []
    for trial in trials:
        reasons = [reason for pattern, reason in equivalent.items() if matches(pattern, [trial.mutant.name])]
        is_meant = reasons and trial.outcome == Fate.SURVIVED
        found.append(replace(trial, outcome=Fate.EQUIVALENT, reason=reasons[0]) if is_meant else trial)
    survivors = [trial.mutant.name for trial in trials if trial.outcome == Fate.SURVIVED]
    others = [trial.mutant.name for trial in trials if trial.outcome not in (Fate.SURVIVED, Fate.SAME)]
    wrong = []
    for at, pattern in enumerate(equivalent):
        if not matches(pattern, (*survivors, *untried)):
            matched = "only mutants that are noticed" if matches(pattern, others) else "no mutant"
            message = f"equivalent: {pattern} matches {matched}: take it out, or correct the name"
            wrong.append((f"equivalent[{at}]", message))
    return tuple(found), tuple(wrong)
