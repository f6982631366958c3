"""Whether a spec is right before students see it: its reference, its samples, its mutants and its limits.

`verify_spec` finds out; what it has to say is one line for people, and everything for programs.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import msgspec
from msgspec import to_builtins

from grader.check.expected_results import ROOM, ReferenceResult, Scene, Timing, ask_all, scenes, timings
from grader.check.mutants import Fate, Trial, judge_right, set_equivalent_aside, try_output, try_source
from grader.check.output_mutants import forgetful_mutants, output_mutants
from grader.check.sample_plan import SamplePlan, plan_samples
from grader.check.sample_results import (
    OTHER_SEEDS,
    CachedAttempt,
    SampleResult,
    check_first_right_sample,
    check_samples,
    same_for_all,
    surroundings,
)
from grader.check.samples import Witnesses, find_witnesses, read_samples
from grader.check.second_answers import ask_again, count_generated, describe_doubt
from grader.check.source_mutants import most_killing_first, most_telling_first, source_mutants
from grader.core.build.staging import submission_digest
from grader.core.deviations.table import DEVIATIONS
from grader.core.kind import kind_of, kinds_in
from grader.core.model.judgement import Job, Judgement, Verdict
from grader.core.model.spec import Spec
from grader.core.pipeline import Course, assess, work_on
from grader.core.text import count, listed, one_line, points
from grader.core.threads import in_order

MUTANTS = 60  # source mutants that are run, unless more are asked for
_MUTANTS_AT_A_TIME = 8
"""source mutants that run on the cases in the same order, whatever the number of jobs; then that is chosen anew"""
MAX_MUTANT_SECONDS = 60.0
"""seconds of a processor after which no further source mutant is run, unless all are asked for"""
MIN_KILLED = 0.98  # the share of the mutants that have to lose points; of those that break a visible rule, all


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """All that is known about a spec."""

    spec: Spec
    answered: tuple[ReferenceResult, ...]  # what the reference did, in each case
    samples: tuple[SampleResult, ...]
    stated: int  # how many samples there are
    witnesses: Witnesses  # which right samples are not the reference itself
    plan: SamplePlan | None  # which of them were graded, and in which tests; None when only a right one was
    unknown: tuple[str, ...]  # the cases without a known right result
    unbroken: tuple[str, ...]
    """what is asked of the source that no sample breaks, as ids of cases: their detection is unverified"""
    unmet: tuple[str, ...]  # what is asked of the source that no sample meets, as ids of cases: perhaps nothing can
    unshown: tuple[str, ...]  # tolerated deviations that no sample and no mutant has: nobody knows what they leave
    on_reference: tuple[str, ...]  # what is good to know of the reference, in sentences
    trials: tuple[Trial, ...]
    untried: Mapping[str, int]  # the sorts of change of the source mutants that were not run, and how many each has
    markings: tuple[str, ...]  # what is wrong with those in the spec
    timings: tuple[Timing, ...]
    recalled: int  # runs that were not made, since the same were made before

    def of(self, *outcomes: Fate) -> tuple[Trial, ...]:
        """Return the trials that came out so."""
        return tuple(trial for trial in self.trials if trial.outcome in outcomes)

    @property
    def killed(self) -> float | None:
        """The share of the mutants that lose points; None without mutants."""
        found = self.of(Fate.KILLED, Fate.SURVIVED)
        return len(self.of(Fate.KILLED)) / len(found) if found else None

    @property
    def named(self) -> float | None:
        """The share of the deviations that are named rightly, where the language has a name and something is lost."""
        found = [trial for trial in self.of(Fate.KILLED, Fate.SURVIVED) if trial.is_named is not None]
        return sum(trial.is_named is True for trial in found) / len(found) if found else None

    @property
    def untried_mutants(self) -> int:
        """How many source mutants were not run."""
        return sum(self.untried.values())

    @property
    def is_complete(self) -> bool:
        """Whether everything was run."""
        return not self.untried and self.plan is not None and not self.plan.skipped_runs

    @property
    def is_ungraded(self) -> bool:
        """Whether grader itself failed: then the rest is unknown."""
        return any(one.error for one in self.answered if one.is_wrong) or any(
            one.report.verdict == Verdict.UNGRADED for one in self.samples
        )

    @property
    def is_right(self) -> bool:
        """Whether everything is as it should be."""
        visible = [trial for trial in self.of(Fate.SURVIVED) if trial.mutant.rule == "visible"]
        return not (
            any(one.is_wrong or one.doubt for one in self.answered)
            or any(one.differences for one in self.samples)
            or self.unknown
            or self.unmet
            or visible
            or (self.killed is not None and self.killed < MIN_KILLED)
            or self.markings
            or any(timing.is_tight for timing in self.timings)
        )


def verify_spec(
    path: Path,
    course: Course,
    *,
    jobs: int = 1,
    most: int | None = MUTANTS,
    samples: bool = True,
    everything: bool = False,
    fresh: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> Verification:
    """Verify the spec at `path`, for which `course` was prepared; with `jobs` programs at a time.

    Where `jobs` is not one, `jobs` + `MORE_SAMPLES` samples run at a time. At `most` so many source mutants are run,
    all with None. Without `samples` only the first right one is graded, where the reference cannot show what is right;
    with `everything` each in all tests, else as `plan_samples` chooses. Cached executions of samples and mutants are
    used unless `fresh`. `tell` is called with progress lines. Raises UsageError for samples without a statement, and
    HostError when the machine fails.
    """
    course = same_for_all(course)
    tell("asking the reference")
    answered = ask_again(course, ask_all(course, jobs), jobs)
    stated, around = read_samples(course.spec), surroundings(course)
    whole = {one.case.id for one in answered if not one.shows_right}
    draws = 1 + (OTHER_SEEDS if course.spec.seed else 0)
    plan = plan_samples(course.spec, stated, draws=draws, everything=everything) if samples else None
    sample_results = (
        check_samples(plan, stated, path, course, around, jobs=jobs, whole=whole, fresh=fresh, tell=tell)
        if plan
        else check_first_right_sample(stated, path, course, answered, whole)
    )
    right = [one.report for one in sample_results if one.report.verdict == Verdict.PASSED and one.partial_score is None]
    known, unknown = scenes(answered, right)
    unmet, unbroken = untried_sources(course.spec, [one.report for one in sample_results]) if samples else ((), ())
    tell("looking at the style of the reference")
    on_reference = look_at_reference(course)
    attempt = CachedAttempt.begin(course, "", [around, "mutants"], fresh=fresh).without_budget()
    trials, unrun, markings = _try_mutants(known, attempt, most, jobs, tell)
    attempt.recall.keep()
    return Verification(
        spec=course.spec,
        answered=answered,
        samples=sample_results,
        stated=len(stated),
        witnesses=find_witnesses(course.spec, stated),
        plan=plan,
        unknown=unknown,
        unbroken=tuple(unbroken),
        unmet=tuple(unmet),
        unshown=unshown_tolerances(course.spec, sample_results, trials) if samples and stated else (),
        on_reference=on_reference,
        trials=trials,
        untried=unrun,
        markings=markings,
        timings=_measure(path, course, answered, right),
        recalled=attempt.recall.recalled + sum(one.recalled for one in sample_results),
    )


def _try_mutants(
    known: Sequence[Scene], course: Course, most: int | None, jobs: int, tell: Callable[[str], None]
) -> tuple[tuple[Trial, ...], Mapping[str, int], tuple[str, ...]]:
    """Return the trials, how many source mutants of each sort were not run, and what markings are wrong.

    Those beyond `most` are not run, nor those beyond the time that there is for them.
    """
    tell("trying mutants")
    baseline = judge_right(known, course)
    judged_whole = (*output_mutants(course.spec, known, course), *forgetful_mutants(course))
    trials = [try_output(mutant, known, baseline, course) for mutant in judged_whole]
    running, untried = source_mutants(course, most)
    ordered, kills, left = most_telling_first(known), Counter[str](), MAX_MUTANT_SECONDS
    for first in range(0, len(running) if ordered else 0, _MUTANTS_AT_A_TIME):
        if left <= 0 and most is not None:
            untried += [(mutant.name, mutant.sort) for mutant in running[first:]]
            break
        tasks = (partial(try_source, mutant, ordered, course) for mutant in running[first : first + _MUTANTS_AT_A_TIME])
        for number, trial in enumerate(in_order(tasks, jobs, course.cancelled.set), first + 1):
            tell(f"trying mutants of the source: {number} of {len(running)}")
            trials.append(trial)
            kills[trial.noticed] += trial.outcome == Fate.KILLED
            left -= trial.seconds
        ordered = most_killing_first(ordered, kills)
    judged, markings = set_equivalent_aside(trials, [name for name, _ in untried], course.spec.equivalent)
    return judged, Counter(sort for _, sort in untried), markings


def untried_sources(spec: Spec, reports: Sequence[Judgement]) -> tuple[list[str], list[str]]:
    """Return what is asked of the source that no sample meets, and what none breaks, as ids of cases.

    There are no mutants of a source's style, or of a student's tests: that such a case can be lost, and had, samples
    alone show.
    """
    cases = [case for test in spec.tests for case in test.cases if case.weight]
    asked = [case.id for case in cases if not kind_of(case).has_answer]
    judged = [case for report in reports for test in report.tests for case in test.cases]
    met = {case.id for case in judged if case.verdict is Verdict.PASSED}
    broken = {case.id for case in judged if case.verdict in (Verdict.FAILED, Verdict.PARTIAL)}
    return [name for name in asked if name not in met], [name for name in asked if name not in broken]


def look_at_reference(course: Course) -> tuple[str, ...]:
    """Return, in sentences, what is good to know of the reference by what a spec asks of the source."""
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        looks = (kind.look_at_reference(course, Path(folder)) for kind in kinds_in(course.spec))
        return tuple(chain.from_iterable(looks))


def unshown_tolerances(spec: Spec, sample_results: Sequence[SampleResult], trials: Sequence[Trial]) -> tuple[str, ...]:
    """Return the deviations that the spec tolerates, and that neither a sample nor a mutant has."""
    cases = (case for one in sample_results for test in one.report.tests for case in test.cases)
    shown = {kind for trial in trials for kind in trial.deviations}.union(
        one.kind for case in cases for one in case.deviations
    )
    tolerated = {kind for test in spec.tests for case in test.cases for kind, keeps in case.tolerate.items() if keeps}
    return tuple(kind for kind in DEVIATIONS if kind in tolerated - shown)


def _measure(
    path: Path, course: Course, answered: Sequence[ReferenceResult], right: Sequence[Judgement]
) -> tuple[Timing, ...]:
    """Return the timings; those that seem too tight are measured again, with nothing else running."""
    found = timings(course, answered, right)
    tight = tuple(timing.test for timing in found if timing.is_tight)
    if not tight or not right:
        return found
    jobs = [Job(spec=path, submission=report.submission, only=tight) for report in right]
    alone = timings(course, answered, list(work_on(jobs, course, assess)))
    # Of the other tests no sample was run again, so what is there is all that is known.
    return tuple(
        max(before, again, key=lambda timing: timing.ratio or 0) if before.is_tight else before
        for before, again in zip(found, alone, strict=True)
    )


# ---------------------------------------------------------------- the cache of verifications


class VerificationSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of a verification, as it is cached."""

    right: bool
    ungraded: bool
    summary: str
    samples: tuple[tuple[str, tuple[str, ...]], ...]  # those that are not as they should be, and in what
    mutants: tuple[tuple[str, ...], ...]
    """a row each: name, outcome, who noticed it, cost, how it was named; survivors first, then the cheapest"""
    limits: tuple[tuple[tuple[str, ...], bool], ...]
    """a row each: test, reference, sample, limit, times; and whether it is too tight"""
    lines: tuple[str, ...]  # what else is not as it should be, and what is good to know
    json: str  # all of it, for programs
    recalled: int = 0  # runs that were not made, since the same were made before


