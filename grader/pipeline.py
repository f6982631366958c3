"""The whole of grading, read from top to bottom: load -> stage -> build -> run -> judge -> report.

`prepare` does once what all submissions share; `grade` takes one submission from its folder to its report. A student's
error ends in the report; an error of ours makes cases ungraded when it concerns them alone, and is raised when nothing
can be graded at all. `bench` and `assess` stop before the last stage, for whoever wants the facts behind a judgement.
"""

import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import TypeVar

import msgspec

from grader import build, oracle, run
from grader.cache import Cache, user_cache
from grader.errors import GraderError, GradingStoppedError, HostError
from grader.judge import judge, judge_test, overall
from grader.load import fits, load, read_data
from grader.model import (
    Artifact,
    BuildResult,
    Case,
    CaseResult,
    Checks,
    Execution,
    Job,
    Judgement,
    Launch,
    Report,
    Spec,
    Staged,
    Test,
    TestResult,
    Toolchain,
    Verdict,
)
from grader.report import to_report
from grader.sandbox import Sandbox, choose

Kept = TypeVar("Kept")


def grade(job: Job, course: "Course | None" = None) -> Report:
    """Grade one submission and return what is to be told about it.

    Without a `course`, prepares one from the job. Raises UsageError when the submission cannot be read at all.
    """
    course = course or prepare(job.spec, sandbox=job.sandbox)
    results: list[TestResult] = []
    with workshop() as folder:
        staged = build.stage(job.submission, course.spec.files, folder / "staged")
        artifact = build_staged(staged, course, folder / "built")
        for test in job.tests_of(course.spec):
            happened = run_test(test, artifact, results, course)
            results.append(judge_cases(test, happened, course))
        return to_report(sum_up(job, course, results, artifact, staged))


# ---------------------------------------------------------------- load: once for all submissions


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What the submissions of one assignment share: the contract, the tools, the sandbox, the reference's answers."""

    spec: Spec
    toolchain: Toolchain
    versions: Mapping[str, str]
    crash: tuple[str, ...]
    """patterns of an uncaught exception in any language, for the reference"""
    reference: Mapping[str, bytes] | HostError
    """its files, or why there are none"""
    sandbox: Sandbox
    checks: Checks
    """the instructor's functions that judge where many answers are right"""
    probe: run.calls.Probe | None
    """what calls functions; None when the spec asks for no calls"""
    cache: Cache
    room: run.Room
    cancelled: Event = field(default_factory=Event)

    def execute(self, launch: Launch) -> Execution:
        """Run one command in the sandbox, beside what others run."""
        with self.room.shared():
            return run.execute(self.sandbox, launch, self.cancelled)

    def measure(self, launch: Launch) -> Execution:
        """Run one command as `execute` does, and again, alone, when the machine may be to blame for how it ended."""
        (found,) = run.measure_each(self.sandbox, (launch,), self.cancelled, self.room)
        if isinstance(found, HostError):
            raise found
        return found


def prepare(spec_path: Path, *, sandbox: str = "auto", workers: int = 1, cancelled: Event | None = None) -> Course:
    """Load the spec and make ready all that grading needs, for `workers` submissions at a time.

    Raises SpecError for a spec with mistakes, and HostError when the sandbox or a tool is missing.
    """
    cancelled = cancelled or Event()
    with run.start_program(choose(sandbox), Launch(argv=("true",)), cancelled) as trial:  # comes up while we load
        spec = oracle.draw(load(spec_path), fits)
        checks = oracle.load_checks(spec.root)
        languages = read_data(build.TOOLCHAINS_FILE)
        tried = run.finish(run.begin(trial))
    if tried.status != 0:
        said = tried.stderr.decode(errors="backslashreplace").strip()
        raise HostError(f"the sandbox does not run even `true`: {said or 'it says nothing'}")
    reference = _reference_files(spec)
    toolchains = {name: build.toolchain(name, languages) for name in languages}
    course = Course(
        spec=spec,
        toolchain=build.toolchain(spec.language, languages),
        versions={},
        crash=tuple(pattern for toolchain in toolchains.values() for pattern in toolchain.crash),
        reference=reference,
        checks=checks,
        # What every language has to see of the machine, since the reference may be in another one.
        sandbox=choose(sandbox, tuple(path for toolchain in toolchains.values() for path in toolchain.show)),
        probe=None,
        cache=user_cache(),
        room=run.Room(workers),
        cancelled=cancelled,
    )
    versions = build.check_tools(spec, course.toolchain, course.cache, course.execute)
    probe = run.calls.ready_probe(spec, versions, course.cache, course.execute)
    return replace(course, versions=versions, probe=probe)


