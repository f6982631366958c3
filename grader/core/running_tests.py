"""The stage of running: the cases of a test, in the order of the spec, each beside what the reference did.

What each case needs is planned before the first starts, so that nobody waits for a case that cannot be judged. An
execution is yielded when its case has ended, and not held here.
"""

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grader.core import judge, oracle, run
from grader.core.course import Course
from grader.core.errors import GraderError, HostError
from grader.core.lazy import lazy_call
from grader.core.model.execution import Execution, Launch
from grader.core.model.judgement import Examined, TestResult, Verdict
from grader.core.model.programs import PROGRAM_KINDS
from grader.core.model.spec import Case, CheckOptions, Spec, Test
from grader.core.model.submission import Artifact
from grader.core.text import TEXT_LIMIT
from grader.kinds import kind_named, kind_of
from grader.kinds.base import Divide, Inverted, Unprepared

_MAX_FRUITLESS_RUNS = 3
"""runs of a test in succession that tell of no case, after which its cases are run separately"""
_STARTERS = {"bash", "dash", "node", "perl", "ruby", *(kind.start[0] for kind in PROGRAM_KINDS.values() if kind.start)}
"""what starts programs of any kind"""

__all__ = ["NotRun", "Ran", "asks_build", "not_run", "reference_execution", "run_test"]


class Ran(Struct, frozen=True, kw_only=True):
    """A case that was run: what happened, and what the reference did, where that is asked for."""

    execution: Execution
    expected: Execution | None
    launch: Launch
    inverted: Inverted | None = None
    """a further run, which no honest program passes"""


class NotRun(Struct, frozen=True, kw_only=True):
    """A case without an execution to judge: its verdict, and the reason."""

    verdict: Verdict
    reason: str


def run_test(
    test: Test, artifact: Artifact | HostError, before: Sequence[TestResult], course: Course
) -> Generator[Ran | NotRun | Examined, None, None]:
    """Run the cases of a test, or of a part of one; `before` is what the tests that it needs came to.

    Every run of a case has a place of its own: as often as it is repeated, in each of its ways. Each is yielded when it
    has ended and is then dropped here: the outputs of a test's cases may be larger than the machine's memory.
    """
    needed = [done for done in before if done.test.name in test.needs]
    unknown = [done.test.name for done in needed if done.score is None]
    unmet = [done.test.name for done in needed if not judge.totals.meets_need(done, course.spec.once)]
    if isinstance(artifact, HostError):
        yield from not_run(test, Verdict.UNGRADED, str(artifact))
    elif not artifact.build.ok:
        verdict = Verdict.BUILD_FAILED if artifact.build.is_readable else Verdict.NOT_READABLE
        yield from not_run(test, verdict, artifact.build.message)
    elif unknown:
        # What was skipped has no points, and nobody knows whether this is to be skipped.
        are = "is" if len(unknown) == 1 else "are"
        yield from not_run(test, Verdict.UNGRADED, f"Not run, because {' and '.join(unknown)} {are} ungraded.")
    elif unmet:
        yield from not_run(test, Verdict.SKIPPED, f"Not run, because {' and '.join(unmet)} did not pass.")
    elif course.budget and course.budget.is_spent():
        yield from not_run(test, Verdict.SKIPPED, (course.budget or run.ledger.Ledger()).why_skipped(test.patience))
    elif course.work and course.work.is_used_up():
        yield from not_run(test, Verdict.UNGRADED, str(course.work.refusal()))
    elif unwritten := _unwritten_check(test):
        yield from not_run(test, Verdict.UNGRADED, f"{unwritten} is still to be written.")
    elif inspect := kind_of(test.cases[0]).inspect:
        yield from _inspect(inspect(test, artifact, course), test)
    elif run_cases := kind_of(test.cases[0]).run_cases:
        yield from run_cases(test, artifact, course)
    else:
        yield from _run_cases(test, artifact, course)


def _unwritten_check(test: Test) -> str:
    """Return the function of a check that an import left to be written, whatever a program does; "" where none is."""
    checks = (leaf.get(CheckOptions) for case in test.cases for _, leaf in case.texts)
    return next((check.function for check in checks if check.unwritten), "")


def _run_cases(test: Test, artifact: Artifact, course: Course) -> Iterator[Ran | NotRun]:
    # The reference comes first: without it there is nothing to compare a program with, and a student need not wait.
    files = _prepare_test(test, artifact, course)
    if isinstance(files, NotRun):
        yield from not_run(test, files.verdict, files.reason)
        return
    if not kind_of(test.cases[0]).shares_run(test.cases[0]):
        yield from _run_separately(test, artifact, course, files)
    elif divide := kind_of(test.cases[0]).divide_run:
        found = [_run_divided(test, artifact, course, files, divide) for _ in range(test.cases[0].repeat.times)]
        for case in test.cases:
            yield from (run[case.id] for run in found)
    else:
        yield from _run_shared(test, artifact, course, files)


