"""Whether a spec is right before students see it: its reference, its samples, its mutants and its limits.

`verify_spec` finds out; what it has to say are remarks with their places, one line in all, and everything for programs.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
from msgspec import to_builtins
from msgspec.structs import asdict, replace

from grader.check import by_reference
from grader.check.expected_results import ROOM, ReferenceResult, Scene, Timing, reference_results, scenes, timings
from grader.check.mutants import Fate, Trial, output_mutants, set_equivalent_aside, try_outputs, try_source
from grader.check.sample_results import CachedAttempt, SampleResult, check_samples, surroundings
from grader.check.samples import Sample, SamplePlan, find_copies, plan_right, plan_samples, read_samples
from grader.check.source_mutants import most_telling_first, source_mutants
from grader.check.subject import RULE_TABLE, Level, Remark, Subject, finders_in
from grader.core.build.staging import submission_digest
from grader.core.deviations.table import DEVIATIONS
from grader.core.kind import kind_of, kinds_in
from grader.core.model.report import CaseResult, Job, Judgement, Verdict
from grader.core.pipeline import Course, assess, work_on
from grader.core.report.html import fill_in
from grader.core.text import one_line, points
from grader.core.threads import in_order
from grader.kinds import Flaw, flaw

MUTANTS = 60  # source mutants that are run, unless more are asked for
_MUTANTS_AT_A_TIME = 8  # source mutants that run before the time is looked at, whatever the number of jobs
MAX_MUTANT_SECONDS = 60.0  # of a processor, after which no further source mutant is run, unless all are asked for
MIN_KILLED = 0.98  # the share of the mutants that have to lose points; of those that break a visible rule, all
_LEVELS: Mapping[str, Level] = {"tight-limit": "error", "copied-sample": "note"}
"""of rules that are warnings of `lint`, where right programs were measured and the independent ones are counted"""


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known about a spec."""

    subject: Subject  # the spec, and what the reference did in each case
    stated: Sequence[Sample]
    samples: Sequence[SampleResult]
    plan: SamplePlan | None  # which samples were graded, and in which tests; None when only a right one was
    unknown: Sequence[str]  # the ids of cases without a known right result
    on_reference: Sequence[str]  # what is good to know of the reference, in sentences
    trials: Sequence[Trial]
    untried: Counter[str]  # the sorts of change of the source mutants that were not run, and how many each has
    markings: Sequence[Flaw]  # what is wrong with those in the spec
    timings: Sequence[Timing]
    recalled: int  # runs that were not made, since the same were made before

    spec = property(lambda self: self.subject.spec)
    answered = property(lambda self: self.subject.answers)

    @property
    def judged(self) -> list[CaseResult]:
        """The cases of the samples."""
        return [case for sample in self.samples for test in sample.report.tests for case in test.cases]

    def of(self, *outcomes: Fate) -> tuple[Trial, ...]:
        """Return the trials that came out so."""
        return tuple(trial for trial in self.trials if trial.outcome in outcomes)

    @property
    def killed(self) -> float | None:
        """The share of the mutants that lose points; None without mutants."""
        judged = self.of(Fate.KILLED, Fate.SURVIVED)
        return len(self.of(Fate.KILLED)) / len(judged) if judged else None

    @property
    def named(self) -> float | None:
        """The share of the deviations that are named rightly, where the language has a name and something is lost."""
        named = [trial.named for trial in self.of(Fate.KILLED, Fate.SURVIVED) if trial.named is not None]
        return sum(named) / len(named) if named else None

    @property
    def unmet(self) -> tuple[str, ...]:
        """The ids of the rules on the source that no sample meets: perhaps no program can."""
        return self._rules_without(Verdict.PASSED)

    @property
    def unbroken(self) -> tuple[str, ...]:
        """The ids of the rules on the source that no sample breaks; no mutant does, either."""
        return self._rules_without(Verdict.FAILED, Verdict.PARTIAL)

    def _rules_without(self, *verdicts: Verdict) -> tuple[str, ...]:
        """Return the ids of the rules on the source that come out so in no sample."""
        shown = {case.id for case in self.judged if case.verdict in verdicts}
        asked = (case.id for case in self.subject.cases if case.weight and not kind_of(case).has_answer)
        return tuple(name for name in asked if name not in shown) if self.plan else ()

    @property
    def unshown(self) -> tuple[str, ...]:
        """The tolerated deviations that no sample and no mutant has: nobody knows what they leave."""
        shown = {kind for trial in self.trials for kind in trial.deviations}
        shown |= {deviation.kind for case in self.judged for deviation in case.deviations}
        tolerated = {kind for case in self.subject.cases for kind, keeps in case.tolerate.items() if keeps} - shown
        return tuple(kind for kind in DEVIATIONS if kind in tolerated) if self.plan and self.stated else ()

    @property
    def is_ungraded(self) -> bool:
        """Whether grader itself failed: then the rest is unknown."""
        failed = any(answer.error for answer in self.answered if answer.is_wrong)
        return failed or any(sample.report.verdict == Verdict.UNGRADED for sample in self.samples)

    @property
    def is_right(self) -> bool:
        """Whether everything is as it should be."""
        visible = any(trial.mutant.rule == "visible" for trial in self.of(Fate.SURVIVED))
        is_weak = visible or (self.killed is not None and self.killed < MIN_KILLED)
        differs = any(sample.differences for sample in self.samples)
        return not (differs or is_weak or any(remark.level == "error" for remark in find_remarks(self)))


