"""The stage of running: the cases of a test, in order, each yielded when it ended: all may be more than the memory."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grader.core import judge, oracle, run
from grader.core.attempt import Attempt
from grader.core.course import Course
from grader.core.errors import GraderError, HostError
from grader.core.kind import KINDS, Inverted, Unprepared, kind_of
from grader.core.lazy import lazy_call
from grader.core.model.execution import Execution, Launch
from grader.core.model.judgement import CaseResult, TestResult, Verdict
from grader.core.model.programs import PROGRAM_KINDS
from grader.core.model.spec import Case, CheckOptions, Spec, Test
from grader.core.model.submission import Artifact
from grader.core.text import TEXT_LIMIT

_STARTERS = {"bash", "dash", "node", "perl", "ruby", *(kind.start[0] for kind in PROGRAM_KINDS.values() if kind.start)}
"""what starts programs of any kind"""
_may_have_prompt = lazy_call("grader.core.deviations.prompts", "may_have_prompt")
_open_prompt = lazy_call("grader.core.deviations.prompts", "open_prompt")


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


def not_run(test: Test, verdict: Verdict, reason: str) -> list[NotRun]:
    """Return that no case of a test was run, and why."""
    return [NotRun(verdict=verdict, reason=reason) for case in test.cases for _ in range(case.runs)]


def run_test(
    test: Test, artifact: Artifact | HostError, before: Sequence[TestResult], attempt: Attempt
) -> Generator[Happened, None, None]:
    """Run the cases of a test; yields each run: each case as often as it is repeated, in each of its ways."""
    if isinstance(artifact, HostError):
        yield from not_run(test, Verdict.UNGRADED, str(artifact))
        return
    if lost := _why_not(test, artifact, before, attempt):
        yield from not_run(test, *lost)
        return
    kind = kind_of(test.cases[0])
    try:
        yield from (kind.run.run_test or run_separately)(test, artifact, attempt)
    except HostError as error:
        yield from not_run(test, Verdict.UNGRADED, str(error))
    except Unprepared as problem:
        yield from not_run(test, Verdict.BUILD_FAILED, str(problem))


def _why_not(
    test: Test, artifact: Artifact, before: Sequence[TestResult], attempt: Attempt
) -> tuple[Verdict, str] | None:
    """Return what the cases of a test come to that is not run, and why; None where it is run."""
    needed = [done for done in before if done.test.name in test.needs]
    checks = (leaf.get(CheckOptions) for case in test.cases for _, leaf in case.texts)
    if not artifact.build.ok:
        verdict = Verdict.BUILD_FAILED if artifact.build.is_readable else Verdict.NOT_READABLE
        return verdict, artifact.build.message
    if unknown := [done.test.name for done in needed if done.score is None]:
        # What was skipped has no points, and nobody knows whether this is to be skipped.
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


Planned = tuple[Case, Launch | GraderError, Execution | None]
"""a case in one of its ways, what is started for it, or why nothing is, and the answer of the reference, if short"""


def plan_cases(cases: Sequence[Case], test: Test, artifact: Artifact, attempt: Attempt) -> list[Planned]:
    """Plan cases of a test. Raises HostError and Unprepared where none of them can be run."""
    files = kind_of(test.cases[0]).run.prepare_test(test, artifact, attempt)
    given = {"files": files, "charged": artifact.charged}
    token = attempt.recall.token if attempt.recall else ""

    def plan(case: Case) -> Planned:
        # The reference comes first: without it there is nothing to compare with, and a student need not wait.
        right = reference_execution(case, attempt) if case.asks_reference else None
        if isinstance(right, GraderError):
            return case, right, None
        # A case that asks about the build starts in the work as it was handed in.
        folder = (asks_build(case, attempt.spec) and artifact.handed_in) or artifact.folder
        context = replace(attempt.context_of(case), folder=folder, token=token, **given)
        try:
            launch = run.launch.launch_case(case, context, attempt.toolchain, right=right)
        except HostError as error:
            return case, error, None
        return case, launch, right if right and right.size <= TEXT_LIMIT else None

    return list(map(plan, cases))


def run_separately(test: Test, artifact: Artifact, attempt: Attempt) -> Iterator[Happened]:
    """Run each case of a test by itself, as most kinds do."""
    ways = [way for case in test.cases for way in case.ways]
    runs = [one for one in plan_cases(ways, test, artifact, attempt) for _ in range(one[0].repeat.times)]
    launched = [(case, launch) for case, launch, _ in runs if isinstance(launch, Launch)]
    inverted = invert_runs(launched, attempt)
    started: list[tuple[Case, Launch, bool]] = []  # with whether it counts; several are on their way at once
    for (case, launch), other in zip(launched, inverted, strict=True):
        started += [(case, other.launch, False)] if other and other.turn < 0 else []
        started.append((case, launch, True))
    patience = run.ledger.EarlyStop(
        most=test.patience,
        launches=[launch for _, launch, _ in started],
        cases=[case.id for case, _, _ in started],
        ledger=attempt.ledger,
    )
    policy = run.measuring.RunPolicy(
        on_start=lambda place: attempt.on_case_start(started[place][0]) if started[place][2] else None,
        should_stop=patience.is_lost,
    )
    unknown, others = dict[str, str](), iter(inverted)
    with closing(attempt.measure_each(patience.launches, policy)) as executions:
        for case, planned, right in runs:
            if isinstance(planned, GraderError):
                yield NotRun(verdict=Verdict.UNGRADED, reason=str(planned))
                continue
            other = next(others)
            if other and other.turn < 0:
                other = with_result(other, next(executions, None))
            if (found := next(executions, None)) is None:
                yield NotRun(verdict=Verdict.SKIPPED, reason=attempt.ledger.why_skipped(test.patience))
                continue
            attempt.ledger.charge_run(found)
            if isinstance(found, Execution):
                found = _run_further(found, case, planned, attempt, unknown)
            yield as_ran(case, planned, found, attempt, inverted=other, right=right)
            del found  # what it wrote may be much


def invert_runs(runs: Sequence[tuple[Case, Launch]], attempt: Attempt) -> Sequence[Inverted | None]:
    """Return for each of the runs the one in which one of its assertions is inverted; None where there is none."""
    invert = kind_of(runs[0][0]).run.invert if runs else None
    nothing: list[Inverted | None] = [None] * len(runs)
    with suppress(Exception):  # a fault of ours, since no code of the submission runs: it costs nobody
        return invert(runs, attempt) if invert else nothing
    return nothing


def with_result(inverted: Inverted, found: Execution | HostError | None) -> Inverted:
    """Return an inverted run with what came of it, kept until it is known whether the one that counts passed."""
    with suppress(HostError):
        if isinstance(found, Execution):
            recorded = run.launch.with_record(found, inverted.case, inverted.launch)
            return replace(inverted, before=replace(recorded.bare, facts=recorded.facts))
    return inverted


def _run_further(
    execution: Execution, case: Case, launch: Launch, attempt: Attempt, unknown: dict[str, str]
) -> Execution:
    """Return what happened, with further runs; `unknown` has, by kind, why one showed nothing: it is not repeated."""
    for name in case.also:
        kind = KINDS[name]
        facts = kind.watch.after_run(execution, case, launch, attempt, unknown.get(name, ""))
        if facts is not None:
            unknown[name] = unknown.get(name, "") or facts.problem
            execution = replace(execution, also={**execution.also, name: facts})
    return execution


def asks_build(case: Case, spec: Spec) -> bool:
    """Whether a case starts the tool that builds, as `make clean` does: that asks about the student's own files."""
    builders = {command[0] for command in spec.build.run} if spec.build else set()
    return case.command is not None and case.command[0] in builders - _STARTERS