def verification_key(
    course: Course, facts: object, most: int | None, *, samples: bool, everything: bool = False
) -> object:
    """Return all that a verification depends on: the samples and what is stated of them, and what is around them.

    And `facts`, of the course: what else a report depends on.
    """
    stated = read_samples(course.spec)
    return {
        "course": facts,
        "samples": [(repr(one), submission_digest(one.submission.path, course.cache)) for one in stated],
        "asked": [most, samples, everything],
        "around": surroundings(course),
    }


def describe_verification(found: Verification) -> VerificationSummary:
    """Return the summary of a verification."""
    lines = list(_faults(found))
    if found.untried:  # no faults, and good to know
        sorts = ", ".join(f"{sort} {number}" for sort, number in sorted(found.untried.items()))
        lines.append(f"{found.untried_mutants} further mutants of the source were not run ({sorts}); --all runs them.")
    if found.plan and (not_run := found.plan.describe()):
        lines.append(not_run)
    unseen = "no sample breaks this rule; add one that does, which shows that it is noticed."
    lines += [f"{name}: {unseen}" for name in found.unbroken]
    if found.unshown:
        deviations = listed(found.unshown, most=len(found.unshown))
        lines.append(f"Tolerated, but in no sample and no mutant: {deviations}. A sample with it shows what it gets.")
    lines += _lines_on_reference(found)
    has_answers = any(kind.has_answer or kind.runs == "source" for kind in kinds_in(found.spec))
    if has_answers and not found.spec.seed and all(test.visibility == "visible" for test in found.spec.tests):
        lines.append("Every test is visible: a program with their answers written into it has full marks.")
    return VerificationSummary(
        right=found.is_right,
        ungraded=found.is_ungraded,
        summary=verification_summary(found),
        samples=tuple((one.sample.submission.id, one.differences) for one in found.samples if one.differences),
        mutants=tuple(_mutant_rows(found)),
        limits=tuple((_limit_row(timing), timing.is_tight) for timing in found.timings),
        lines=tuple(lines),
        json=verification_to_json(found),
        recalled=found.recalled,
    )


