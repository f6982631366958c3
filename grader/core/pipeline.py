"""The whole of grading, read from top to bottom: load -> stage -> build -> run -> judge -> report.

A student's error ends in the report; one of ours makes cases ungraded, or is raised when nothing can be graded at all.
"""

import re
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from grader.core import build, judge, run
from grader.core.attempt import Attempt
from grader.core.course import Course, generate_for, prepare
from grader.core.diagnosis import line_reader, no_lines
from grader.core.errors import HostError
from grader.core.explain.explaining import explain_case, list_forged, look_for
from grader.core.kind import kind_of, kinds_in
from grader.core.lazy import lazy_call
from grader.core.model.execution import LARGE_OUTPUT_BYTES, Execution, Launch
from grader.core.model.judgement import CaseResult, Job, Judgement, Message, OnTop, TestResult, Verdict
from grader.core.model.limits import LimitOverrides
from grader.core.model.report import Report
from grader.core.model.spec import Case, Test
from grader.core.model.submission import Artifact, BuildResult, Staged
from grader.core.report.json import to_report
from grader.core.running_tests import Happened, NotRun, Ran, asks_build, not_run, reference_execution, run_test
from grader.core.text import count_points, full_sentence, quote
from grader.core.threads import in_order

__all__ = ["Course", "generate_for", "prepare", "reference_execution"]

Kept = TypeVar("Kept")
_is_rejected = lazy_call("grader.core.scoring", "is_rejected")
_split_at_stops = lazy_call("grader.core.scoring", "split_at_stops")
_score_tests = lazy_call("grader.core.scoring", "score_tests")
_TRIAL: LimitOverrides = {"time": 20.0, "cpu": 3.0}
"""of the start that shows whether there is anything to start; what runs into one has started"""
_NO_PROGRAM = (126, 127)  # the statuses of a command that is not there, or cannot be executed: POSIX, XCU 2.8.2
_GROUP_IS_OVER = "Not run, because a group before it failed, and the one around them ends there (`stop` in the spec)."


def grade(job: Job, course: Course | None = None) -> Report:
    """Grade one submission and return its report. Raises UsageError when the submission cannot be read at all."""
    return to_report(assess(job, course or prepare(job.spec, sandbox=job.sandbox)))


def assess(job: Job, course: Course, whole: Collection[str] = ()) -> Judgement:
    """Do all stages of `grade` except the last; the cases with these ids contain whole executions."""
    with bench(job, course, whole) as ready:
        return ready.judgement(ready.grade_tests())


def work_on(
    jobs: Sequence[Job], course: Course, work: Callable[[Job, Course], Kept], workers: int = 1
) -> Iterator[Kept]:
    """Do the `work`, such as `grade`, on the jobs, `workers` at a time; yields its results as `in_order` does."""
    return in_order((partial(work, job, course) for job in jobs), workers, course.cancelled.set)


def ungraded(job: Job, course: Course, why: str) -> Report:
    """Return the report of a submission that we failed to grade at all: every case is ungraded, with the reason."""
    ready = Bench(job=replace(job, only=()), course=Attempt.of(course), artifact=HostError(why))
    return to_report(ready.judgement(ready.grade_tests(), BuildResult(ok=True)))


# ---------------------------------------------------------------- stage and build


@contextmanager
def bench(job: Job, course: Course, whole: Collection[str] = ()) -> Iterator["Bench"]:
    """Stage and build a submission, for as long as its tests are graded. Raises as `grade` does."""
    course = generate_for(course, job.submission.id) if course.spec.seed == "student" else course
    attempt = course if isinstance(course, Attempt) else Attempt.of(course)
    try:
        folder = Path(tempfile.mkdtemp(prefix="grader-"))
    except OSError as error:
        raise HostError(f"no temporary folder: {error}; free some space, or set TMPDIR") from error
    try:
        (folder / "staged").mkdir()
        staged, artifact = _build_work(job, attempt, folder)
        if isinstance(artifact, Artifact):
            named = build.toolchains.add_crashes_by_name(attempt.toolchain, attempt.spec, artifact.folder)
            attempt = replace(attempt, toolchain=named)
        yield Bench(job=job, course=attempt, staged=staged, artifact=artifact, whole=whole)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _build_work(job: Job, course: Attempt, folder: Path) -> tuple[Staged, Artifact | HostError]:
    """Stage and build a submission in `folder`, repaired where the spec allows it; or return why we cannot."""
    spec = course.spec
    staged = build.staging.stage(job.submission, build.layout.staging_rules(spec), folder / "staged")
    limits = run.launch.limits_of(course.toolchain.build_limits, spec.build.limits if spec.build else {})
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
            artifact = replace(artifact, made={**artifact.made, **kind.run.prepare_build(course, artifact)})
    except HostError as error:
        return staged, error
    return staged, artifact


