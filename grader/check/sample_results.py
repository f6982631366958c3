"""Grade samples, and compare the reports with `expected.yaml`.

A sample is graded as a student's submission is, except that runs are cached. While the sample, the tools and grader
itself are unchanged, a run with the same input and limits is not repeated, only judged.
"""

from collections import Counter, deque
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import closing
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Self, TypeVar

from msgspec import Struct, to_builtins
from msgspec.structs import replace as with_fields

from grader.check.samples import Sample, SamplePlan, expected_score, sample_differences
from grader.core.build.staging import submission_digest
from grader.core.cache import Cache, content_digest, key_digest
from grader.core.course import Attempt
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.report import Job, Judgement
from grader.core.pipeline import Course, assess, work_on
from grader.core.report.json import to_report
from grader.core.run.measuring import Measured, WorkerSlots, is_in_doubt
from grader.core.text import count

MORE_SAMPLES = 2
"""so many samples more than processors are graded at a time: some of them only wait, and need none. With more, those
that time out would get too little of a processor for a verdict, and run again alone"""

_MAX_STORED_BYTES = 2**24  # bytes of outputs and build results that are stored for one program
_MUCH = 0.25  # share of its time that a run may have waited for a processor, and would have come to its limit anyway

OWN_SOURCE = Path(__file__).parents[1]
Learned = TypeVar("Learned", Execution, Measured)


class SampleResult(Struct, frozen=True):
    """A graded sample, and its differences from what it must get."""

    sample: Sample
    report: Judgement
    differences: tuple[str, ...]
    partial_score: Fraction | None = None  # what it must get in the tests that it was graded in, if these are not all
    recalled: int = 0  # runs that were not made, since the same were made before


def surroundings(course: Course) -> object:
    """Return what a run depends on besides the program and its input: tools, sandbox and grader itself."""
    tools = to_builtins([dict(course.versions), [*course.toolchains()], course.sandbox.info])
    return {"tools": tools, "grader": facts_of_files(OWN_SOURCE)}


def facts_of_files(*folders: Path) -> list[tuple[str, int, int, int]]:
    """Return facts that change with any file in these folders: our own source changes while the version does not."""
    paths = (path for folder in folders for path in (folder, *folder.rglob("*")) if "__pycache__" not in path.parts)
    files = [(str(path), path.stat()) for path in paths if "starter-" not in path.name and path.is_file()]
    return sorted((path, facts.st_mode, facts.st_size, facts.st_mtime_ns) for path, facts in files)


def check_samples(
    plan: SamplePlan,
    path: Path,
    course: Course,
    around: object,
    *,
    whole: Collection[str],
    jobs: int,
    fresh: bool,
    on_progress: Callable[[str], None],
) -> tuple[SampleResult, ...]:
    """Grade the samples of the spec at `path` by the plan as `verify_spec` says.

    In the cases of which the ids are in `whole`, executions are kept whole; `around` are the surroundings.
    """
    samples = plan.samples
    to_grade = [
        Job(spec=path, submission=sample.submission, only=plan.tests[name] if name in plan.partial else ())
        for name, sample in samples.items()
    ]
    at_a_time = 1 if jobs == 1 else jobs + MORE_SAMPLES
    graded: dict[str, SampleResult] = {}

    def grade_one(job: Job, course: Course) -> None:
        sample = samples[job.submission.id]
        own = submission_digest(job.submission.path, course.cache)
        is_tuned = not sample.may_hang  # what runs out of time is run without these options anyway
        attempt = CachedAttempt.begin(course, job.submission.id, [around, own], fresh=fresh, is_tuned=is_tuned)
        report = assess(job, attempt, whole)
        attempt.recall.keep()
        score = expected_score(course.spec, sample, job.only) if job.only else None
        differences = sample_differences(to_report(report), sample, score)
        graded[sample.submission.id] = SampleResult(sample, report, differences, score, attempt.recall.recalled)
        on_progress(f"grading the samples: {len(graded)} of {len(to_grade)}")

    on_progress(f"grading {count(len(to_grade), 'sample')}")
    deque(work_on(to_grade, with_fields(course, slots=WorkerSlots(at_a_time)), grade_one, at_a_time), maxlen=0)
    return tuple(graded[name] for name in plan.tests)


