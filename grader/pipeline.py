"""The whole of grading, read from top to bottom: load -> build -> run -> judge -> report.

`prepare` does once what all submissions share; `grade` takes one submission from its folder to its report, and `assess`
stops before the last stage, at the judgement with the facts behind it. A student's
error ends in the report; an error of ours makes cases ungraded when it concerns them alone, and is raised when nothing
can be graded at all.
"""

import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

from grader import build, launches, oracle
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
    Runner,
    Spec,
    Staged,
    Test,
    TestResult,
    Toolchain,
    Verdict,
)
from grader.report import to_report
from grader.run import Program, begin, calls, finish, run, run_each
from grader.run import prepare as start
from grader.run.room import Room
from grader.sandbox import Sandbox, choose

Kept = TypeVar("Kept")


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
    probe: calls.Probe | None
    """what calls functions; None when the spec asks for no calls"""
    store: oracle.Store
    room: Room
    cancelled: Event = field(default_factory=Event)

    @property
    def runner(self) -> Runner:
        """Runs one command in the sandbox."""
        return partial(_run, self)


def _run(course: Course, launch: Launch) -> Execution:
    with course.room.shared():
        return run(course.sandbox, launch, course.cancelled)


def prepare(spec_path: Path, *, sandbox: str = "auto", workers: int = 1, cancelled: Event | None = None) -> Course:
    """Load the spec and make ready all that grading needs, for `workers` submissions at a time.

    Raises SpecError for a spec with mistakes, and HostError when the sandbox or a tool is missing.
    """
    cancelled = cancelled or Event()
    with start(choose(sandbox), Launch(argv=("true",)), cancelled) as trial:  # comes up while we load
        spec = oracle.draw(load(spec_path), fits)
        toolchains = read_data(build.TOOLCHAINS_FILE)
        _prove(trial)
    course = Course(
        spec=spec,
        toolchain=build.toolchain(spec.language, toolchains),
        versions={},
        crash=tuple(pattern for name in toolchains for pattern in build.toolchain(name, toolchains).crash),
        reference=_reference(spec),
        checks=oracle.checks(spec.root),
        sandbox=choose(sandbox, _shown(toolchains)),
        probe=None,
        store=oracle.user_store(),
        room=Room(workers),
        cancelled=cancelled,
    )
    course = replace(course, versions=build.check_tools(spec, course.toolchain, course.store.remember, course.runner))
    return replace(course, probe=_probe(course))


def _probe(course: Course) -> calls.Probe | None:
    """Make what calls functions, if any are to be called. It is compiled once for each version of the compiler."""
    language = course.spec.language
    if not any(case.functions for test in course.spec.tests for case in test.cases):
        return None
    key = ["probe", calls.identity(language), dict(course.versions)]
    return course.store.remember(key, calls.Probe, lambda: calls.probe(language, course.runner))


