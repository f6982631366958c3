"""The whole of grading, read from top to bottom: load -> stage -> build -> run -> judge -> report.

`prepare` does once what all submissions share; `grade` takes one submission from its folder to its report. A student's
error ends in the report; an error of ours makes cases ungraded when it concerns them alone, and is raised when nothing
can be graded at all. `bench` and `assess` stop before the last stage, for callers that need the facts.
"""

import re
import shutil
import tempfile
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from grader.core import build, judge, run
from grader.core.course import Course, for_submission, generate_for, prepare
from grader.core.diagnosis import ReadLine, line_reader, no_lines
from grader.core.errors import HostError
from grader.core.explaining import explain_wrong
from grader.core.in_order import in_order
from grader.core.model.execution import LARGE_OUTPUT_BYTES, Execution, Launch
from grader.core.model.judgement import CaseResult, Job, Judgement, OnTop, TestResult, Verdict
from grader.core.model.limits import LimitOverrides
from grader.core.model.report import Report
from grader.core.model.source_findings import Examined
from grader.core.model.spec import Case, Spec, Test
from grader.core.model.submission import Artifact, BuildResult, Staged
from grader.core.rechecking import (
    audit_pass,
    excuse_failure,
    explain_crash,
    list_forged,
)
from grader.core.report.json import to_report
from grader.core.running_tests import NotRun, Ran, asks_build, not_run, reference_execution, run_test
from grader.core.scoring import is_rejected, score_tests, split_at_stops
from grader.core.text import count_points, full_sentence, quote
from grader.kinds import kind_named, kind_of, kinds_in

__all__ = [
    "Bench",
    "Course",
    "NotRun",
    "Ran",
    "assess",
    "bench",
    "build_work",
    "generate_for",
    "grade",
    "grade_test",
    "judge_cases",
    "judged",
    "prepare",
    "reference_execution",
    "run_test",
    "sum_up",
    "temporary_workspace",
    "ungraded",
    "work_on",
]

Kept = TypeVar("Kept")


def grade(job: Job, course: Course | None = None) -> Report:
    """Grade one submission and return its report.

    Without a `course`, prepares one from the job. Raises UsageError when the submission cannot be read at all.
    """
    return to_report(assess(job, course or prepare(job.spec, sandbox=job.sandbox)))


# ---------------------------------------------------------------- stage and build