def _can_start(artifact: Artifact, course: Attempt) -> bool:
    """Whether the program starts at all: without arguments and input, whatever it does then."""
    limits = run.launch.limits_of(course.toolchain.limits, _TRIAL)
    argv = run.launch.add_options(course.toolchain, course.spec.program, limits)
    found = course.execute(Launch(argv=argv, folder=artifact.folder, limits=limits, reserved=course.toolchain.reserves))
    is_start_failure = any(re.search(pattern.encode(), found.stderr) for pattern in course.toolchain.cannot_start)
    return found.status not in _NO_PROGRAM and not (found.status and is_start_failure)


# ---------------------------------------------------------------- run and judge


class Bench(Struct, frozen=True, kw_only=True):
    """A submission staged and built: its tests can be graded, in any order in which none misses what it needs."""

    job: Job
    course: Attempt
    staged: Staged | None = None
    artifact: Artifact | HostError
    whole: Collection[str] = ()  # the ids of the cases whose results contain whole executions

    def grade_tests(self) -> list[TestResult]:
        """Grade all tests of the job, in the spec's order."""
        results: list[TestResult] = []
        for test in self.job.tests_of(self.course.spec):
            results.append(self.grade_test(test, results))
        return results

    def grade_test(self, test: Test, before: Sequence[TestResult]) -> TestResult:
        """Grade a test, or one with some of its cases; `before` is what the tests that it needs came to."""
        attempt, cases = self.course, tuple[CaseResult, ...]()
        for part in _split_at_stops(test) if test.scoring else (test,):
            is_over = cases and not attempt.spec.once and attempt.scorers[test.name].is_over(test.cases, cases)
            skipped = (one for one in not_run(part, Verdict.SKIPPED, _GROUP_IS_OVER))
            with closing(skipped if is_over else run_test(part, self.artifact, before, attempt)) as happened:
                cases += self._judge_cases(part, happened)
        result = judge.totals.judge_test(test, cases)
        if isinstance(self.artifact, Artifact) and self.artifact.build.repaired:
            spared = {case.id for case in test.cases if asks_build(case, attempt.spec)}
            result = judge.totals.charge_repair(result, self.artifact.build.repaired, spared)
        return judge.totals.refuse_constant_output(result, before) if test.unlike else result

    def without_budget(self) -> "Bench":
        """Return the same without budgets, which would stop other cases in runs of other cases or order."""
        return replace(self, course=self.course.without_budget())

    def _judge_cases(self, test: Test, happened: Iterator[Happened]) -> tuple[CaseResult, ...]:
        """Judge what happened in each case of a test."""
        cases = list[CaseResult]()
        for place, case in enumerate(test.cases, 1):
            runs = [self._judge_run(way, next(happened)) for way in case.ways for _ in range(case.repeat.times)]
            joined = judge.runs.join_runs(case, runs)
            is_held = kind_of(case).run.holds_hidden(case, test, self.course.spec)
            cases.append(judge.runs.withhold(joined) if is_held else joined)
            if test.stops and _has_failed(test, case, cases[-1], self.course):
                why = "its group ends at the first failure" if test.scoring else "this test is all or nothing"
                reason = f"Not run, because {case.id} failed, and {why} (`stop` in the spec)."
                happened = iter(not_run(replace(test, cases=test.cases[place:]), Verdict.SKIPPED, reason))
        return tuple(cases)

    def _judge_run(self, case: Case, happened: Happened) -> CaseResult:
        attempt, artifact = self.course, self.artifact
        command = run.launch.repeat_text(case, attempt.spec)
        if isinstance(happened, Ran):
            read_line = line_reader(artifact.folder) if isinstance(artifact, Artifact) else no_lines
            around: dict[str, Any] = {"toolchain": attempt.toolchain, "checks": attempt.checks, "read_line": read_line}
            judge_run = partial(judge.case.judge, case, expected=happened.expected, command=command, **around)
            try:
                result = explain_case(case, happened, attempt, judge_run, read_line)
                return result if case.id in self.whole else replace(result, whole=None)
            except Exception as error:  # noqa: BLE001 - a fault of the judge makes this case ungraded, and no other
                happened = _unjudged(happened.execution, error)
        if isinstance(happened, NotRun):
            message, none = Message(happened.reason), Fraction(0)
            return CaseResult(id=case.id, verdict=happened.verdict, credit=none, command=command, message=message)
        return replace(happened, command=command)

    # ---------------------------------------------------------------- sum up

    def judgement(self, results: Sequence[TestResult], built: BuildResult | None = None) -> Judgement:
        """Return the judgement of the tests that were graded, in the order of the report."""
        course, staged = self.course, self.staged
        if built is None:
            failed = BuildResult(ok=False, message=str(self.artifact))
            built = self.artifact.build if isinstance(self.artifact, Artifact) else failed
        scored = judge.totals.charge_once(results, course.spec.once)
        scored = _score_tests(scored, course.scorers) if course.scorers else scored
        results = look_for(partial(judge.across_cases.hint_across_cases, scored), scored)
        on_top = tuple(self._points_on_top(built, results))
        verdict, score = judge.totals.overall(results, on_top)
        return Judgement(
            spec=course.spec,
            submission=self.job.submission,
            submission_digest=staged.digest if staged else "",
            verdict=verdict,
            score=score,
            max_score=sum((r.test.points for r in results if not r.test.bonus), Fraction(0)),
            sandbox=course.sandbox.info,
            toolchain=course.versions,
            findings=(*(staged.findings if staged else ()), *built.findings, *list_forged(results)),
            build=built,
            tests=tuple(results),
            on_top=on_top,
        )

    def _points_on_top(self, built: BuildResult, results: Sequence[TestResult]) -> Iterator[OnTop]:
        """Iterate over the points of the whole: for repairs, missing files, what was decided, and tests not right."""

        def change(kind: str, text: str, points: Fraction) -> OnTop:
            worth = f"This {'adds' if points > 0 else 'costs'} {count_points(abs(points))}."
            told = f"{text} {worth if points else 'This alone changes no points.'}"
            return OnTop(kind=kind, message=told, points=points)

        repaired = zip(built.repaired.repairs, built.repaired.messages, strict=True) if built.repaired else ()
        yield from (OnTop(kind=one.name, message=text, points=-one.costs) for one, text in repaired if one.costs)
        for one in self.staged.missing if self.staged else ():
            if one.costs is not None:
                yield change("missing-file", full_sentence(build.layout.describe_missing([one])), -one.costs)
        if adjustment := self.course.spec.adjustments.get(self.job.submission.id):
            reason = f"Decided by the course: {full_sentence(adjustment.reason)}"
            yield change("adjustment", reason, adjustment.points)
        for result in results:
            costs = result.test.costs if result.score is not None else None
            if costs and (lost := judge.totals.share_lost(result) * costs):
                yield change("test", f"The test {quote(result.test.name)} is not right.", -lost)


def _has_failed(test: Test, case: Case, found: CaseResult, course: Course) -> bool:
    """Whether a case was run and has failed, whatever is charged elsewhere, so that its test or group is lost."""
    if test.scoring or found.run is None:
        return found.run is not None and bool(test.scoring) and _is_rejected(case, found)
    result = judge.totals.judge_test(test, (found,))
    return result.score is not None and not judge.totals.meets_need(result, course.spec.once)


def _unjudged(execution: Execution, error: Exception) -> NotRun:
    """Return why an execution was not judged: that it was too large or deep is our fault only when it is small."""
    is_large = (execution.facts and execution.facts.size) or execution.size > LARGE_OUTPUT_BYTES
    if isinstance(error, MemoryError | RecursionError) and is_large:
        return NotRun(verdict=Verdict.FAILED, reason="Your program produced too much to check; far less is expected.")
    fault = error if isinstance(error, HostError) else f"a fault of the grader: {type(error).__name__}: {error}"
    return NotRun(verdict=Verdict.UNGRADED, reason=str(fault))


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
