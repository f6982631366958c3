"""Grade samples, and compare the reports with `expected.yaml`.

A sample is graded as a student's submission is, except that runs are cached. While the sample, the tools and grader
itself are unchanged, a run with the same input and limits is not repeated, only judged.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from msgspec import to_builtins
from msgspec.structs import replace as with_fields

from grader.core import generate
from grader.core.attempt import Attempt
from grader.core.build.staging import submission_digest
from grader.core.model.judgement import Job, Judgement
from grader.core.model.spec import Spec
from grader.core.pipeline import Course, assess, generate_for, work_on
from grader.core.report.json import to_report
from grader.core.run.measuring import WorkerSlots
from grader.core.run.run_cache import RunCache
from grader.core.text import count
from grader.verify.expected_results import ReferenceResult
from grader.verify.sample_plan import SamplePlan, expected_score
from grader.verify.samples import Sample, sample_differences

OTHER_SEEDS = 2
"""seeds beside the course's own with which samples are graded"""
MORE_SAMPLES = 2
"""so many samples more than processors are graded at a time: some of them only wait, and need none. With more, those
that time out would get too little of a processor for a verdict, and run again alone"""

_Graded = tuple[Judgement, tuple[str, ...], int]
"""a judgement, in what it is not as stated, and how many runs were recalled for it"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleResult:
    """A graded sample, and its differences from what it must get."""

    sample: Sample
    report: Judgement
    differences: tuple[str, ...]
    partial_score: Fraction | None = None
    """what it must get in the tests that it was graded in, if these are not all"""
    recalled: int = 0
    """runs that were not made, since the same were made before"""


def same_for_all(course: Course) -> Course:
    """Return the course so that every submission has the values that are drawn in it, as those to compare need."""
    return with_fields(course, spec=with_fields(course.spec, seed="course")) if course.spec.seed else course


def surroundings(course: Course) -> object:
    """Return what a run depends on besides the program and its input: tools, sandbox and grader itself."""
    ours = sorted(Path(__file__).parents[1].rglob("*.*"))
    return {
        "tools": to_builtins([dict(course.versions), dict(course.toolchains), course.sandbox.info]),
        "grader": [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in ours if path.suffix != ".pyc"],
    }


def run_cache_of(course: Course, around: object, name: str, own: object, *, fresh: bool) -> RunCache:
    """Return what the programs called `name` did before in cases of this spec, unless their `own` has changed.

    Or what is `around` them: their surroundings.
    """
    whose = [str(course.spec.root), course.spec.id, name]
    return RunCache(course.cache, whose, [around, own], fresh=fresh)


def check_samples(
    plan: SamplePlan,
    stated: Sequence[Sample],
    path: Path,
    course: Course,
    around: object,
    *,
    jobs: int,
    whole: Collection[str],
    fresh: bool,
    tell: Callable[[str], None],
) -> tuple[SampleResult, ...]:
    """Grade the samples of the spec at `path` by the plan, and compare them with `expected.yaml`.

    Where values are generated, this is repeated with others. Executions are stored whole in the cases with the ids in
    `whole`; `around` are the surroundings. `verify_spec` describes the other parameters.
    """
    graded_samples = [sample for sample in stated if sample.submission.id in plan.tests]
    # What runs out of time takes longest, then what is waited for in vain: it comes first, the others run beside it.
    longest_first = sorted(
        graded_samples, key=lambda sample: (not sample.may_hang, -_longest_wait(sample, course.spec), len(sample.tests))
    )
    to_grade = [
        Job(spec=path, submission=sample.submission, only=plan.only(sample.submission.id)) for sample in longest_first
    ]
    at_a_time = 1 if jobs == 1 else jobs + MORE_SAMPLES
    course = with_fields(course, slots=WorkerSlots(at_a_time))
    assess_first = partial(_assess, samples=graded_samples, around=around, whole=whole, fresh=fresh)
    graded = _grade(to_grade, at_a_time, course, assess_first, tell)
    results = [_first_result(sample, course.spec, plan, graded[sample.submission.id]) for sample in graded_samples]
    for number in range(OTHER_SEEDS) if course.spec.seed else ():
        other = same_for_all(generate_for(course, f"{generate.NOBODY} {number}"))
        work = partial(_assess, samples=graded_samples, around=around, whole=(), fresh=False)
        graded = _grade(to_grade, at_a_time, other, work, lambda line: tell(f"{line}, with other values drawn"))
        results = [_with_other(one, graded[one.sample.submission.id]) for one in results]
    return tuple(results)


def _longest_wait(sample: Sample, spec: Spec) -> float:
    """Return the seconds that a case may take at most, in the tests in which the sample does not have full marks."""
    failing = [test for test in spec.tests if sample.every or test.name in sample.tests]
    return max((float(case.limits.get("time", 0)) for test in failing for case in test.cases), default=0)


def _grade(
    jobs: Sequence[Job],
    at_a_time: int,
    course: Course,
    work: Callable[[Job, Course], _Graded],
    tell: Callable[[str], None],
) -> Mapping[str, _Graded]:
    """Do the `work` on the samples, so many at a time, and return the results by sample name."""
    tell(f"grading {count(len(jobs), 'sample')}")
    graded: dict[str, _Graded] = {}

    def grade_one(job: Job, course: Course) -> None:
        graded[job.submission.id] = work(job, course)
        tell(f"grading the samples: {len(graded)} of {len(jobs)}")

    deque(work_on(jobs, course, grade_one, at_a_time), maxlen=0)
    return graded


def _assess(
    job: Job, course: Course, *, samples: Sequence[Sample], around: object, whole: Collection[str], fresh: bool
) -> _Graded:
    submission = job.submission
    own = submission_digest(submission.path, course.cache)
    recall = run_cache_of(course, around, submission.id, own, fresh=fresh)
    sample = next(one for one in samples if one.submission.id == submission.id)
    # What runs out of time is run without these options anyway.
    report = assess(job, Attempt.of(course, recall=recall, is_tuned=not sample.may_hang), whole)
    differences = sample_differences(to_report(report), sample, _partial_score(course.spec, sample, job.only))
    recall.keep()
    return report, differences, recall.recalled


def _partial_score(spec: Spec, sample: Sample, only: Sequence[str]) -> Fraction | None:
    return expected_score(spec, sample, only) if only else None


def _first_result(sample: Sample, spec: Spec, plan: SamplePlan, graded: _Graded) -> SampleResult:
    report, differences, recalled = graded
    partial_score = _partial_score(spec, sample, plan.only(sample.submission.id))
    return SampleResult(
        sample=sample, report=report, differences=differences, partial_score=partial_score, recalled=recalled
    )


def _with_other(result: SampleResult, graded: _Graded) -> SampleResult:
    """Return a result with the differences under other generated values added: the statement covers all values."""
    _, others, recalled = graded
    found = [f"with other values drawn, {one}" for one in others]
    differences = tuple(dict.fromkeys((*result.differences, *found)))
    return replace(result, differences=differences, recalled=result.recalled + recalled)


def check_first_right_sample(
    stated: Sequence[Sample], path: Path, course: Course, answered: Sequence[ReferenceResult], whole: Collection[str]
) -> tuple[SampleResult, ...]:
    """Grade the first right sample in the tests in which the reference cannot stand for a program."""
    first = next((sample for sample in stated if sample.is_right(course.spec)), None)
    only = tuple(dict.fromkeys(one.test.name for one in answered if one.is_apart))
    if first is None or not only:
        return ()
    report = assess(Job(spec=path, submission=first.submission, only=only), course, whole)
    return (SampleResult(sample=first, report=report, differences=()),)