@contextmanager
def temporary_workspace() -> Iterator[Path]:
    """Make a folder in which a submission is staged and built, for as long as its tests are run."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="grader-"))
    except OSError as error:
        raise HostError(f"no temporary folder: {error}; free some space, or set TMPDIR") from error
    try:
        (folder / "staged").mkdir()
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def build_work(job: Job, course: Course, folder: Path) -> tuple[Staged, Artifact | HostError]:
    """Stage and build a submission in `folder`, repaired where the spec allows it; or return why we cannot."""
    spec = course.spec
    staged = build.staging.stage(job.submission, build.layout.staging_rules(spec), folder / "staged")
    asked = spec.build.limits if spec.build else {}
    limits = run.launch.limits_of(course.toolchain.build_limits, asked)
    builder = build.repairs.Builder(
        build=lambda spec, work, target: build.artifact.build_submission(
            spec, work, course.toolchain, limits, target, course.measure
        ),
        starts=lambda artifact: _can_start(artifact, course),
    )
    try:
        if adjustment := spec.adjustments.get(job.submission.id):
            staged = build.repairs.adjust(staged, adjustment, spec.files, folder / "adjusted")
            spec = build.repairs.spec_for(spec, adjustment.change)
        if spec.build:
            staged = build.repairs.put_beside(staged, spec.build, spec.files, folder / "beside")
        artifact = build.repairs.build_with_repairs(spec, staged, folder, builder)
        for kind in kinds_in(course.spec) if artifact.build.ok else ():
            if kind.prepare_build:
                made = kind.prepare_build(course, artifact)
                artifact = replace(artifact, made={**artifact.made, **made})
    except HostError as error:
        return staged, error
    return staged, artifact


_TRIAL: LimitOverrides = {"time": 20.0, "cpu": 3.0}
"""of the start that shows whether there is anything to start; what runs into one has started"""
_NO_PROGRAM = (126, 127)
"""the statuses of a command that is not there, or cannot be executed: POSIX, XCU 2.8.2"""


def _can_start(artifact: Artifact, course: Course) -> bool:
    """Whether the program starts at all: without arguments and input, whatever it does then."""
    limits = run.launch.limits_of(course.toolchain.limits, _TRIAL)
    argv = run.launch.add_options(course.toolchain, course.spec.program, limits)
    found = course.execute(Launch(argv=argv, folder=artifact.folder, limits=limits, reserved=course.toolchain.reserves))
    is_start_failure = any(re.search(pattern.encode(), found.stderr) for pattern in course.toolchain.cannot_start)
    return found.status not in _NO_PROGRAM and not (found.status and is_start_failure)


# ---------------------------------------------------------------- judge


def grade_test(
    test: Test,
    artifact: Artifact | HostError,
    before: Sequence[TestResult],
    course: Course,
    whole: Collection[str] = (),
) -> TestResult:
    """Run the cases of a test and judge each run when it has ended. `before` and `whole` as in the stages."""
    parts: list[TestResult] = []
    for part in split_at_stops(test):
        done = tuple(case for one in parts for case in one.cases)
        is_over = bool(done) and not course.spec.once and course.scorers[test.name].is_over(test.cases, done)
        with closing(_skip(part) if is_over else run_test(part, artifact, before, course)) as happened:
            parts.append(judge_cases(part, happened, course, artifact, whole))
    result = (
        parts[0]
        if len(parts) == 1
        else judge.totals.judge_test(test, tuple(case for one in parts for case in one.cases))
    )
    return judge.totals.refuse_constant_output(result, before) if test.unlike else result


def _skip(part: Test) -> Generator[NotRun, None, None]:
    reason = "Not run, because a group before it failed, and the one around them ends there (`stop` in the spec)."
    yield from not_run(part, Verdict.SKIPPED, reason)


def judge_cases(
    test: Test,
    happened: Iterable[Ran | NotRun | Examined],
    course: Course,
    artifact: Artifact | HostError | None = None,
    whole: Collection[str] = (),
) -> TestResult:
    """Judge what happened in each case of a test, run by run, and what the test comes to, less what a repair costs.

    The cases with these ids contain whole executions; all others contain the part that a report shows.
    """
    read_line = line_reader(artifact.folder) if isinstance(artifact, Artifact) else no_lines
    if isinstance(artifact, Artifact):
        course = replace(
            course, toolchain=build.toolchains.add_crashes_by_name(course.toolchain, course.spec, artifact.folder)
        )
    finder = None
    left = iter(happened)
    cases: list[CaseResult] = []
    for place, case in enumerate(test.cases, 1):
        runs = [
            _judge_run(way, next(left), course, read_line, is_whole=case.id in whole)
            for way in case.ways
            for _ in range(case.repeat.times)
        ]
        # Only now that the first has been run: until then everybody waits.
        finder = finder or judge.hidden_text.finder_of_hidden_text(course.spec, test.visibility, artifact)
        cases.append(finder.withhold(judge.runs.join_runs(case, runs)))
        if test.stops and _has_failed(test, case, cases[-1], course):
            why = "its group ends at the first failure" if test.scoring else "this test is all or nothing"
            reason = f"Not run, because {case.id} failed, and {why} (`stop` in the spec)."
            left = iter(not_run(replace(test, cases=test.cases[place:]), Verdict.SKIPPED, reason))
    result = judge.totals.judge_test(test, tuple(cases))
    if not isinstance(artifact, Artifact) or not artifact.build.repaired:
        return result
    spared = {case.id for case in test.cases if asks_build(case, course.spec)}
    return judge.totals.charge_repair(result, artifact.build.repaired, spared)


def _has_failed(test: Test, case: Case, found: CaseResult, course: Course) -> bool:
    """Whether a case was run and has failed, whatever is charged elsewhere, so that its test or group is lost."""
    if test.scoring:
        return found.run is not None and is_rejected(case, found)
    result = judge.totals.judge_test(test, (found,))
    return found.run is not None and result.score is not None and not judge.totals.meets_need(result, course.spec.once)


def _judge_run(
    case: Case, happened: Ran | NotRun | Examined, course: Course, read_line: ReadLine, *, is_whole: bool
) -> CaseResult:
    command = run.launch.repeat_text(case, course.spec)
    if isinstance(happened, Examined):
        return kind_of(case).judge_source(case, happened, command)
    if isinstance(happened, Ran):
        try:
            judge_run = partial(
                judge.case.judge,
                case,
                expected=happened.expected,
                toolchain=course.toolchain,
                command=command,
                checks=course.checks,
                read_line=read_line,
            )
            launch, execution = happened.launch, happened.execution
            result = judge_run(execution=execution)
            if cause := explain_crash(execution, launch, result, course, read_line):
                result = judge_run(execution=replace(execution, crash_cause=cause))
            result = explain_wrong(case, launch, execution, result, course=course, judge_run=judge_run)
            result = excuse_failure(case, launch, execution, result, course=course, ask=reference_execution)
            for name, facts in execution.also.items():
                if confirm := kind_named(name).confirm:
                    confirm(result, facts, lambda found: judge_run(execution=found))
            result = audit_pass(result, happened.inverted, course=course, judge_run=judge_run, ask=reference_execution)
            return result if is_whole else replace(result, whole=None)
        except HostError as error:
            happened = NotRun(verdict=Verdict.UNGRADED, reason=str(error))
        except (MemoryError, RecursionError) as error:
            happened = _too_much(happened.execution, error)
        except Exception as error:  # noqa: BLE001 - a fault of the judge makes this case ungraded, and no other
            fault = f"a fault of the grader: {type(error).__name__}: {error}"
            happened = NotRun(verdict=Verdict.UNGRADED, reason=fault)
    return CaseResult(
        id=case.id, verdict=happened.verdict, credit=Fraction(0), command=command, message=happened.reason
    )


def judged(
    case: Case, execution: Execution, expected: Execution | None, course: Course, *, of_reference: bool = False
) -> CaseResult:
    """Judge an execution as that of a student's program, or of the reference, which may be in another language."""
    toolchain = course.toolchain
    if of_reference:
        crash = tuple(pattern for one in course.toolchains.values() for pattern in one.crash)
        toolchain = replace(toolchain, crash=crash, uncaught=(), crash_status=())
    command = run.launch.command_text(case, course.spec)
    return judge.case.judge(case, execution, expected, toolchain=toolchain, command=command, checks=course.checks)