def _run_separately(
    test: Test, artifact: Artifact, course: Course, files: Mapping[str, bytes]
) -> Iterator[Ran | NotRun]:
    ways = [way for case in test.cases for way in case.ways]
    planned = [_plan(way, artifact, course, files, is_alone=len(ways) == 1) for way in ways]
    runs = [one for one in planned for _ in range(one.case.repeat.times)]
    inverted = _invert([(one.case, one.launch) for one in runs if one.launch], course)
    started = list(_in_turn(inverted))
    patience = run.ledger.EarlyStop(
        most=test.patience,
        launches=[launch for _, launch, _ in started],
        cases=[case.id for case, _, _ in started],
        ledger=course.budget,
    )
    tell = partial(_tell_of_start, course, started)
    policy = run.measuring.RunPolicy(on_start=tell, should_stop=patience.is_lost)
    executions = course.measure_each(patience.launches, policy)
    unknown: dict[str, str] = {}
    others = iter(inverted)
    with closing(executions):
        for one in runs:
            if not one.launch:
                yield NotRun(verdict=Verdict.UNGRADED, reason=str(one.right))
                continue
            _, launch, other = next(others)
            if other and other.turn < 0:
                other = _with_result(other, next(executions, None))
            if (found := next(executions, None)) is None:
                yield NotRun(
                    verdict=Verdict.SKIPPED, reason=(course.budget or run.ledger.Ledger()).why_skipped(test.patience)
                )
                continue
            if course.budget:
                course.budget.charge_run(found)
            if isinstance(found, Execution):
                launch, found = _run_left(one.case, launch, found, course)
                found = _run_further(found, one.case, launch, course, unknown)
            if launch is not one.launch:  # what was inverted is another run
                ((_, _, other),) = _invert([(one.case, launch)], course)
            right = reference_execution(one.case, course) if one.is_long else one.right
            yield _as_ran(one.case, launch, found, right, other)
            del found, right  # what they wrote may be much


_WithInverted = tuple[Case, Launch, Inverted | None]


def _invert(runs: Sequence[tuple[Case, Launch]], course: Course) -> list[_WithInverted]:
    """Return the runs with those in which one of their assertions is inverted."""
    found: Sequence[Inverted | None] = [None] * len(runs)
    if runs and (invert := kind_of(runs[0][0]).invert):
        with suppress(Exception):  # a fault of ours, since no code of the submission runs: it costs nobody
            found = invert(runs, course)
    return [(case, launch, other) for (case, launch), other in zip(runs, found, strict=True)]


def _invert_all(cases: Sequence[Case], launch: Launch | None, course: Course) -> dict[str, Inverted]:
    """Return the id of each case of a shared run that is inverted -> the further run in which it alone is."""
    runs = _invert([(case, launch) for case in cases], course) if launch else []
    return {case.id: other for case, _, other in runs if other}


def _in_turn(runs: Sequence[_WithInverted]) -> Iterator[tuple[Case, Launch, bool]]:
    """Yield what is started, in its order, and whether it counts: an inverted run may come first."""
    for case, launch, other in runs:
        if other and other.turn < 0:
            yield case, other.launch, False
        yield case, launch, True


def _tell_of_start(course: Course, started: Sequence[tuple[Case, Launch, bool]], place: int) -> None:
    case, _, counts = started[place]
    if counts:
        course.on_case_start(case)


def _with_result(inverted: Inverted, found: Execution | HostError | None) -> Inverted:
    """Return an inverted run with what came of it, kept until it is known whether the one that counts passed."""
    if not isinstance(found, Execution):
        return inverted
    try:
        recorded = run.launch.with_record(found, inverted.case, inverted.launch)
    except HostError:
        return inverted
    return replace(inverted, before=replace(recorded.bare, facts=recorded.facts))


