"""Grade samples, and compare the reports with `expected.yaml`.

A sample is graded as a student's submission is, except that runs are cached. While the sample, the tools and grader
itself are unchanged, a run with the same input and limits is not repeated, only judged.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from msgspec import to_builtins
from msgspec.structs import replace as with_fields

from grader.core import oracle
from grader.core.build import submission_digest
from grader.core.in_order import in_order
from grader.core.model import Job, Judgement
from grader.core.pipeline import Course, assess, generate_for, work_on
from grader.core.report import to_report
from grader.core.run import WorkerSlots
from grader.core.run.run_cache import RunCache
from grader.core.text import count
from grader.verify.expected_results import ReferenceResult
from grader.verify.samples import Sample, sample_differences

OTHER_SEEDS = 2
"""seeds beside the course's own with which samples are graded"""
MORE_SAMPLES = 2
"""so many samples more than processors are graded at a time: some of them wait for what never comes, and need none"""
MAX_HANGING_SAMPLES = 4
"""so many that are stated to run out of time are graded beside these"""

_Graded = tuple[Judgement, int]
"""a judgement, and how many runs were recalled for it"""
_Group = tuple[Sequence[Sample], int]
"""samples, and how many of them are graded at a time"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleResult:
    """A graded sample, and its differences from what it must get."""

    sample: Sample
    report: Judgement
    differences: tuple[str, ...]
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
    """Grade the samples of the spec at `path`, and compare them with `expected.yaml`, also with other generated values.

    Executions are stored whole in the cases with the ids in `whole`; `around` are the surroundings. `verify_spec`
    describes the other parameters.
    """
    groups = _groups(stated, jobs)
    course = with_fields(course, slots=WorkerSlots(sum(places for _, places in groups)))
    graded = _grade(groups, path, course, partial(_assess, around=around, whole=whole, fresh=fresh), tell)
    results = [_first_result(sample, *graded[sample.submission.id]) for sample in stated]
    for number in range(OTHER_SEEDS) if course.spec.seed else ():
        other = same_for_all(generate_for(course, f"{oracle.NOBODY} {number}"))
        work = partial(_assess, around=around, whole=(), fresh=False)
        graded = _grade(groups, path, other, work, lambda line: tell(f"{line}, with other values drawn"))
        results = [_with_other(one, *graded[one.sample.submission.id]) for one in results]
    return tuple(results)


def _groups(stated: Sequence[Sample], jobs: int) -> list[_Group]:
    """Return the samples in groups that are graded at the same time.

    A sample that times out mostly waits and needs no processor, so such samples are graded along with the others.
    """
    hanging = [sample for sample in stated if sample.may_hang]
    others = [sample for sample in stated if not sample.may_hang]
    if jobs == 1:
        return [([*hanging, *others], 1)]
    return [(hanging, min(len(hanging), MAX_HANGING_SAMPLES)), (others, jobs + MORE_SAMPLES)]


def _grade(
    groups: Sequence[_Group],
    path: Path,
    course: Course,
    work: Callable[[Job, Course], _Graded],
    tell: Callable[[str], None],
) -> Mapping[str, _Graded]:
    """Do the `work` on all groups of samples at the same time, and return the results by sample name."""
    graded: dict[str, _Graded] = {}
    every = sum(len(samples) for samples, _ in groups)

    def grade_group(samples: Sequence[Sample], at_a_time: int) -> None:
        jobs = [Job(spec=path, submission=sample.submission) for sample in samples]
        for job, found in zip(jobs, work_on(jobs, course, work, at_a_time), strict=True):
            graded[job.submission.id] = found
            tell(f"grading the samples: {len(graded)} of {every}")

    tell(f"grading {count(every, 'sample')}")
    tasks = [partial(grade_group, samples, at_a_time) for samples, at_a_time in groups if samples]
    deque(in_order(tasks, len(groups), course.cancelled.set), maxlen=0)
    return graded


def _assess(job: Job, course: Course, *, around: object, whole: Collection[str], fresh: bool) -> _Graded:
    submission = job.submission
    own = submission_digest(submission.path, course.cache)
    recall = run_cache_of(course, around, submission.id, own, fresh=fresh)
    report = assess(job, with_fields(course, recall=recall), whole)
    recall.keep()
    return report, recall.recalled


def _first_result(sample: Sample, report: Judgement, recalled: int) -> SampleResult:
    differences = sample_differences(to_report(report), sample)
    return SampleResult(sample=sample, report=report, differences=differences, recalled=recalled)


def _with_other(result: SampleResult, report: Judgement, recalled: int) -> SampleResult:
    """Return a result with the differences under other generated values added: the statement covers all values."""
    found = [f"with other values drawn, {one}" for one in sample_differences(to_report(report), result.sample)]
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