def _lines_on_reference(found: Verification) -> Iterator[str]:
    """Yield what is good to know of the reference, and of the samples that are none but it."""
    yield from found.on_reference
    if copies := found.witnesses.describe_copies:
        yield f"{copies}."
    asked, generated = count_generated(found.answered)
    if asked < generated:
        yield f"The reference was asked twice in {asked} of {count(generated, 'generated case')}."


def _mutant_rows(found: Verification) -> Iterator[tuple[str, ...]]:
    order = [Fate.SURVIVED, *(fate for fate in Fate if fate != Fate.SURVIVED)]
    shown = [trial for trial in found.trials if trial.outcome != Fate.SAME]
    for trial in sorted(shown, key=lambda trial: (order.index(trial.outcome), trial.cost)):
        about = trial.mutant.about + (f": {trial.message}" if trial.verdict == Verdict.UNGRADED else "")
        instead = {Fate.EQUIVALENT: trial.reason, Fate.SURVIVED: about}
        yield (
            one_line(trial.mutant.name),
            str(trial.outcome),
            one_line(instead.get(trial.outcome, trial.noticed)),
            f"{'≥ ' if trial.is_least else ''}{points(trial.cost)}" if trial.cost else "",
            f"{', '.join(trial.deviations) or trial.verdict}{' (not rightly)' if trial.is_named is False else ''}",
        )