def _run_shared(test: Test, artifact: Artifact, course: Course, files: Mapping[str, bytes]) -> Iterator[Ran | NotRun]:
    """Run the command that all cases of a test share, as often as they are repeated."""
    one = _plan(test.cases[0], artifact, course, files, is_alone=True)
    if one.launch is None:
        yield from not_run(test, Verdict.UNGRADED, str(one.right))
        return

    def tell_of_all(_place: int) -> None:
        for case in test.cases:
            course.on_case_start(case)

    found = list(
        course.measure_each([one.launch] * one.case.repeat.times, run.measuring.RunPolicy(on_start=tell_of_all))
    )
    for execution in found:
        if course.budget:
            course.budget.charge_run(execution)
    for case in test.cases:
        for execution in found:
            begun = time.monotonic()
            ran = _as_ran(case, one.launch, execution, None)
            if course.work:  # a report may be long
                course.work.charge(time.monotonic() - begun)
            yield ran


def _run_divided(
    test: Test, artifact: Artifact, course: Course, files: Mapping[str, bytes], divide: Divide
) -> Mapping[str, Ran | NotRun]:
    """Run what the cases of a test share until each is known, and return what came of them by their ids.

    A run that ends in one of them is repeated without that one, which is run separately. After several runs in
    succession that told nothing new, so are all that are left.
    """
    results: dict[str, Ran | NotRun] = {}
    apart: set[str] = set()
    planned = (_plan(case, artifact, course, files, is_alone=True).launch for case in test.cases)
    launch = next(filter(None, planned), None)
    inverted = _run_inverted_first(_invert_all(test.cases, launch, course), course)
    for case in test.cases:
        course.on_case_start(case)
    left, whole, fruitless = test.cases, launch, 0
    while left and launch and fruitless < _MAX_FRUITLESS_RUNS and not (course.budget and course.budget.is_spent()):
        (found,) = course.measure_each([launch])
        if isinstance(found, HostError):
            reason = str(found)
            return {case.id: NotRun(verdict=Verdict.UNGRADED, reason=reason) for case in test.cases} | results
        if course.budget:
            course.budget.charge_run(found)
        part = divide(left, launch, found)
        if launch is not whole:  # what was inverted is another run
            inverted = _invert_all(part.known, launch, course)
        for case in part.known:
            results[case.id] = _as_ran(case, launch, found, _right_of(case, course), inverted.get(case.id))
        apart |= {case.id for case in part.apart}
        left = tuple(case for case in left if case.id not in results.keys() | apart)
        fruitless = 0 if part.known else fruitless + 1
        launch = part.rest
    separate = kind_of(test.cases[0]).separate
    others = tuple(separate(case) for case in test.cases if case.id not in results)
    if others:
        ran = _run_separately(replace(test, cases=others), artifact, course, files)
        results |= {case.id: one for case, one in zip(others, ran, strict=True)}
    return results


def _run_inverted_first(inverted: Mapping[str, Inverted], course: Course) -> dict[str, Inverted]:
    """Run what comes before the run that counts, in the order that was drawn; return all with what came of them."""
    found = dict[str, Inverted]()
    for name, one in sorted(inverted.items(), key=lambda item: item[1].turn):
        found[name] = one
        if one.turn < 0 and not course.is_work_scarce:
            (happened,) = course.measure_each([one.launch])
            found[name] = _with_result(one, happened)
    return found


def _right_of(case: Case, course: Course) -> Execution | GraderError | None:
    return reference_execution(case, course) if case.asks_reference else None


def _run_left(case: Case, launch: Launch, execution: Execution, course: Course) -> tuple[Launch, Execution]:
    """Return the run that tells of all parts of a case, and what was started for it, as far as there is time for it."""
    rest = kind_of(case).run_left(case, launch, execution)
    while rest and not (course.budget and course.budget.is_spent()):
        (found,) = course.measure_each([rest])
        if isinstance(found, HostError):
            break
        if course.budget:
            course.budget.charge_run(found)
        launch, execution = rest, found
        rest = kind_of(case).run_left(case, launch, execution)
    return launch, execution


def _run_further(
    execution: Execution, case: Case, launch: Launch, course: Course, unknown: dict[str, str]
) -> Execution:
    """Return what happened with what further runs show, where the case asks for them.

    `unknown` has, by kind, why nothing is known of an earlier case: what lasts too long is not waited for again.
    """
    for name in case.also:
        kind = kind_named(name)
        facts = kind.after_run(execution, case, launch, course, unknown.get(name, "")) if kind.after_run else None
        if facts is not None:
            unknown[name] = unknown.get(name, "") or kind.unknown(facts)
            execution = replace(execution, also={**execution.also, name: facts})
    return execution


def _prepare_test(test: Test, artifact: Artifact, course: Course) -> Mapping[str, bytes] | NotRun:
    """Return the files that the cases of a test need besides the built work."""
    prepare_test = kind_of(test.cases[0]).prepare_test
    try:
        return prepare_test(test, artifact, course) if prepare_test else {}
    except HostError as error:
        return NotRun(verdict=Verdict.UNGRADED, reason=str(error))
    except Unprepared as problem:
        return NotRun(verdict=Verdict.BUILD_FAILED, reason=str(problem))


