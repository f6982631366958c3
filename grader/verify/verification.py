"""Whether a spec is right before students see it: its reference, its samples, its mutants and its limits."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from grader.model import Job, Judgement, Spec, Verdict
from grader.pipeline import Course, assess, work_on
from grader.report import to_report
from grader.verify.mutants import output_mutants
from grader.verify.right import Answered, ask_all, scenes
from grader.verify.samples import Sample, differences, read_samples
from grader.verify.source_mutants import source_mutants, telling
from grader.verify.timings import Timing, timings
from grader.verify.trial import Outcome, Trial, baseline, marked, try_output, try_source

MUTANTS = 60
"""source mutants that are run, unless more are asked for"""
LEAST_KILLED = 0.98
"""the share of the mutants that have to lose points; of those that break a visible rule, all"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A sample held against what it must get."""

    sample: Sample
    report: Judgement
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """All that is known about a spec."""

    spec: Spec
    answered: tuple[Answered, ...]
    """what the reference did, in each case"""
    samples: tuple[Held, ...]
    stated: int
    """how many samples there are"""
    all_samples: bool
    """whether all of them were graded, or only a right one"""
    unknown: tuple[str, ...]
    """the cases of which nobody shows what is right"""
    trials: tuple[Trial, ...]
    untried: int
    """source mutants that were not run"""
    markings: tuple[str, ...]
    """what is wrong with those in the spec"""
    timings: tuple[Timing, ...]

    def of(self, *outcomes: Outcome) -> tuple[Trial, ...]:
        """Return the trials that came out so."""
        return tuple(trial for trial in self.trials if trial.outcome in outcomes)

    @property
    def killed(self) -> float | None:
        """The share of the mutants that lose points; None without mutants."""
        return _share([trial.outcome == Outcome.KILLED for trial in self.of(Outcome.KILLED, Outcome.SURVIVED)])

    @property
    def named(self) -> float | None:
        """The share of the deviations that are named rightly, where the language has a name and something is lost."""
        found = self.of(Outcome.KILLED, Outcome.SURVIVED)
        return _share([trial.is_named for trial in found if trial.is_named is not None])

    @property
    def is_ungraded(self) -> bool:
        """Whether we failed: then nobody knows about the rest."""
        return any(one.error for one in self.answered if one.is_wrong) or any(
            held.report.verdict == Verdict.UNGRADED for held in self.samples
        )

    @property
    def is_right(self) -> bool:
        """Whether everything is as it should be."""
        visible = [trial for trial in self.of(Outcome.SURVIVED) if trial.mutant.rule == "visible"]
        return not (
            any(one.is_wrong for one in self.answered)
            or any(held.differences for held in self.samples)
            or self.unknown
            or visible
            or (self.killed is not None and self.killed < LEAST_KILLED)
            or self.markings
            or any(timing.is_tight for timing in self.timings)
        )


def _share(found: Sequence[bool]) -> float | None:
    return sum(found) / len(found) if found else None


def verify(
    path: Path,
    course: Course,
    *,
    jobs: int = 1,
    most: int | None = MUTANTS,
    samples: bool = True,
    tell: Callable[[str], None] = lambda _: None,
) -> Verification:
    """Verify the spec at `path`, for which `course` was prepared; with `jobs` programs at a time.

    At `most` so many source mutants are run, all with None. Without `samples` only the first right one is graded, where
    the reference cannot show what is right. `tell` hears what is being done. Raises UsageError for samples without a
    statement, and HostError when the machine fails.
    """
    tell("asking the reference")
    answered = ask_all(course, jobs)
    stated = read_samples(course.spec)
    tell("grading the samples")
    held = _held(path, course, stated, jobs) if samples else _first_right(path, course, stated, answered)
    right = [one.report for one in held if one.report.verdict == Verdict.PASSED]
    known, unknown = scenes(answered, right)
    tell("trying mutants")
    standing = baseline(known, course)
    trials = [try_output(mutant, known, standing, course) for mutant in output_mutants(course.spec, known)]
    running, untried = source_mutants(course, most)
    ordered = telling(known)
    with ThreadPoolExecutor(jobs) as pool:
        trials += pool.map(lambda mutant: try_source(mutant, ordered, course), running if ordered else [])
    judged, markings = marked(trials, untried, course.spec.equivalent)
    return Verification(
        spec=course.spec,
        answered=answered,
        samples=held,
        stated=len(stated),
        all_samples=samples,
        unknown=unknown,
        trials=judged,
        untried=len(untried),
        markings=markings,
        timings=_timings(path, course, answered, right),
    )


def _timings(
    path: Path, course: Course, answered: Sequence[Answered], right: Sequence[Judgement]
) -> tuple[Timing, ...]:
    """Return the timings; those that seem too tight are measured again, with nothing else running."""
    found = timings(course, answered, right)
    tight = tuple(timing.test for timing in found if timing.is_tight)
    if not tight or not right:
        return found
    jobs = [Job(spec=path, submission=report.submission, only=tight) for report in right]
    alone = timings(course, answered, list(work_on(jobs, course, assess)))
    return tuple(max(pair, key=lambda timing: timing.ratio or 0) for pair in zip(found, alone, strict=True))


def _first_right(
    path: Path, course: Course, stated: Sequence[Sample], answered: Sequence[Answered]
) -> tuple[Held, ...]:
    """Grade the first right sample in the tests in which the reference cannot stand for a program."""
    first = next((sample for sample in stated if sample.is_right(course.spec)), None)
    only = tuple(dict.fromkeys(one.test.name for one in answered if one.is_apart))
    if first is None or not only:
        return ()
    report = assess(Job(spec=path, submission=first.submission, only=only), course)
    return (Held(sample=first, report=report, differences=()),)


def _held(path: Path, course: Course, samples: Sequence[Sample], jobs: int) -> tuple[Held, ...]:
    work = [Job(spec=path, submission=sample.submission) for sample in samples]
    reports = work_on(work, course, assess, jobs)
    return tuple(
        Held(sample=sample, report=report, differences=differences(to_report(report), sample))
        for sample, report in zip(samples, reports, strict=True)
    )
