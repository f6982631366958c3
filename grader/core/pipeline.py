"""The whole of grading, read from top to bottom: load -> stage -> build -> run -> judge -> report.

A student's error ends in the report; one of ours makes cases ungraded, or is raised when nothing can be graded at all.
"""

import os
import re
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from grader.core import build, judge, run
from grader.core.course import Attempt, Course, generate_for, prepare, reference_execution
from grader.core.diagnosis import line_reader, no_lines
from grader.core.errors import GraderError, HostError
from grader.core.explain.explaining import explain_build, explain_case, list_forged, look_for
from grader.core.kind import KINDS, AskReference, kind_of, kinds_in
from grader.core.lazy import lazy_call, lazy_modules
from grader.core.model.execution import LARGE_OUTPUT_BYTES, Execution, Launch
from grader.core.model.layout import Artifact, BuildResult, Staged
from grader.core.model.limits import LimitOverrides
from grader.core.model.report import CaseResult, Job, Judgement, Message, OnTop, Report, TestResult, Verdict
from grader.core.model.spec import PROGRAM_KINDS, Case, CheckOptions, Spec, Test
from grader.core.report.json import to_report
from grader.core.run.measuring import Measured, TimeLedger, is_in_doubt
from grader.core.sandbox.folder import remove_tree
from grader.core.text import TEXT_LIMIT, count_points, full_sentence, quote
from grader.core.threads import ThreadTask, in_order

__all__ = ["Course", "generate_for", "prepare", "reference_execution"]

Kept = TypeVar("Kept")
_module, _relate_answers = lazy_modules("grader.core"), lazy_call("grader.core.explain.reasons", "relate_answers")
# What starts programs of any kind.
_STARTERS = {"bash", "dash", "node", "perl", "ruby", *(kind.start[0] for kind in PROGRAM_KINDS.values() if kind.start)}
_TRIAL: LimitOverrides = {"time": 20.0, "cpu": 3.0}  # of the start that shows whether there is anything to start
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


class Inverted(Struct, frozen=True, kw_only=True):
    """A further run of a case, in which no honest program passes: one of its assertions is inverted."""

    case: Case  # the case as it is inverted, which the reference may be asked
    launch: Launch
    place: str  # where, for the staff
    turn: int  # its place, drawn by chance, among the runs started for the case: below 0 before the one that counts
    share: str = ""  # the share of its points that an honest program has there; empty where the method sets none
    doubt: "Callable[[Inverted, CaseResult, CaseResult, AskReference], str]"
    """returns why a case that passed is not believed, for the staff alone, given its result and that when inverted"""
    is_shared: bool = False  # whether it takes as long as all cases of the test, which share their run
    before: Execution | None = None  # its result without its output, where it ran first


class Ran(Struct, frozen=True, kw_only=True):
    """A case that was run: what happened, and what the reference did, where that is asked for."""

    execution: Execution
    expected: Execution | None
    launch: Launch
    inverted: Inverted | None = None  # a further run, which no honest program passes


class NotRun(Struct, frozen=True, kw_only=True):
    """A case without an execution to judge: its verdict, and the reason."""

    verdict: Verdict
    reason: str


Happened = Ran | NotRun | CaseResult


class Unprepared(Exception):  # noqa: N818 - it describes a submission that is not ready
    """A test cannot be run with this submission; the text gives the reason, for the student."""


def not_run(test: Test, verdict: Verdict, reason: str) -> list[NotRun]:
    """Return that no case of a test was run, and why."""
    return [NotRun(verdict=verdict, reason=reason) for case in test.cases for _ in range(case.runs)]


@contextmanager
def bench(job: Job, course: Course, whole: Collection[str] = ()) -> Iterator["Bench"]:
    """Stage and build a submission, for as long as its tests are graded. Raises as `grade` does."""
    course = generate_for(course, job.submission.id) if course.spec.seed == "student" else course
    attempt = course if isinstance(course, Attempt) else Attempt.of(course)
    try:
        folder = _make_folder()
    except OSError as error:
        raise HostError(f"no temporary folder: {error}; free some space, or set TMPDIR") from error
    try:
        (folder / "staged").mkdir()
        staged, artifact = _build_work(job, attempt, folder)
        if isinstance(artifact, Artifact):
            named = build.artifact.add_crashes_by_name(attempt.toolchain, attempt.spec, artifact.folder)
            attempt = replace(attempt, toolchain=named)
        yield Bench(job=job, course=attempt, staged=staged, artifact=artifact, whole=whole)
    finally:
        remove_tree(folder)