class _Planned(Struct, frozen=True, kw_only=True):
    """A case in one of its ways that is to be run: what is started, and what the reference does."""

    case: Case
    launch: Launch | None
    """None where the reference's execution is unknown"""
    right: Execution | GraderError | None
    """None where that is not asked for"""
    is_long: bool = False
    """whether it is too long to stay in memory with those of other cases; it is then read again when needed"""


def _plan(case: Case, artifact: Artifact, course: Course, files: Mapping[str, bytes], *, is_alone: bool) -> _Planned:
    right = _right_of(case, course)
    if isinstance(right, GraderError):
        return _Planned(case=case, launch=None, right=right)
    folder = _case_folder(case, artifact, course)
    token = course.recall.token if course.recall else ""
    context = replace(course.context_of(case), folder=folder, charged=artifact.charged, files=files, token=token)
    try:
        launch = run.launch.launch_case(case, context, course.toolchain, right=right)
    except HostError as error:
        return _Planned(case=case, launch=None, right=error)
    is_long = right is not None and right.size > TEXT_LIMIT and not is_alone
    return _Planned(case=case, launch=launch, right=None if is_long else right, is_long=is_long)


def _inspect(found: Iterator[Examined], test: Test) -> Iterator[NotRun | Examined]:
    """Yield the results of the source checks, or why there are none."""
    try:
        yield from found
    except HostError as error:
        yield from not_run(test, Verdict.UNGRADED, str(error))


def not_run(test: Test, verdict: Verdict, reason: str) -> list[NotRun]:
    """Return that no case of a test was run, and why."""
    return [NotRun(verdict=verdict, reason=reason) for case in test.cases for _ in range(case.runs)]


def _case_folder(case: Case, artifact: Artifact, course: Course) -> Path:
    """Return where the files of a case are: the work as it was handed in, where it is that which is asked about."""
    return artifact.handed_in if artifact.handed_in and asks_build(case, course.spec) else artifact.folder


def asks_build(case: Case, spec: Spec) -> bool:
    """Whether a case starts the tool that builds, as `make clean` does: that asks about the student's own files.

    What starts any program, such as a shell, says nothing of that.
    """
    builders = {command[0] for command in spec.build.run} if spec.build else set()
    return case.command is not None and case.command[0] in builders - _STARTERS


def _as_ran(
    case: Case,
    launch: Launch,
    execution: Execution | HostError,
    expected: Execution | GraderError | None,
    inverted: Inverted | None = None,
) -> Ran | NotRun:
    if isinstance(execution, HostError):
        return NotRun(verdict=Verdict.UNGRADED, reason=str(execution))
    if isinstance(expected, GraderError):
        return NotRun(verdict=Verdict.UNGRADED, reason=str(expected))
    try:
        found = run.launch.with_record(execution, case, launch)
        return Ran(execution=found, expected=expected, launch=launch, inverted=inverted)
    except HostError as error:
        return NotRun(verdict=Verdict.UNGRADED, reason=str(error))


_may_have_prompt = lazy_call("grader.core.deviations.prompts", "may_have_prompt")
_open_prompt = lazy_call("grader.core.deviations.prompts", "open_prompt")


def reference_execution(
    case: Case, course: Course, conditions: oracle.conditions.AskingConditions | None = None
) -> Execution | GraderError:
    """Return the reference's execution in `case`, even if that does not require it; or why there is none.

    With `conditions` it is asked once more, under these, and cached apart.
    """
    course = course.asked_in(case)
    if isinstance(course.reference_built, HostError):
        return course.reference_built
    try:
        launch = run.launch.launch_reference(case, course.context_of(case))
        own = replace(course, work=None)  # what the course runs is not the student's
        ask: dict[str, Any] = {"run": own.execute, "level": course.surroundings, "cache": course.cache}
        found = oracle.answers.ask_reference(
            launch,
            files=course.reference_built,
            toolchains=course.toolchains.values(),
            may_crash=case.expect.crash == "allowed",
            conditions=conditions,
            **ask,
        )
        is_told = not conditions and launch.stdin and launch.stdin == case.stdin
        if is_told and case.tolerate.get("prompt") and _may_have_prompt(found.stdout, case.stdin):
            prompt = _open_prompt(oracle.answers.output_without_input(launch, files=course.reference_built, **ask))
            found = replace(found, prompt=prompt)
        return run.launch.with_record(found, case, launch)
    except GraderError as error:
        return error