def verify_spec(
    path: Path,
    course: Course,
    *,
    jobs: int = 1,
    most: int | None = MUTANTS,
    samples: bool = True,
    everything: bool = False,
    fresh: bool = False,
    on_progress: Callable[[str], None] = lambda _: None,
) -> Verification:
    """Verify the spec at `path`, for which `course` was prepared; with `jobs` programs at a time.

    Where `jobs` is not one, `jobs` + `MORE_SAMPLES` samples run at a time. At `most` so many source mutants are run,
    all with None. Without `samples` only the first right one is graded, where the reference cannot show what is right;
    with `everything` each in all tests, else as `plan_samples` chooses. Cached executions of samples and mutants are
    used unless `fresh`. `on_progress` is called with a line of progress. Raises UsageError or SpecError for samples
    that are not stated, and HostError when the machine fails.
    """
    if course.spec.seed:  # every submission has the values that are drawn in the course, as those to compare need
        course = replace(course, spec=replace(course.spec, seed="course"))
    on_progress("asking the reference")
    answered = reference_results(course, jobs)
    stated, around = read_samples(course.spec), surroundings(course)
    only = tuple(dict.fromkeys(answer.test.name for answer in answered if answer.is_apart))
    plan = (
        plan_samples(course.spec, stated, everything=everything) if samples else plan_right(course.spec, stated, only)
    )
    whole = {answer.case.id for answer in answered if not answer.shows_right}
    graded = check_samples(plan, path, course, around, whole=whole, jobs=jobs, fresh=fresh, on_progress=on_progress)
    passed = [result for result in graded if result.report.verdict == Verdict.PASSED]
    right = [result.report for result in passed if result.partial_score is None or not samples]
    known, unknown = scenes(answered, right)
    on_progress("looking at the style of the reference")
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        on_reference = [said for kind in kinds_in(course.spec) for said in kind.look_at_reference(course, Path(folder))]
    attempt = CachedAttempt.begin(course, "", [around, "mutants"], fresh=fresh).without_budget()
    trials, unrun, markings = _try_mutants(known, attempt, most, jobs, on_progress)
    attempt.recall.keep()
    return Verification(
        subject=Subject.of(course.spec, str(path), course=course, answers=answered),
        stated=stated,
        samples=graded,
        plan=plan if samples else None,
        unknown=unknown,
        on_reference=on_reference,
        trials=trials,
        untried=unrun,
        markings=markings,
        timings=_measure(path, course, answered, right),
        recalled=attempt.recall.recalled + sum(result.recalled for result in graded),
    )


def _try_mutants(
    known: Sequence[Scene], course: Course, most: int | None, jobs: int, on_progress: Callable[[str], None]
) -> tuple[tuple[Trial, ...], Counter[str], tuple[Flaw, ...]]:
    """Return the trials, how many source mutants of each sort were not run, and what markings are wrong.

    Those beyond `most` are not run, nor those beyond the time that there is for them.
    """
    on_progress("trying mutants")
    trials = [*try_outputs(output_mutants(course.spec, known, course), known, course)]
    running, untried = source_mutants(course, most)
    ordered, seconds_left = most_telling_first(known), MAX_MUTANT_SECONDS
    for first in range(0, len(running) if ordered else 0, _MUTANTS_AT_A_TIME):
        if seconds_left <= 0 and most is not None:
            untried += [(mutant.name, mutant.sort) for mutant in running[first:]]
            break
        tasks = (partial(try_source, mutant, ordered, course) for mutant in running[first : first + _MUTANTS_AT_A_TIME])
        for number, trial in enumerate(in_order(tasks, jobs, course.cancelled.set), first + 1):
            on_progress(f"trying mutants of the source: {number} of {len(running)}")
            trials.append(trial)
            seconds_left -= trial.seconds
    judged, markings = set_equivalent_aside(trials, [name for name, _ in untried], course.spec.equivalent)
    return judged, Counter(sort for _, sort in untried), markings