def _make_folder() -> Path:
    """Make a folder for ourselves alone, as `tempfile` does, which takes longer to import. Raises OSError."""
    place = os.environ.get("TMPDIR") or os.environ.get("TEMP") or os.environ.get("TMP") or "/tmp"  # noqa: S108
    with suppress(OSError):
        folder = Path.cwd() / place / f"grader-{os.urandom(8).hex()}"
        if os.statvfs(place).f_bavail:
            folder.mkdir(mode=0o700)
            return folder
    return Path(lazy_call("tempfile", "mkdtemp")(prefix="grader-"))  # it looks for a place with room


def _build_work(job: Job, course: Attempt, folder: Path) -> tuple[Staged, Artifact | HostError]:
    """Stage and build a submission in `folder`, repaired where the spec allows it; or return why we cannot."""
    spec = course.spec
    staged = build.staging.stage(job.submission, build.layout.staging_rules(spec), folder / "staged")
    limits = run.runner.limits_of(course.toolchain.build_limits, spec.build.limits if spec.build else {})
    builder = build.artifact.Builder(
        build=lambda spec, work, target: build.artifact.build_submission(
            spec, work, course.toolchain, limits, target, course.measure
        ),
        starts=lambda artifact: _can_start(artifact, course),
    )
    try:
        if adjustment := spec.adjustments.get(job.submission.id):
            staged = build.artifact.adjust(staged, adjustment, spec.files, folder / "adjusted")
            spec = build.artifact.spec_for(spec, adjustment.change)
        if spec.build:
            staged = build.artifact.put_beside(staged, spec.build, spec.files, folder / "beside")
        artifact = build.artifact.build_with_repairs(spec, staged, folder, builder)
        for kind in kinds_in(course.spec) if artifact.build.ok else ():
            artifact = replace(artifact, made={**artifact.made, **kind.prepare_build(course, artifact)})
    except HostError as error:
        return staged, error
    return staged, artifact if artifact.build.ok else replace(artifact, build=explain_build(artifact.build, course))


def _can_start(artifact: Artifact, course: Attempt) -> bool:
    """Whether the program starts at all: without arguments and input, whatever it does then."""
    limits = run.runner.limits_of(course.toolchain.limits, _TRIAL)
    argv = run.runner.add_options(course.toolchain, course.spec.program, limits)
    trial = course.execute(Launch(argv=argv, folder=artifact.folder, limits=limits, reserved=course.toolchain.reserves))
    is_start_failure = any(re.search(pattern.encode(), trial.stderr) for pattern in course.toolchain.cannot_start)
    return trial.status not in _NO_PROGRAM and not (trial.status and is_start_failure)


def run_test(
    test: Test, artifact: Artifact | HostError, before: Sequence[TestResult], attempt: Attempt
) -> Generator[Happened, None, None]:
    """Run the cases of a test and yield the runs: each case as often as it is repeated, in each of its ways."""
    if isinstance(artifact, HostError):
        yield from not_run(test, Verdict.UNGRADED, str(artifact))
        return
    if lost := _why_not(test, artifact, before, attempt):
        yield from not_run(test, *lost)
        return
    kind = kind_of(test.cases[0])
    try:
        run_cases = run_in_order if test.in_order else kind.run_test or run_separately
        yield from run_cases(test, artifact, attempt)
    except (HostError, Unprepared) as why:
        yield from not_run(test, Verdict.UNGRADED if isinstance(why, HostError) else Verdict.BUILD_FAILED, str(why))


def _why_not(
    test: Test, artifact: Artifact, before: Sequence[TestResult], attempt: Attempt
) -> tuple[Verdict, str] | None:
    """Return the verdict of the cases of a test that is not run, and why; None where it is run."""
    needed = [done for done in before if done.test.name in test.needs]
    checks = (leaf.get(CheckOptions) for case in test.cases for _, leaf in case.texts)
    if not artifact.build.ok:
        verdict = Verdict.BUILD_FAILED if artifact.build.is_readable else Verdict.NOT_READABLE
        return verdict, artifact.build.message
    if unknown := [done.test.name for done in needed if done.score is None]:
        # A skipped test has no points, and whether this one is to be skipped is unknown.
        are = "is" if len(unknown) == 1 else "are"
        return Verdict.UNGRADED, f"Not run, because {' and '.join(unknown)} {are} ungraded."
    if unmet := [done.test.name for done in needed if not judge.totals.meets_need(done, attempt.spec.once)]:
        return Verdict.SKIPPED, f"Not run, because {' and '.join(unmet)} did not pass."
    if attempt.ledger.is_spent():
        return Verdict.SKIPPED, attempt.ledger.why_skipped(test.patience)
    if attempt.ledger.is_used_up():
        return Verdict.UNGRADED, str(attempt.ledger.refusal())
    unwritten = next((check.function for check in checks if check.unwritten), "")
    return (Verdict.UNGRADED, f"{unwritten} is still to be written.") if unwritten else None