def as_ran(
    case: Case,
    launch: Launch,
    execution: Execution | HostError,
    attempt: Attempt,
    *,
    inverted: Inverted | None = None,
    right: Execution | None = None,
) -> Ran | NotRun:
    """Return what came of a case, with its part of the record, beside what the reference does, if that is `right`."""
    try:
        # The long ones are read again: all of them may be too much.
        expected = right or (reference_execution(case, attempt) if case.asks_reference else None)
        if isinstance(execution, HostError) or isinstance(expected, GraderError):
            raise execution if isinstance(execution, HostError) else HostError(str(expected))
        found = run.launch.with_record(execution, case, launch)
        return Ran(execution=found, expected=expected, launch=launch, inverted=inverted)
    except HostError as error:
        return NotRun(verdict=Verdict.UNGRADED, reason=str(error))


def reference_execution(
    case: Case, course: Course, conditions: oracle.conditions.AskingConditions | None = None
) -> Execution | GraderError:
    """Return the reference's execution in `case`, under these `conditions`, even unasked; or why there is none."""
    course = course.asked_in(case)
    files = course.reference_built
    if isinstance(files, HostError):
        return files
    own = partial(Course.execute, course)  # what the course runs is not the student's
    ask: dict[str, Any] = {"files": files, "run": own, "level": course.surroundings, "cache": course.cache}
    try:
        launch = run.launch.launch_reference(case, course.context_of(case))
        may_crash, toolchains = case.expect.crash == "allowed", course.toolchains.values()
        found = oracle.answers.ask_reference(
            launch, toolchains=toolchains, may_crash=may_crash, conditions=conditions, **ask
        )
        is_told = not conditions and launch.stdin and launch.stdin == case.stdin
        if is_told and case.tolerate.get("prompt") and _may_have_prompt(found.stdout, case.stdin):
            found = replace(found, prompt=_open_prompt(oracle.answers.output_without_input(launch, **ask)))
        return run.launch.with_record(found, case, launch)
    except GraderError as error:
        return error