def _reference_files(spec: Spec) -> Mapping[str, bytes] | HostError:
    try:
        return oracle.reference_files(spec)
    except HostError as error:
        return error


# ---------------------------------------------------------------- stage and build


@contextmanager
def workshop() -> Iterator[Path]:
    """Make a folder in which a submission is staged and built, for as long as its tests are run."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="grader-"))
    except OSError as error:
        raise HostError(f"no temporary folder: {error}; free some space, or set TMPDIR") from error
    try:
        (folder / "staged").mkdir()
        (folder / "built").mkdir()
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def build_staged(staged: Staged, course: Course, target: Path) -> Artifact | HostError:
    """Build a staged submission into the empty folder `target`; or return why we could not even try."""
    asked = course.spec.build.limits if course.spec.build else {}
    limits = run.limits_of(course.toolchain.build_limits, asked)
    try:
        return build.build_submission(course.spec, staged, course.toolchain, limits, target, course.measure)
    except HostError as error:
        return error


# ---------------------------------------------------------------- run


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """A case that was run: what happened, and what the reference did, where that is asked for."""

    execution: Execution
    expected: Execution | None


class NotRun(msgspec.Struct, frozen=True, kw_only=True):
    """A case of which nobody knows what happened: the verdict that this is, and why."""

    verdict: Verdict
    reason: str


def run_test(
    test: Test, artifact: Artifact | HostError, before: Sequence[TestResult], course: Course
) -> list[Ran | NotRun]:
    """Run the cases of a test, or of a part of one; `before` is what the tests that it needs came to."""
    unmet = [done.test.name for done in before if done.test.name in test.needs and done.verdict != Verdict.PASSED]
    if isinstance(artifact, HostError):
        return [NotRun(verdict=Verdict.UNGRADED, reason=str(artifact)) for _ in test.cases]
    if not artifact.build.ok:
        return [NotRun(verdict=Verdict.BUILD_FAILED, reason=artifact.build.message) for _ in test.cases]
    if unmet:
        reason = f"Not run, because {' and '.join(unmet)} did not pass."
        return [NotRun(verdict=Verdict.SKIPPED, reason=reason) for _ in test.cases]
    # The reference comes first: without it there is nothing to hold a program against, and a student need not wait.
    expected = [answer(case, course) if case.asks_reference else None for case in test.cases]
    launches = {
        case.id: run.launch_case(case, course.spec, course.toolchain, artifact.folder, course.probe)
        for case, right in zip(test.cases, expected, strict=True)
        if not isinstance(right, GraderError)
    }
    executions = run.measure_each(course.sandbox, tuple(launches.values()), course.cancelled, course.room)
    happened = dict(zip(launches, executions, strict=True))
    return [
        NotRun(verdict=Verdict.UNGRADED, reason=str(right))
        if isinstance(right, GraderError)
        else _as_ran(case, launches[case.id], happened[case.id], right)
        for case, right in zip(test.cases, expected, strict=True)
    ]


def _as_ran(case: Case, launch: Launch, execution: Execution | HostError, expected: Execution | None) -> Ran | NotRun:
    if isinstance(execution, HostError):
        return NotRun(verdict=Verdict.UNGRADED, reason=str(execution))
    try:
        return Ran(execution=run.calls.with_calls(execution, case.functions, launch), expected=expected)
    except HostError as error:
        return NotRun(verdict=Verdict.UNGRADED, reason=str(error))


def answer(case: Case, course: Course) -> Execution | GraderError:
    """Return what the reference does in `case`, whether that asks for it or not; or why nobody knows."""
    if isinstance(course.reference, HostError):
        return course.reference
    try:
        launch = run.launch_reference(case, course.spec)
        found = oracle.ask_reference(
            launch,
            files=course.reference,
            crash=course.crash,
            run=course.execute,
            level=course.sandbox.info.level,
            cache=course.cache,
        )
        return run.calls.with_calls(found, case.functions, launch)
    except GradingStoppedError:
        raise
    except GraderError as error:
        return error


# ---------------------------------------------------------------- judge


def judge_cases(test: Test, happened: Sequence[Ran | NotRun], course: Course) -> TestResult:
    """Judge what happened in each case of a test, and what the test comes to."""
    cases = (_judge_case(case, one, course) for case, one in zip(test.cases, happened, strict=True))
    return judge_test(test, tuple(cases))


def _judge_case(case: Case, happened: Ran | NotRun, course: Course) -> CaseResult:
    command = run.command_text(case, course.spec)
    if isinstance(happened, Ran):
        try:
            return judge(
                case,
                happened.execution,
                happened.expected,
                toolchain=course.toolchain,
                command=command,
                checks=course.checks,
            )
        except HostError as error:
            happened = NotRun(verdict=Verdict.UNGRADED, reason=str(error))
        except Exception as error:  # noqa: BLE001 - a fault of the judge makes this case ungraded, and no other
            fault = f"a fault of the grader: {type(error).__name__}: {error}"
            happened = NotRun(verdict=Verdict.UNGRADED, reason=fault)
    return CaseResult(
        id=case.id, verdict=happened.verdict, credit=Fraction(0), command=command, message=happened.reason
    )


def sum_up(
    job: Job,
    course: Course,
    results: Sequence[TestResult],
    artifact: Artifact | HostError | None = None,
    staged: Staged | None = None,
) -> Judgement:
    """Return the judgement of a submission, of the tests that were judged, in the order in which they shall be told."""
    built = artifact.build if isinstance(artifact, Artifact) else None
    built = built or BuildResult(ok=artifact is None, message=str(artifact or ""))
    verdict, score = overall(tuple(results))
    return Judgement(
        spec=course.spec,
        submission=job.submission,
        submission_digest=staged.digest if staged else "",
        verdict=verdict,
        score=score,
        max_score=sum((r.test.points for r in results if not r.test.bonus), Fraction(0)),
        sandbox=course.sandbox.info,
        toolchain=course.versions,
        findings=staged.findings if staged else (),
        build=built,
        tests=tuple(results),
    )


def ungraded(job: Job, course: Course, why: str) -> Report:
    """Return the report of a submission that we failed to grade at all: every case is ungraded, with the reason."""
    failure = NotRun(verdict=Verdict.UNGRADED, reason=why)
    results = [judge_cases(test, [failure for _ in test.cases], course) for test in course.spec.tests]
    return to_report(sum_up(job, course, results))


# ---------------------------------------------------------------- many submissions, or single tests


def work_on(
    jobs: Sequence[Job], course: Course, work: Callable[[Job, Course], Kept], workers: int = 1
) -> Iterator[Kept]:
    """Do the `work`, such as `grade` or `assess`, on the jobs, `workers` at a time.

    Yields what it returned, in the order of the jobs. A single worker is this thread itself. When the caller stops, or
    is interrupted, so do the running programs.
    """
    if workers == 1:
        yield from (work(job, course) for job in jobs)
        return
    with ThreadPoolExecutor(workers) as pool:
        futures = deque(pool.submit(work, job, course) for job in jobs)
        try:
            while futures:
                yield futures.popleft().result()  # and forget it: a report holds all that a program wrote
        except BaseException:
            course.cancelled.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A submission staged and built: its tests can be graded, in any order in which none misses what it needs."""

    job: Job
    course: Course
    staged: Staged
    artifact: Artifact | HostError

    def grade_test(self, test: Test, before: Sequence[TestResult]) -> TestResult:
        """Grade a test, or one with some of its cases; `before` is what the tests that it needs came to."""
        return judge_cases(test, run_test(test, self.artifact, before, self.course), self.course)

    def judgement(self, results: Sequence[TestResult]) -> Judgement:
        """Return the judgement of the tests that were graded, in the order in which they shall be told."""
        return sum_up(self.job, self.course, results, self.artifact, self.staged)


@contextmanager
def bench(job: Job, course: Course) -> Iterator[Bench]:
    """Stage and build a submission, for as long as its tests are graded. Raises as `grade` does."""
    with workshop() as folder:
        staged = build.stage(job.submission, course.spec.files, folder / "staged")
        artifact = build_staged(staged, course, folder / "built")
        yield Bench(job=job, course=course, staged=staged, artifact=artifact)


def assess(job: Job, course: Course) -> Judgement:
    """Do all that `grade` does but for the last stage: the judgement has the executions, with all their bytes."""
    results: list[TestResult] = []
    with bench(job, course) as ready:
        for test in job.tests_of(course.spec):
            results.append(ready.grade_test(test, results))
        return ready.judgement(results)