# ---------------------------------------------------------------- runs that are not made again


class RunCache:
    """What the commands of one program came to, as long as that program and what is around it stay as they are.

    A run whose end the machine may have decided is never stored.
    """

    def __init__(self, cache: Cache, whose: object, around: object, *, fresh: bool = False) -> None:
        """Look up the executions of `whose` commands in what is `around` them, unless all are to be `fresh`."""
        self._cache, self._place, self._fresh = cache, ["recall", whose], fresh
        self.token = key_digest([whose, around])
        """a token for a probe, the same each time as long as nothing around it changes, and a part of each mark"""
        self.recalled = 0  # runs that were not made
        self._stored = (None if fresh else cache.look_up(self._place, dict[str, Execution])) or {}
        self._used = dict[str, Execution]()  # the mark of a command -> what it came to
        self._asked, self._free_bytes = Counter[str](), _MAX_STORED_BYTES

    def execute(self, launch: Launch, run: Runner) -> Execution:
        """Return what a command came to before, or comes to now."""
        mark = self._mark(launch, _digests)
        return self._recall(mark) or self._learn(mark, run(launch))

    def measure_each(
        self,
        launches: Sequence[Launch],
        measure: Callable[..., Generator[Measured, None, None]],
        on_start: Callable[[int], None] = lambda _: None,
    ) -> Generator[Measured, None, None]:
        """Yield the stored results of the commands, and `measure` those that have none, in their order."""
        digests = lru_cache(_digests)
        marks = [self._mark(launch, digests) for launch in launches]
        missing = [place for place, mark in enumerate(marks) if mark not in self._stored]
        given = [launches[place] for place in missing]
        with closing(measure(given, on_start=lambda at: on_start(missing[at]))) as measured:
            for mark in marks:
                yield self._recall(mark) or self._learn(mark, next(measured))

    def keep(self) -> None:
        """Store what was used, for the next time."""
        if self._fresh or self._stored.keys() != self._used.keys():
            self._cache.store(self._place, self._used)

    def _mark(self, launch: Launch, digests: Callable[[Path], object]) -> str:
        """Return a key for a command, the content of its folder, and the number of this request for it."""
        inside = digests(launch.folder) if launch.folder else None
        mark = content_digest(f"{self.token} {inside} {with_fields(launch, folder=None)!r}".encode())
        self._asked[mark] += 1
        return f"{mark} {self._asked[mark]}"

    def _recall(self, mark: str) -> Execution | None:
        execution = self._stored.get(mark)
        self.recalled += execution is not None
        return execution and self._learn(mark, execution)

    def _learn(self, mark: str, learned: Learned) -> Learned:
        if isinstance(learned, Execution) and not is_in_doubt(learned) and learned.size <= self._free_bytes:
            is_out_of_time = learned.limit in {"time", "cpu"} or (learned.stop is not None and not learned.stop.ended)
            if not is_out_of_time or learned.waited <= _MUCH * learned.time:
                self._free_bytes -= learned.size
                self._used[mark] = learned
        return learned


def _digests(folder: Path) -> list[tuple[object, ...]]:
    """Return the files that a command sees in a folder, without their times."""
    contents = ((path, path.read_bytes() if path.is_file() else b"") for path in sorted(folder.rglob("*")))
    return [(str(path.relative_to(folder)), path.lstat().st_mode, content_digest(data)) for path, data in contents]


class CachedAttempt(Attempt, frozen=True, kw_only=True):
    """An attempt whose commands are not run again where the cache has their results."""

    recall: RunCache

    @classmethod
    def begin(cls, course: Course, name: str, around: object, *, fresh: bool, is_tuned: bool = True) -> Self:
        """Begin for the program called `name`, whose commands are as before as long as what is `around` them is."""
        recall = RunCache(course.cache, [str(course.spec.root), course.spec.id, name], around, fresh=fresh)
        return cls.of(course, recall=recall, token=recall.token, is_tuned=is_tuned)

    def execute(self, launch: Launch) -> Execution:
        """Run one command, unless its result is known."""
        return self.recall.execute(launch, super().execute)

    def measure_each(self, launches: Sequence[Launch], **how: Any) -> Generator[Measured, None, None]:
        """Run the commands whose results are not known."""
        return self.recall.measure_each(launches, super().measure_each, **how)