def _limit_row(timing: Timing) -> tuple[str, ...]:
    taken = ("" if time is None else f"{time:.2f} s" for time in (timing.reference, timing.sample))
    return timing.test, *taken, f"{timing.limit:g} s", "" if timing.ratio is None else f"{timing.ratio:.0f}"


# ---------------------------------------------------------------- for people


def verification_summary(found: Verification) -> str:
    """Return the whole result on a line."""
    reference = _reference_summary(found)
    right = sum(not one.differences for one in found.samples)
    samples = f"{right} of {len(found.samples)} as expected" if found.plan else "not graded"
    if found.plan and found.plan.skipped_runs:
        untried = f", {count(len(found.plan.untried), 'statement')} not tried" if found.plan.untried else ""
        samples += f", {len(found.plan.partial)} of them in part ({len(found.plan.ungraded)} not graded{untried})"
    mutants = "none"
    if found.killed is not None:
        tried = len(found.of(Fate.KILLED, Fate.SURVIVED))
        mutants = f"{tried}, {_percent_reached(found.killed)} lose points"
    if found.killed is not None and found.named is not None:
        mutants += f", {_percent_reached(found.named)} named rightly"
    tight = ", ".join(timing.test for timing in found.timings if timing.is_tight)
    parts = {
        "reference": reference if found.spec.has_references else "none",
        "samples": samples if found.stated else "none",
        "mutants": mutants,
        "limits": f"too tight for {tight}" if tight else "ok",
    }
    return f"{found.spec.id}: {'; '.join(f'{part}: {text}' for part, text in parts.items())}"


def _reference_summary(found: Verification) -> str:
    if wrong := sum(one.is_wrong for one in found.answered):
        return f"wrong in {count(wrong, 'case')}"
    if doubtful := sum(one.doubt is not None for one in found.answered):
        return f"two answers in {count(doubtful, 'case')}"
    return "full marks"


def _percent_reached(share: float) -> str:
    """Write a share with one decimal, and never more than it is: of 99.96 % not all is reached."""
    tenths = int(share * 1000)
    return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10} %"


def _faults(found: Verification) -> Iterator[str]:
    """Yield the faults other than of mutants and samples; one in many cases only once."""
    wrong: dict[str, list[str]] = {}
    for one in found.answered:
        if one.is_wrong:
            wrong.setdefault(_fault_of(one), []).append(one.case.id)
    for fault, cases in wrong.items():
        yield f"the reference, {listed(cases, most=1)}: {fault}"
    yield from _doubts(found)
    for case in found.unknown:
        yield f"{case}: nobody shows what is right: no reference can, and no right sample does"
    if found.unknown and not found.stated:
        yield (
            f"Put a right program into sample_submissions/{found.spec.id}/right, and `right: {{score: "
            f"{points(found.spec.max_score)}}}` into expected.yaml beside it."
        )
    for rule in found.unmet:
        yield f"{rule}: no sample meets this rule, so perhaps no right program can; compare it with a right sample"
    yield from found.markings
    for timing in found.timings:
        if timing.is_tight:
            taken = timing.reference if timing.sample is None else timing.sample
            yield (f"{timing.test}: a right program takes {taken or 0:.2f} s; the limit is less than {ROOM} times that")