Planned = tuple[Case, Launch | GraderError, Execution | None]  # a way of a case, its start, what is right, if short


def plan_cases(
    cases: Sequence[Case], test: Test, artifact: Artifact, attempt: Attempt, shared: Path | None = None
) -> list[Planned]:
    """Plan cases of a test. Raises HostError and Unprepared where none of them can be run."""
    files = kind_of(test.cases[0]).prepare_test(test, artifact, attempt)
    asking = asking_cases(test, attempt.spec)
    given = {"files": files, "charged": artifact.charged}

    def plan(case: Case) -> Planned:
        # The reference comes first: without it there is nothing to compare with, and a student need not wait.
        right = reference_execution(case, attempt) if case.asks_reference else None
        if isinstance(right, GraderError):
            return case, right, None
        folder = (case.id in asking and artifact.handed_in) or artifact.folder
        context = replace(attempt.context_of(case), folder=folder, token=attempt.token, **given)
        try:
            launch = run.runner.launch_case(case, context, attempt.toolchain, right=right)
        except HostError as error:
            return case, error, None
        if shared:
            at = len(test.earlier(case))  # two folders, by turns: a long test fills no disk
            launch = replace(launch, folder=shared / str(1 - at % 2) if at else folder, kept=shared / str(at % 2))
        return case, launch, right if right and right.size <= TEXT_LIMIT else None

    first, size = [plan(case) for case in cases[:1]], -(-len(cases) // attempt.slots.abreast)
    rest = [cases[start : start + size] for start in range(size, len(cases), size)]
    beside = [ThreadTask(partial(list[Planned], map(plan, part))) for part in rest]  # what all need is there by then
    return [*first, *map(plan, cases[1:size]), *(planned for task in beside for planned in task.result())]


def run_in_order(test: Test, artifact: Artifact, attempt: Attempt) -> Iterator[Happened]:
    """Run the cases of a test in one working folder, whose content is unknown after a case that is ungraded."""
    lost: NotRun | None = None
    with (
        lazy_call("tempfile", "TemporaryDirectory")(prefix="grader-", ignore_cleanup_errors=True) as folder,
        closing(run_separately(test, artifact, attempt, Path(folder))) as happened,
    ):
        for case in (planned for planned in test.cases for _ in range(planned.runs)):
            yield (outcome := lost or next(happened))
            doubt = isinstance(outcome, Ran) and outcome.execution.is_inconclusive
            if doubt or (isinstance(outcome, NotRun) and outcome.verdict is Verdict.UNGRADED):
                why = f"Not run, because {case.id} is ungraded, and this goes on with what it leaves (`in-order`)."
                lost = lost or NotRun(verdict=Verdict.UNGRADED, reason=why)


def run_separately(
    test: Test, artifact: Artifact, attempt: Attempt, shared: Path | None = None
) -> Generator[Happened, None, None]:
    """Run each case of a test by itself, as most kinds do; each leaves its files for the next in `shared`, if given."""
    ways = [way for case in test.cases for way in case.ways]
    runs = [plan for plan in plan_cases(ways, test, artifact, attempt, shared) for _ in range(plan[0].repeat.times)]
    launched = [(case, launch) for case, launch, _ in runs if isinstance(launch, Launch)]
    inverted = invert_runs(launched, attempt)
    started: list[tuple[Case, Launch, bool]] = []  # with whether it counts; several are on their way at once
    for (case, launch), inversion in zip(launched, inverted, strict=True):
        started += [(case, inversion.launch, False)] if inversion and inversion.turn < 0 else []
        started.append((case, launch, True))
    patience = EarlyStop(
        most=test.patience,
        launches=[launch for _, launch, _ in started],
        cases=[case.id for case, _, _ in started],
        ledger=attempt.ledger,
    )

    def on_start(place: int) -> None:
        if started[place][2]:
            attempt.on_case_start(started[place][0])

    unknown, inversions = dict[str, str](), iter(inverted)
    with closing(attempt.measure_each(patience.launches, on_start=on_start)) as executions:
        for case, planned, right in runs:
            if isinstance(planned, GraderError):
                yield NotRun(verdict=Verdict.UNGRADED, reason=str(planned))
                continue
            inversion = next(inversions)
            if inversion and inversion.turn < 0:
                inversion = with_result(inversion, patience.next_of(executions))
            if (measured := patience.next_of(executions)) is None:
                yield NotRun(verdict=Verdict.SKIPPED, reason=attempt.ledger.why_skipped(test.patience))
                continue
            attempt.ledger.charge_run(measured)
            if isinstance(measured, Execution):
                measured = _run_further(measured, case, planned, attempt, unknown)
            yield as_ran(case, planned, measured, attempt, inverted=inversion, right=right)
            del measured  # what it wrote may be much


class EarlyStop(Struct, kw_only=True):
    """When to stop running the cases of a test: after `most` time-outs in a row, or when the budget is spent."""

    most: int | None  # cases in a row that may time out; None when all cases are run
    launches: Sequence[Launch]
    cases: Sequence[str]  # the case that each of the launches is a run of
    ledger: TimeLedger | None = None
    """what is left for them, which the caller charges with each result; None for no bound"""
    done: list[Measured] = field(default_factory=list)  # what they came to so far, without outputs

    def next_of(self, runs: Iterator[Measured]) -> Measured | None:
        """Return the next result of the launches; None if it is skipped."""
        run = None if self.is_lost() else next(runs, None)
        self.done += [] if run is None else [run.bare if isinstance(run, Execution) else run]
        return run

    def is_lost(self) -> bool:
        """Whether to skip the rest: the budget is spent, or the last cases timed out and no other has more time."""
        at = len(self.done)
        if at in (0, len(self.cases)) or self.cases[at] == self.cases[at - 1]:
            return False
        if self.ledger and self.ledger.is_spent():
            return True
        last = list(dict.fromkeys(reversed(self.cases[:at])))[: self.most]
        if self.most is None or len(last) < self.most:
            return False
        first = self.cases.index(last[-1])
        had = [launch.limits for launch in self.launches[first:at]]
        time, cpu = max(limits.time for limits in had), max(limits.cpu for limits in had)
        ends = [isinstance(run, Execution) and not is_in_doubt(run) and run.limit for run in self.done[first:]]
        is_lost = all(end in {"time", "cpu"} for end in ends)
        return is_lost and all(launch.limits.time <= time and launch.limits.cpu <= cpu for launch in self.launches[at:])


def invert_runs(runs: Sequence[tuple[Case, Launch]], attempt: Attempt) -> Sequence[Inverted | None]:
    """Return for each run the run with one of its assertions inverted; None where there is none."""
    invert = kind_of(runs[0][0]).invert if runs else None
    nothing: list[Inverted | None] = [None] * len(runs)
    with suppress(Exception):  # a fault of ours, as no code of the submission runs: it costs no points
        return invert(runs, attempt) if invert else nothing
    return nothing


def with_result(inverted: Inverted, measured: Execution | HostError | None) -> Inverted:
    """Return an inverted run with its result, which is needed if the run that counts passes."""
    with suppress(HostError):
        if isinstance(measured, Execution):
            recorded = kind_of(inverted.case).read_record(measured, inverted.case, inverted.launch)
            return replace(inverted, before=replace(recorded.bare, facts=recorded.facts))
    return inverted


def _run_further(
    execution: Execution, case: Case, launch: Launch, attempt: Attempt, unknown: dict[str, str]
) -> Execution:
    """Return what happened, with further runs; `unknown` has, by kind, why one showed nothing: it is not repeated."""
    for name in case.also:
        kind = KINDS[name]
        facts = kind.after_run(execution, case, launch, attempt, unknown.get(name, ""))
        if facts is not None:
            unknown[name] = unknown.get(name, "") or facts.problem
            execution = replace(execution, also={**execution.also, name: facts})
    return execution


def asking_cases(test: Test, spec: Spec) -> Collection[str]:
    """Return the cases that begin in the work as handed in: they build, as `make clean` does, or continue there."""
    builders = {command[0] for command in spec.build.run} - _STARTERS if spec.build else set()
    asking = {case.id for case in test.cases if case.command and case.command[0] in builders}
    return {case.id for case in test.cases} if test.in_order and asking else asking


def as_ran(
    case: Case,
    launch: Launch,
    execution: Execution | HostError,
    attempt: Attempt,
    *,
    inverted: Inverted | None = None,
    right: Execution | None = None,
) -> Ran | NotRun:
    """Return the run of a case with its record, beside `right`, or else what the reference does."""
    try:
        # The long ones are read again: all of them may be too much.
        expected = right or (reference_execution(case, attempt) if case.asks_reference else None)
        if isinstance(execution, HostError) or isinstance(expected, GraderError):
            raise execution if isinstance(execution, HostError) else HostError(str(expected))
        recorded = kind_of(case).read_record(execution, case, launch)
        return Ran(execution=recorded, expected=expected, launch=launch, inverted=inverted)
    except HostError as error:
        return NotRun(verdict=Verdict.UNGRADED, reason=str(error))


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
        for part in _module("scoring").split_at_stops(test) if test.scoring else (test,):
            is_over = cases and not attempt.spec.once and attempt.scorers[test.name].is_over(test.cases, cases)
            skipped = (outcome for outcome in not_run(part, Verdict.SKIPPED, _GROUP_IS_OVER))
            with closing(skipped if is_over else run_test(part, self.artifact, before, attempt)) as happened:
                cases += self._judge_cases(part, happened)
        result = judge.totals.judge_test(test, cases)
        if isinstance(self.artifact, Artifact) and self.artifact.build.repaired:
            result = judge.totals.charge_repair(result, self.artifact.build.repaired, asking_cases(test, attempt.spec))
        return judge.totals.refuse_constant_output(result, before) if test.unlike else result

    def _judge_cases(self, test: Test, happened: Iterator[Happened]) -> tuple[CaseResult, ...]:
        """Judge what happened in each case of a test."""
        cases = list[CaseResult]()
        for place, case in enumerate(test.cases, 1):
            runs = [self._judge_run(way, next(happened)) for way in case.ways for _ in range(case.repeat.times)]
            joined = judge.totals.join_runs(case, runs)
            is_held = kind_of(case).holds_hidden(case, test, self.course.spec)
            cases.append(judge.totals.withhold(joined) if is_held else joined)
            if test.stops and _has_failed(test, case, cases[-1], self.course):
                why = "its group ends at the first failure" if test.scoring else "this test is all or nothing"
                reason = f"Not run, because {case.id} failed, and {why} (`stop` in the spec)."
                happened = iter(not_run(replace(test, cases=test.cases[place:]), Verdict.SKIPPED, reason))
        return tuple(cases)

    def _judge_run(self, case: Case, happened: Happened) -> CaseResult:
        attempt, artifact = self.course, self.artifact
        command = run.runner.repeat_text(case, attempt.spec)
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

    def judgement(self, results: Sequence[TestResult], built: BuildResult | None = None) -> Judgement:
        """Return the judgement of the tests that were graded, in the order of the report."""
        course, staged = self.course, self.staged
        failed = BuildResult(ok=False, message=str(self.artifact))
        built = built or (self.artifact.build if isinstance(self.artifact, Artifact) else failed)
        scored = judge.totals.charge_once(results, course.spec.once)
        scored = _module("scoring").score_tests(scored, course.scorers) if course.scorers else scored
        relate = partial(_relate_answers, mistakes=course.known.get("mistakes", ()))
        results = look_for(partial(judge.totals.hint_across_cases, scored, relate), scored)
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
            message = f"{text} {worth if points else 'This alone changes no points.'}"
            return OnTop(kind=kind, message=message, points=points)

        repaired = zip(built.repaired.repairs, built.repaired.messages, strict=True) if built.repaired else ()
        yield from (OnTop(kind=one.name, message=text, points=-one.costs) for one, text in repaired if one.costs)
        for file in self.staged.missing if self.staged else ():
            if file.costs is not None:
                yield change("missing-file", full_sentence(build.layout.describe_missing([file])), -file.costs)
        if adjustment := self.course.spec.adjustments.get(self.job.submission.id):
            yield change("adjustment", f"Decided by the course: {full_sentence(adjustment.reason)}", adjustment.points)
        for result in results:
            costs = result.test.costs if result.score is not None else None
            if costs and (lost := judge.totals.share_lost(result) * costs):
                yield change("test", f"The test {quote(result.test.name)} is not right.", -lost)


def _has_failed(test: Test, case: Case, case_result: CaseResult, course: Course) -> bool:
    """Whether a case was run and has failed, whatever is charged elsewhere, so that its test or group is lost."""
    if test.scoring or case_result.run is None:
        return case_result.run is not None and bool(test.scoring) and _module("scoring").is_rejected(case, case_result)
    result = judge.totals.judge_test(test, (case_result,))
    return result.score is not None and not judge.totals.meets_need(result, course.spec.once)


def _unjudged(execution: Execution, error: Exception) -> NotRun:
    """Return why an execution was not judged: a lack of memory or stack is our fault only if the output is small."""
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
        crash = tuple(pattern for language in course.toolchains() for pattern in language.crash)
        toolchain = replace(toolchain, crash=crash, uncaught=(), crash_status=())
    command = run.runner.command_text(case, course.spec)
    return judge.case.judge(case, execution, expected, toolchain=toolchain, command=command, checks=course.checks)