def _shown(toolchains: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what sandboxes have to show: of every language, since the reference may be in another one."""
    return tuple(path for name in toolchains for path in build.toolchain(name, toolchains).show)


def _prove(trial: Program) -> None:
    execution = finish(begin(trial))
    if execution.status != 0:
        said = execution.stderr.decode(errors="backslashreplace").strip()
        raise HostError(f"the sandbox does not run even `true`: {said or 'it says nothing'}")


def _reference(spec: Spec) -> Mapping[str, bytes] | HostError:
    try:
        return oracle.reference_files(spec)
    except HostError as error:
        return error


def grade(job: Job, course: Course | None = None) -> Report:
    """Grade one submission and return what is to be told about it.

    Without a `course`, prepares one from the job. Raises UsageError when the submission cannot be read at all.
    """
    return to_report(assess(job, course or prepare(job.spec, sandbox=job.sandbox)))


def assess(job: Job, course: Course) -> Judgement:
    """Stage, build, run and judge one submission, and return everything known about it. Raises as `grade` does."""
    tests: list[TestResult] = []
    with bench(job, course) as ready:
        for test in course.spec.tests:
            if not job.only or test.name in job.only:
                tests.append(ready.run(test, tests))
        return ready.judgement(tests)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A submission that is staged and built: its tests can be run, in any order in which none misses what it needs."""

    job: Job
    course: Course
    staged: Staged
    artifact: Artifact | HostError

    def run(self, test: Test, before: Sequence[TestResult]) -> TestResult:
        """Run a test, or one with some of its cases; `before` is what the tests that it needs came to."""
        return _test(test, self.artifact, before, self.course)

    def judgement(self, tests: Sequence[TestResult]) -> Judgement:
        """Return the judgement of the tests that were run, in the order in which they shall be told."""
        artifact = self.artifact
        built = artifact.build if isinstance(artifact, Artifact) else BuildResult(ok=False, message=str(artifact))
        return _judgement(self.job, self.course, tuple(tests), built, self.staged)


@contextmanager
def bench(job: Job, course: Course) -> Iterator[Bench]:
    """Stage and build a submission, for as long as its tests are run. Raises as `grade` does."""
    try:
        workshop = Path(tempfile.mkdtemp(prefix="grader-"))
    except OSError as error:
        raise HostError(f"no temporary folder: {error}; free some space, or set TMPDIR") from error
    try:
        (workshop / "staged").mkdir()
        staged = build.stage(job.submission, course.spec.files, workshop / "staged")
        yield Bench(job=job, course=course, staged=staged, artifact=_build(workshop, staged, course))
    finally:
        shutil.rmtree(workshop, ignore_errors=True)


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


def ungraded(job: Job, course: Course, why: str) -> Report:
    """Return the report of a submission that we failed to grade at all: every case is ungraded, with the reason."""
    tests = tuple(judge_test(test, _all(test, course, Verdict.UNGRADED, why)) for test in course.spec.tests)
    return to_report(_judgement(job, course, tests, BuildResult(ok=True)))


def _judgement(
    job: Job, course: Course, tests: tuple[TestResult, ...], built: BuildResult, staged: Staged | None = None
) -> Judgement:
    verdict, score = overall(tests)
    return Judgement(
        spec=course.spec,
        submission=job.submission,
        submission_digest=staged.digest if staged else "",
        verdict=verdict,
        score=score,
        max_score=sum((t.test.points for t in tests if not t.test.bonus), Fraction(0)),
        sandbox=course.sandbox.info,
        toolchain=course.versions,
        findings=staged.findings if staged else (),
        build=built,
        tests=tests,
    )


# ---------------------------------------------------------------- build


def _build(workshop: Path, staged: Staged, course: Course) -> Artifact | HostError:
    target = workshop / "built"
    target.mkdir()
    asked = course.spec.build.limits if course.spec.build else {}
    limits = launches.limits_of(course.toolchain.build_limits, asked)
    try:
        return build.build(course.spec, staged, course.toolchain, limits, target, course.runner)
    except HostError as error:
        return error


# ---------------------------------------------------------------- run and judge


def _test(test: Test, artifact: Artifact | HostError, before: Sequence[TestResult], course: Course) -> TestResult:
    unmet = [t.test.name for t in before if t.test.name in test.needs and t.verdict != Verdict.PASSED]
    if isinstance(artifact, HostError):
        cases = _all(test, course, Verdict.UNGRADED, str(artifact))
    elif not artifact.build.ok:
        cases = _all(test, course, Verdict.BUILD_FAILED, artifact.build.message)
    elif unmet:
        cases = _all(test, course, Verdict.SKIPPED, f"Not run, because {' and '.join(unmet)} did not pass.")
    else:
        cases = _cases(test, artifact, course)
    return judge_test(test, cases)


def _all(test: Test, course: Course, verdict: Verdict, message: str) -> tuple[CaseResult, ...]:
    return tuple(_unjudged(case, course, verdict, message) for case in test.cases)


def _unjudged(case: Case, course: Course, verdict: Verdict, message: str) -> CaseResult:
    command = launches.text(case, course.spec)
    return CaseResult(id=case.id, verdict=verdict, credit=Fraction(0), command=command, message=message)


def _cases(test: Test, artifact: Artifact, course: Course) -> tuple[CaseResult, ...]:
    # The reference comes first: without it there is nothing to hold a program against, and a student need not wait.
    expected = {case.id: _expected(case, course) for case in test.cases}
    ready = [case for case in test.cases if not isinstance(expected[case.id], GraderError)]
    happened: dict[str, Execution | HostError] = {
        case.id: found for case, found in zip(ready, _executions(ready, artifact, course), strict=True)
    }
    return tuple(_judged(case, expected[case.id], happened.get(case.id), course) for case in test.cases)


def _executions(cases: list[Case], artifact: Artifact, course: Course) -> Iterator[Execution | HostError]:
    started = [launches.own(case, course.spec, course.toolchain, artifact.folder, course.probe) for case in cases]
    with course.room.shared():
        executions = list(run_each(course.sandbox, started, course.cancelled))
    for case, launch, execution in zip(cases, started, executions, strict=True):
        again = _again(launch, execution, course)
        try:
            yield again if isinstance(again, HostError) else launches.told(again, case, launch)
        except HostError as error:
            yield error


def _again(launch: Launch, execution: Execution | HostError, course: Course) -> Execution | HostError:
    """Measure again, alone, what missed a time limit by a hair: it ended by itself, a little late.

    And what was busy while a dialogue waited for it: perhaps it would have answered.
    """
    if isinstance(execution, HostError) or not (_was_late(execution) or _was_busy(execution)):
        return execution
    with course.room.alone():
        try:
            return run(course.sandbox, launch, course.cancelled)
        except HostError as error:
            return error


def _was_late(execution: Execution) -> bool:
    return execution.limit in ("time", "cpu") and execution.signal is None


def _was_busy(execution: Execution) -> bool:
    stop = execution.stop
    return stop is not None and not stop.ended and not execution.asked and execution.limit is None


def _expected(case: Case, course: Course) -> Execution | GraderError | None:
    return answer(case, course) if case.asks_reference else None


def answer(case: Case, course: Course) -> Execution | GraderError:
    """Return what the reference does in `case`, whether that asks for it or not; or why nobody knows."""
    if isinstance(course.reference, HostError):
        return course.reference
    try:
        launch = launches.of_reference(case, course.spec)
        found = oracle.ask(launch, files=course.reference, crash=course.crash, run=course.runner, store=course.store)
        return launches.told(found, case, launch)
    except GradingStoppedError:
        raise
    except GraderError as error:
        return error


def _judged(
    case: Case, expected: Execution | GraderError | None, happened: Execution | HostError | None, course: Course
) -> CaseResult:
    if isinstance(expected, GraderError):
        return _unjudged(case, course, Verdict.UNGRADED, str(expected))
    if happened is None or isinstance(happened, HostError):
        return _unjudged(case, course, Verdict.UNGRADED, str(happened))
    command = launches.text(case, course.spec)
    try:
        return judge(case, happened, expected, toolchain=course.toolchain, command=command, checks=course.checks)
    except HostError as error:
        return _unjudged(case, course, Verdict.UNGRADED, str(error))
    except Exception as error:  # noqa: BLE001 - a fault of the judge makes this case ungraded, and no other
        return _unjudged(case, course, Verdict.UNGRADED, f"a fault of the grader: {type(error).__name__}: {error}")
