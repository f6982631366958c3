"""Samples graded, and held against what is stated of them.

A sample is graded as a student's submission is, but for what it did before: where it, the tools and we ourselves are
the same, so is each run with the same input and limits, and what is left to do is to judge it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from msgspec import to_builtins
from msgspec.structs import replace as with_fields

from grader import oracle
from grader.build import submission_digest
from grader.model import Job, Judgement
from grader.pipeline import Course, assess, draw_for, work_on
from grader.report import to_report
from grader.run import Room
from grader.run.memory import Memory
from grader.verify.right import Answered
from grader.verify.samples import Sample, sample_differences

OTHER_SEEDS = 2
"""seeds beside the course's own with which samples are graded"""
MORE_SAMPLES = 2
"""so many samples more than processors are graded at a time: some of them hang, and who waits needs no processor"""

_Graded = tuple[Judgement, int]
"""a judgement, and how many runs were recalled for it"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A sample held against what it must get."""

    sample: Sample
    report: Judgement
    differences: tuple[str, ...]
    recalled: int = 0
    """runs that were not made, since the same were made before"""


def same_for_all(course: Course) -> Course:
    """Return the course so that every submission has the values that are drawn in it, as those to compare need."""
    return with_fields(course, spec=with_fields(course.spec, seed="course")) if course.spec.seed else course


def surroundings(course: Course) -> object:
    """Return what a run depends on beside the program and what it is given: the tools, the sandbox, and ourselves."""
    ours = sorted(Path(__file__).parents[1].rglob("*.*"))
    return {
        "tools": to_builtins([dict(course.versions), dict(course.toolchains), course.sandbox.info]),
        "grader": [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in ours if path.suffix != ".pyc"],
    }


def memory_of(course: Course, name: str, own: object, *, fresh: bool) -> Memory:
    """Return what the programs called `name` did before in cases of this spec, as long as their `own` is the same."""
    whose = [str(course.spec.root), course.spec.id, name]
    return Memory(course.cache, whose, [surroundings(course), own], fresh=fresh)


def hold_samples(
    stated: Sequence[Sample],
    path: Path,
    course: Course,
    *,
    jobs: int,
    whole: Collection[str],
    fresh: bool,
    tell: Callable[[str], None],
) -> tuple[Held, ...]:
    """Grade the samples of the spec at `path`, and hold them against what is stated, also with other values drawn.

    Executions are kept whole in the cases with the ids in `whole`; the rest as `verify_spec` tells.
    """
    at_a_time = jobs + MORE_SAMPLES if jobs > 1 else 1
    course = with_fields(course, room=Room(at_a_time))
    # Who is to run out of time comes first: the others are graded while it waits.
    first = sorted(stated, key=lambda sample: not sample.runs_out)
    work = [Job(spec=path, submission=sample.submission) for sample in first]
    graded = work_on(work, course, partial(_assess, whole=whole, fresh=fresh), at_a_time)
    held = {
        sample.submission.id: Held(
            sample=sample,
            report=report,
            differences=sample_differences(to_report(report), sample),
            recalled=recalled,
        )
        for sample, (report, recalled) in zip(first, _counted(graded, len(first), "", tell), strict=True)
    }
    for number in range(OTHER_SEEDS) if course.spec.seed else ():
        other = same_for_all(draw_for(course, f"{oracle.NOBODY} {number}"))
        graded = work_on(work, other, partial(_assess, whole=(), fresh=False), at_a_time)
        for sample, one in zip(first, _counted(graded, len(first), " with other values drawn", tell), strict=True):
            held[sample.submission.id] = _with_other(held[sample.submission.id], *one)
    return tuple(held[sample.submission.id] for sample in stated)


def _assess(job: Job, course: Course, *, whole: Collection[str], fresh: bool) -> _Graded:
    submission = job.submission
    memory = memory_of(course, submission.id, submission_digest(submission.path, course.cache), fresh=fresh)
    report = assess(job, with_fields(course, memory=memory), whole)
    memory.keep()
    return report, memory.recalled


def _counted(graded: Iterable[_Graded], all_of_them: int, how: str, tell: Callable[[str], None]) -> Iterator[_Graded]:
    """Yield what is graded, and tell how far that is."""
    tell(f"grading {all_of_them} samples{how}")
    for number, one in enumerate(graded, 1):
        tell(f"grading the samples{how}: {number} of {all_of_them}")
        yield one


def _with_other(held: Held, report: Judgement, recalled: int) -> Held:
    """Return a sample held also against what it gets with other values drawn: what is stated is true of all."""
    found = [f"with other values drawn, {told}" for told in sample_differences(to_report(report), held.sample)]
    told = tuple(dict.fromkeys((*held.differences, *found)))
    return replace(held, differences=told, recalled=held.recalled + recalled)


def hold_first_right(
    stated: Sequence[Sample], path: Path, course: Course, answered: Sequence[Answered], whole: Collection[str]
) -> tuple[Held, ...]:
    """Grade the first right sample in the tests in which the reference cannot stand for a program."""
    first = next((sample for sample in stated if sample.is_right(course.spec)), None)
    only = tuple(dict.fromkeys(one.test.name for one in answered if one.is_apart))
    if first is None or not only:
        return ()
    report = assess(Job(spec=path, submission=first.submission, only=only), course, whole)
    return (Held(sample=first, report=report, differences=()),)