def _doubts(found: Verification) -> Iterator[str]:
    """Yield where the reference gave two answers; of several cases with the same causes, the first."""
    doubtful: dict[tuple[str, ...], list[ReferenceResult]] = {}
    for one in found.answered:
        if one.doubt:
            doubtful.setdefault(one.doubt.causes, []).append(one)
    for some in doubtful.values():
        if doubt := some[0].doubt:
            yield f"the reference, {listed([one.case.id for one in some], most=1)}: {describe_doubt(doubt)}"


def _fault_of(one: ReferenceResult) -> str:
    return one.error or (one.result.message.text if one.result else "") or "it has no full credit"


# ---------------------------------------------------------------- for programs


def verification_to_json(found: Verification) -> str:
    """Return all of it as JSON."""
    data = {
        "spec": {"id": found.spec.id, "digest": found.spec.digest},
        "right": found.is_right,
        "summary": verification_summary(found),
        "reference": [_answer_to_json(one) for one in found.answered],
        "samples": [_sample_to_json(one) for one in found.samples],
        "copies": list(found.witnesses.copies),
        "independent": found.witnesses.independent,
        "unknown": list(found.unknown),
        "unbroken": list(found.unbroken),
        "unmet": list(found.unmet),
        "unshown": list(found.unshown),
        "mutants": [_trial_to_json(trial) for trial in found.trials],
        "untried": found.untried_mutants,
        "complete": found.is_complete,
        "not_run": _skipped_to_json(found),
        "recalled": found.recalled,
        "killed": found.killed,
        "named": found.named,
        "markings": list(found.markings),
        "limits": [_timing_to_json(timing) for timing in found.timings],
    }
    return json.dumps(data, indent=2, ensure_ascii=False)


def _skipped_to_json(found: Verification) -> Mapping[str, object]:
    plan = found.plan
    return {
        "mutants": found.untried_mutants,
        "mutants_by_change": dict(sorted(found.untried.items())),
        "case_runs": plan.skipped_runs if plan else None,
        "samples": list(plan.ungraded) if plan else [sample.submission.id for sample in read_samples(found.spec)],
        "tests": {name: plan.left_out(name, found.spec) for name in plan.partial} if plan else {},
        "statements": [{"sample": name, "test": test or None} for name, test in plan.untried] if plan else [],
    }


def _answer_to_json(one: ReferenceResult) -> Mapping[str, object]:
    return {
        "case": one.case.id,
        **({"apart": one.is_apart} if one.is_apart else {"right": one.is_right}),
        **({"message": _fault_of(one)} if one.is_wrong else {}),
        **({"asked_twice": True} if one.is_asked_twice else {}),
        **({"doubt": to_builtins(one.doubt)} if one.doubt else {}),
    }


def _sample_to_json(result: SampleResult) -> Mapping[str, object]:
    return {
        "name": result.sample.submission.id,
        "score": None if result.report.score is None else points(result.report.score),
        "expected": result.sample.score if result.partial_score is None else points(result.partial_score),
        **({} if result.partial_score is None else {"tests": [test.test.name for test in result.report.tests]}),
        "differences": list(result.differences),
    }


def _trial_to_json(trial: Trial) -> Mapping[str, object]:
    return {
        "name": trial.mutant.name,
        "about": trial.mutant.about,
        "kind": trial.mutant.kind,
        "rule": trial.mutant.rule,
        "outcome": str(trial.outcome),
        "noticed": trial.noticed or None,
        "verdict": trial.verdict or None,
        "message": trial.message or None,
        "cost": points(trial.cost),
        "cost_is_least": trial.is_least,
        "deviations": list(trial.deviations),
        "named": trial.is_named,
        "reason": trial.reason or None,
    }


def _timing_to_json(timing: Timing) -> Mapping[str, object]:
    return {
        "test": timing.test,
        "reference": timing.reference,
        "sample": timing.sample,
        "limit": timing.limit,
        "ratio": timing.ratio,
        "tight": timing.is_tight,
    }