def _too_much(execution: Execution, error: BaseException) -> NotRun:
    """Return why an output was too large or deep to judge: that is our fault only when the program wrote little."""
    if not (execution.facts and execution.facts.size) and execution.size <= LARGE_OUTPUT_BYTES:
        return NotRun(verdict=Verdict.UNGRADED, reason=f"a fault of the grader: {type(error).__name__}: {error}")
    return NotRun(verdict=Verdict.FAILED, reason="Your program produced too much to check; far less is expected.")


def sum_up(
    job: Job,
    course: Course,
    results: Sequence[TestResult],
    artifact: Artifact | HostError | None = None,
    staged: Staged | None = None,
) -> Judgement:
    """Return the judgement of a submission, of the tests that were judged, in the order of the report."""
    built = artifact.build if isinstance(artifact, Artifact) else None
    built = built or BuildResult(ok=artifact is None, message=str(artifact or ""))
    results = score_tests(judge.totals.charge_once(results, course.spec.once), course.scorers)
    with suppress(Exception):  # a hint never costs a report
        results = judge.across_cases.hint_across_cases(results)
    on_top = (*_points_on_top(job, course.spec, built, staged), *_points_off(results))
    verdict, score = judge.totals.overall(results, on_top)
    return Judgement(
        spec=course.spec,
        submission=job.submission,
        submission_digest=staged.digest if staged else "",
        verdict=verdict,
        score=score,
        max_score=sum((r.test.points for r in results if not r.test.bonus), Fraction(0)),
        sandbox=course.sandbox.info,
        toolchain=course.versions,
        findings=(*(staged.findings if staged else ()), *built.findings, *list_forged(results)),
        build=built,
        tests=results,
        on_top=on_top,
    )