def _measure(
    path: Path, course: Course, answered: Sequence[ReferenceResult], right: Sequence[Judgement]
) -> tuple[Timing, ...]:
    """Return the timings; those that seem too tight are measured again, with nothing else running."""
    measured = tuple(timings(course, answered, right))
    tight = tuple(timing.test for timing in measured if timing.is_tight)
    if not tight or not right:
        return measured
    jobs = [Job(spec=path, submission=report.submission, only=tight) for report in right]
    alone = timings(course, answered, list(work_on(jobs, course, assess)))
    # Of the other tests no sample was run again, so what is there is all that is known.
    return tuple(
        max(before, again, key=lambda timing: timing.ratio or 0) if before.is_tight else before
        for before, again in zip(measured, alone, strict=True)
    )


# ---------------------------------------------------------------- the cache of verifications


class VerificationSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of a verification, as it is cached."""

    right: bool
    ungraded: bool
    summary: str
    samples: tuple[tuple[str, tuple[str, ...]], ...]  # those that are not as they should be, and in what
    # A row each: name, outcome, who noticed it, cost, how it was named; survivors first, then the cheapest.
    mutants: tuple[tuple[str, ...], ...]
    # A row each: test, reference, sample, limit, times; and whether it is too tight.
    limits: tuple[tuple[tuple[str, ...], bool], ...]
    lines: tuple[str, ...]  # the remarks: what else is not as it should be, and what is good to know
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
        "samples": [(repr(sample), submission_digest(sample.submission.path, course.cache)) for sample in stated],
        "asked": [most, samples, everything],
        "around": surroundings(course),
    }


def describe_verification(verified: Verification) -> VerificationSummary:
    """Return the summary of a verification."""
    remarks = [*find_remarks(verified)]
    summary = fill_in("verification.txt", verified=verified, percent=_percent_reached).decode()
    return VerificationSummary(
        right=verified.is_right,
        ungraded=verified.is_ungraded,
        summary=summary,
        samples=tuple((it.sample.submission.id, it.differences) for it in verified.samples if it.differences),
        mutants=tuple(_mutant_rows(verified)),
        limits=tuple((_limit_row(timing), timing.is_tight) for timing in verified.timings),
        lines=tuple(map(str, remarks)),
        json=_to_json(verified, summary, remarks),
        recalled=verified.recalled,
    )


def _mutant_rows(verified: Verification) -> Iterator[tuple[str, ...]]:
    shown = [trial for trial in verified.trials if trial.outcome != Fate.SAME]
    for trial in sorted(shown, key=lambda trial: ([*Fate].index(trial.outcome), trial.cost)):
        about = trial.mutant.about + (f": {trial.message}" if trial.verdict == Verdict.UNGRADED else "")
        noticed = {Fate.EQUIVALENT: trial.reason, Fate.SURVIVED: about}.get(trial.outcome, trial.noticed)
        yield (
            one_line(trial.mutant.name),
            str(trial.outcome),
            one_line(noticed or ""),
            f"{'≥ ' if trial.cost_is_least else ''}{points(trial.cost)}" if trial.cost else "",
            f"{', '.join(trial.deviations) or trial.verdict or ''}{' (not rightly)' if trial.named is False else ''}",
        )


def _limit_row(timing: Timing) -> tuple[str, ...]:
    taken = ("" if time is None else f"{time:.2f} s" for time in (timing.reference, timing.sample))
    return timing.test, *taken, f"{timing.limit:g} s", "" if timing.ratio is None else f"{timing.ratio:.0f}"


# ---------------------------------------------------------------- for people


def find_remarks(verified: Verification) -> Iterator[Remark]:
    """Yield what is wrong other than with mutants and samples, and what is good to know, each with its place.

    What is wrong with the reference is what the rules of `lint` say of it.
    """
    subject = verified.subject
    for name, find in finders_in(by_reference):
        if name in ("reference-fails", "reference-differs", "unsteady-reference"):
            yield from find(subject)
    yield from (subject.remark(name, found, _LEVELS.get(name)) for name, found in _find_flaws(verified))


def _find_flaws(verified: Verification) -> Iterator[tuple[str, Flaw]]:
    """Yield what is wrong, then what is good to know, each with its rule."""
    subject, spec, plan = verified.subject, verified.spec, verified.plan
    paths = {case.id: case.path for case in subject.cases}
    yield from (("unknown-result", flaw(paths[case], "case", case=case)) for case in verified.unknown)
    if verified.unknown and not verified.stated:
        yield "unknown-result", flaw("", "no-sample", spec=spec)
    yield from (("unmet-rule", flaw(paths[rule], rule=rule)) for rule in verified.unmet)
    yield from (("idle-marking", marking) for marking in verified.markings)
    for timing, test in zip(verified.timings, spec.tests, strict=True):
        if timing.is_tight:
            taken = (timing.reference if timing.sample is None else timing.sample) or 0
            path = subject.path(test.cases[0], "limits")
            yield "tight-limit", flaw(path, "right", test=timing.test, taken=taken, room=ROOM)
    if verified.untried:
        yield "not-run", flaw("reference", "mutants", untried=verified.untried)
    if plan and plan.skipped_runs:
        yield "not-run", flaw("tests", "samples", plan=plan)
    yield from (("unbroken-rule", flaw(paths[rule], rule=rule)) for rule in verified.unbroken)
    if verified.unshown:
        yield "unshown-tolerance", flaw("tolerate", kinds=verified.unshown)
    yield from (("reference", flaw("reference", sentence=sentence)) for sentence in verified.on_reference)
    copies, independent = find_copies(spec, verified.stated)
    if copies:
        yield "copied-sample", flaw("reference", copies=copies, independent=independent, is_alone=False)


def _percent_reached(share: float) -> str:
    """Write a share with one decimal, and never more than it is: of 99.96 % not all is reached."""
    return f"{int(share * 1000) / 10:g} %"


# ---------------------------------------------------------------- for programs


def _to_json(verified: Verification, summary: str, remarks: Sequence[Remark]) -> str:
    plan = verified.plan or SamplePlan(tests={}, ungraded=tuple(sample.submission.id for sample in verified.stated))
    copies, independent = find_copies(verified.spec, verified.stated)
    tests = [test.name for test in verified.spec.tests]
    data = {
        "spec": {"id": verified.spec.id, "digest": verified.spec.digest},
        "right": verified.is_right,
        "summary": summary,
        "remarks": remarks,
        "reference": [_answer_to_json(answer) for answer in verified.answered],
        "samples": [_sample_to_json(sample) for sample in verified.samples],
        "copies": copies,
        "independent": independent,
        **{key: getattr(verified, key) for key in ("unknown", "unbroken", "unmet", "unshown")},
        "mutants": [_trial_to_json(trial) for trial in verified.trials],
        "untried": verified.untried.total(),
        "complete": not (verified.untried or verified.plan is None or verified.plan.skipped_runs),
        "not_run": {
            "mutants": verified.untried.total(),
            "mutants_by_change": dict(sorted(verified.untried.items())),
            "case_runs": plan.skipped_runs if verified.plan else None,
            "samples": plan.ungraded,
            "tests": {name: [test for test in tests if test not in plan.tests[name]] for name in plan.partial},
            "statements": [],  # each is shown
        },
        "recalled": verified.recalled,
        "killed": verified.killed,
        "named": verified.named,
        "markings": [RULE_TABLE["idle-marking"].say(key, **values) for _, key, values in verified.markings],
        "limits": verified.timings,
    }
    return json.dumps(to_builtins(data, enc_hook=points), indent=2, ensure_ascii=False)


def _answer_to_json(answer: ReferenceResult) -> Mapping[str, object]:
    fault = answer.error or (answer.result.message.text if answer.result else "") or "it has no full credit"
    return {
        "case": answer.case.id,
        **({"apart": answer.is_apart} if answer.is_apart else {"right": answer.is_right}),
        **({"message": fault} if answer.is_wrong else {}),
        **({"asked_twice": True} if answer.is_asked_twice else {}),
        **({"doubt": answer.doubt} if answer.doubt else {}),
    }


def _sample_to_json(result: SampleResult) -> Mapping[str, object]:
    return {
        "name": result.sample.submission.id,
        "score": result.report.score,
        "expected": result.sample.score if result.partial_score is None else result.partial_score,
        **({} if result.partial_score is None else {"tests": [test.test.name for test in result.report.tests]}),
        "differences": result.differences,
    }


def _trial_to_json(trial: Trial) -> Mapping[str, object]:
    mutant = {key: getattr(trial.mutant, key) for key in ("name", "about", "kind", "rule")}
    return mutant | {key: value for key, value in asdict(trial).items() if key not in ("mutant", "seconds")}
