"""What is right: for each case an execution that has full credit, of the reference or of a right sample.

The reference runs wherever it can replace a student's program: everywhere but for another command, or for functions
that it lacks. Elsewhere a sample with full marks shows what is right. The time of a sample, else of the reference,
shows whether the limits fit.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from grader.core import run
from grader.core.errors import CourseProgramError, GraderError
from grader.core.kind import kind_of
from grader.core.model.execution import Execution, RunFacts
from grader.core.model.limits import Limits
from grader.core.model.report import CaseResult, Judgement, Verdict
from grader.core.model.spec import Case, Test
from grader.core.pipeline import Course, judged, reference_execution
from grader.core.threads import in_order


class AnswerDoubt(Struct, frozen=True, kw_only=True):
    """That the reference gave another answer when it was asked again."""

    first: str  # the answer in a line, where it differs
    second: str
    causes: tuple[str, ...] = ()  # on what it depends, as ends of a sentence


class ReferenceResult(Struct, frozen=True, kw_only=True):
    """What the reference did in a case, as if it were handed in."""

    test: Test
    case: Case
    execution: Execution | None = None  # None when it was not asked, or failed
    result: CaseResult | None = None  # how its execution is judged
    error: str = ""  # why its result is unknown
    is_apart: str = ""  # why it cannot stand for a program here; empty when it can
    is_asked_twice: bool = False
    doubt: AnswerDoubt | None = None  # None when it was not asked twice, or gave the same answer

    is_right = property(lambda self: self.result is not None and self.result.credit == 1)  # by its credit
    shows_right = property(lambda self: not self.is_apart and self.is_right and not self.result.deviations)
    is_wrong = property(lambda self: not self.is_apart and not self.is_right)  # where it should be right
    is_timed = property(lambda self: self.case.payload is None or bool(self.case.payload.is_timed))  # as a program is


class Scene(Struct, frozen=True, kw_only=True):
    """A case with a right execution, from which wrong ones are made."""

    test: Test
    case: Case
    right: Execution
    expected: Execution | None  # what the reference does, if the case asks for it
    by_reference: bool  # whether `right` is the reference's own, so that a change of its source can be seen here
    given: str  # all that a program is given: no program can distinguish cases with the same


def given(case: Case, test: Test | None = None) -> str:
    """Return all that a program is given in a case of a test, in one text; in order also what it was given before."""
    before = [given(one) for one in test.earlier(case)] if test else []
    around = (sorted(case.env.items()), sorted(case.files.items()), case.terminal, case.both)
    payload = case.payload and case.payload.given
    return repr((case.command, case.args, case.stdin, around, case.kind, payload, before))


def ask_all(course: Course, jobs: int) -> tuple[ReferenceResult, ...]:
    """Run the reference in every case where it can replace a program or is required, `jobs` at a time."""
    # Where it has no answer, the source of the reference is another, and may be in another language.
    cases = [(test, case) for test in course.spec.tests for case in test.cases if kind_of(case).has_answer]
    ways = ((test, way) for test, case in cases for way in (case.ways if course.spec.has_references else (case,)))
    return tuple(in_order((partial(_ask, test, way, course) for test, way in ways), jobs, course.cancelled.set))


def _ask(test: Test, case: Case, course: Course) -> ReferenceResult:
    apart = "" if course.spec.reference_name(case) is not None else "it is another command than the program"
    apart = apart if course.spec.has_references else "there is no reference"
    unasked = ReferenceResult(test=test, case=case, is_apart=apart)
    if unasked.is_apart and not case.asks_reference:
        return unasked
    found = reference_execution(case, course)
    # It is no fault that the reference has not what nobody asks it for.
    excuse = "" if case.asks_reference else kind_of(case).excuse_reference(case, course.spec, found)
    if isinstance(found, GraderError) or excuse:
        return replace(unasked, error=_message_for_author(found), is_apart=excuse)
    try:
        result = judged(case, found, found if case.asks_reference else None, course, of_reference=True)
    except GraderError as error:
        return replace(unasked, error=str(error), is_apart="")
    return replace(unasked, execution=found, result=result)


def _message_for_author(found: Execution | GraderError) -> str:
    if isinstance(found, CourseProgramError) and found.output:
        return f"{found}; it wrote: {' | '.join(found.output.splitlines())}"
    return str(found) if isinstance(found, GraderError) else ""


def scenes(
    answers: Iterable[ReferenceResult], reports: Sequence[Judgement]
) -> tuple[tuple[Scene, ...], tuple[str, ...]]:
    """Return the cases of which a right execution is known, and the ids of the others.

    Of the executions in reports of right samples, those without any deviation come first.
    """
    found: list[Scene] = []
    unknown: list[str] = []
    for one in answers:
        test, case, right = one.test, one.case, one.execution if one.shows_right else None
        if not (by_reference := right is not None):
            results = (result for own, result in _passed(reports) if own == case)
            best = min(results, key=lambda result: len(result.deviations), default=None)
            right = best.whole if best else None
        expected = one.execution if case.asks_reference else None
        if right is None or (case.asks_reference and expected is None):
            unknown.append(case.id)
            continue
        if right.status != 0 and case.expect.exit == "any":  # what failed of our ending its input says nothing
            right = right.truncated_to_script_end
        same = given(case, test)
        found.append(Scene(test=test, case=case, right=right, expected=expected, by_reference=by_reference, given=same))
    return tuple(found), tuple(unknown)


def _passed(reports: Sequence[Judgement]) -> Iterator[tuple[Case, CaseResult]]:
    """Yield the cases that right samples passed."""
    for test in (test for report in reports for test in report.tests):
        pairs = zip(test.test.cases, test.cases, strict=True)
        yield from (pair for pair in pairs if pair[1].verdict == Verdict.PASSED)


# ---------------------------------------------------------------- the time limits

ROOM = 3  # how many times what a right program takes a limit has to be: students' machines and programs differ
_MIN_TAKEN = 0.1  # seconds: a program that takes less says nothing about longer time limits


class NearestLimit(Struct, frozen=True, kw_only=True):
    """The one of its limits that a program came nearest to, both in seconds."""

    clock: Literal["of processor time", "on the wall"]
    taken: float
    limit: float

    ratio = property(lambda self: self.limit / max(self.taken, 1e-3))  # how many times the program could have gone on
    is_exceeded = property(lambda self: self.limit <= self.taken)

    @property
    def is_tight(self) -> bool:
        """Whether a right program may well run into it."""
        return (self.taken >= _MIN_TAKEN or self.limit <= _MIN_TAKEN) and self.limit < ROOM * self.taken


def nearest_limit(execution: RunFacts, limits: Limits) -> NearestLimit:
    """Return the limit that the program came nearest to: in a dialogue that of processor time, for somebody waits."""
    cpu = NearestLimit(clock="of processor time", taken=execution.cpu, limit=limits.cpu)
    wall = NearestLimit(clock="on the wall", taken=execution.time, limit=limits.time)
    return cpu if execution.transcript else min(cpu, wall, key=lambda one: one.ratio)


class Timing(Struct, frozen=True, kw_only=True, rename={"is_tight": "tight"}):
    """What the cases of one test take, in seconds on the wall, and what they may."""

    test: str
    reference: float | None  # the most that the reference took; None when it was not asked
    sample: float | None  # the most that a right sample took; None when there is none
    limit: float  # of the case that is nearest to it
    ratio: float | None  # the limit over what a right program took, of time or of processor time, whichever is less
    is_tight: bool  # whether a right program may well run into a limit


def timings(course: Course, answers: Iterable[ReferenceResult], reports: Sequence[Judgement]) -> tuple[Timing, ...]:
    """Return the timing of every test; `reports` are those of right samples."""
    known = {one.case.id: one.execution for one in answers if one.execution and one.is_timed}
    found = []
    for test in course.spec.tests:
        limits = {case.id: run.runner.limits_of(course.toolchain.limits, case.limits) for case in test.cases}
        asked = [(name, known[name]) for name in limits if name in known]
        passed = [(case.id, result.run) for case, result in _passed(reports) if case in test.cases]
        ran = [(name, execution) for name, execution in passed if execution]
        nearest = [(nearest_limit(execution, limits[name]), limits[name].time) for name, execution in ran or asked]
        ratio, limit = min(((one.ratio, time) for one, time in nearest), default=(None, limits[test.cases[0].id].time))
        found.append(
            Timing(
                test=test.name,
                limit=limit,
                reference=max((execution.time for _, execution in asked), default=None),
                sample=max((execution.time for _, execution in ran), default=None),
                ratio=ratio,
                is_tight=any(one.is_tight for one, _ in nearest),
            )
        )
    return tuple(found)