def _points_on_top(job: Job, spec: Spec, built: BuildResult, staged: Staged | None) -> Iterator[OnTop]:
    """Iterate over the points that belong to no test, and over what was decided for this submission."""
    repaired = zip(built.repaired.repairs, built.repaired.messages, strict=True) if built.repaired else ()
    for repair, message in repaired:
        if repair.costs:
            yield OnTop(kind=repair.name, message=message, points=-repair.costs)
    for one in staged.missing if staged else ():
        if one.costs is not None:
            message = f"{full_sentence(build.layout.describe_missing([one]))} {_worth(-one.costs)}"
            yield OnTop(kind="missing-file", message=message, points=-one.costs)
    if adjustment := spec.adjustments.get(job.submission.id):
        message = f"Decided by the course: {full_sentence(adjustment.reason)} {_worth(adjustment.points)}"
        yield OnTop(kind="adjustment", message=message, points=adjustment.points)


def _points_off(results: Sequence[TestResult]) -> Iterator[OnTop]:
    """Iterate over what tests take off the whole, for the part of them that is not right."""
    for result in results:
        if result.test.costs and result.score is not None:
            lost = judge.totals.share_lost(result) * result.test.costs
            if lost:
                told = f"The test {quote(result.test.name)} is not right."
                yield OnTop(kind="test", message=f"{told} {_worth(-lost)}", points=-lost)


def _worth(change: Fraction) -> str:
    if not change:
        return "This alone changes no points."
    return f"This {'adds' if change > 0 else 'costs'} {count_points(abs(change))}."


def ungraded(job: Job, course: Course, why: str) -> Report:
    """Return the report of a submission that we failed to grade at all: every case is ungraded, with the reason."""
    results = [judge_cases(test, not_run(test, Verdict.UNGRADED, why), course) for test in course.spec.tests]
    return to_report(sum_up(job, course, results))


# ---------------------------------------------------------------- many submissions, or single tests


def work_on(
    jobs: Sequence[Job], course: Course, work: Callable[[Job, Course], Kept], workers: int = 1
) -> Iterator[Kept]:
    """Do the `work`, such as `grade` or `assess`, on the jobs, `workers` at a time.

    Yields what it returned, as `in_order` does. When the caller stops, or is interrupted, so do the running programs.
    """
    return in_order((partial(work, job, course) for job in jobs), workers, course.cancelled.set)


class Bench(Struct, frozen=True, kw_only=True):
    """A submission staged and built: its tests can be graded, in any order in which none misses what it needs."""

    job: Job
    course: Course
    staged: Staged
    artifact: Artifact | HostError

    def grade_test(self, test: Test, before: Sequence[TestResult], whole: Collection[str] = ()) -> TestResult:
        """Grade a test, or one with some of its cases; `before` is what the tests that it needs came to."""
        return grade_test(test, self.artifact, before, self.course, whole)

    def grade_tests(self, whole: Collection[str] = ()) -> list[TestResult]:
        """Grade all tests of the job, in the spec's order; cases with ids in `whole` contain whole executions."""
        results: list[TestResult] = []
        for test in self.job.tests_of(self.course.spec):
            results.append(self.grade_test(test, results, whole))
        return results

    def without_budget(self) -> "Bench":
        """Return the same without budgets, which would stop other cases in runs of other cases or order."""
        return replace(self, course=replace(self.course, budget=None, work=None))

    def judgement(self, results: Sequence[TestResult]) -> Judgement:
        """Return the judgement of the tests that were graded, in the order of the report."""
        return sum_up(self.job, self.course, results, self.artifact, self.staged)


@contextmanager
def bench(job: Job, course: Course) -> Iterator[Bench]:
    """Stage and build a submission, for as long as its tests are graded. Raises as `grade` does."""
    course = for_submission(course, job.submission.id)
    with temporary_workspace() as folder:
        staged, artifact = build_work(job, course, folder)
        yield Bench(job=job, course=course, staged=staged, artifact=artifact)


def assess(job: Job, course: Course, whole: Collection[str] = ()) -> Judgement:
    """Do all stages of `grade` except the last; the cases with these ids contain whole executions."""
    with bench(job, course) as ready:
        return ready.judgement(ready.grade_tests(whole))
