"""What is right: for each case an execution that has full credit, of the reference or of a right sample.

The reference runs wherever it can replace a student's program: everywhere but for another command, or for functions
that it lacks. Elsewhere a sample with full marks shows what is right. The time of a sample, else of the reference,
shows whether the limits fit.

Answers are cached, so one that depends on the time, on chance or on the working folder would never be noticed. So the
reference is asked a second time, under other conditions. That answer is judged against the first as a student's is, so
what a case tolerates is no difference. Where they differ, further runs change one condition at a time.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from grader.core import run
from grader.core.errors import CourseProgramError, GraderError, HostError
from grader.core.kind import kind_of
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, RunFacts, SandboxPlace
from grader.core.model.layout import contents_of, unread
from grader.core.model.limits import Limits
from grader.core.model.report import CaseResult, Judgement, Verdict
from grader.core.model.spec import Case, Test
from grader.core.oracle.answers import AskingConditions, Clock, clock_library_for, one_processor
from grader.core.pipeline import Course, judged, reference_execution
from grader.core.reader.files import read_data
from grader.core.text import one_line, quote_difference
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
    before = [given(earlier) for earlier in test.earlier(case)] if test else []
    around = (sorted(case.env.items()), sorted(case.files.items()), case.terminal, case.both)
    return repr((case.command, case.args, case.stdin, around, case.kind, case.payload and case.payload.given, before))


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
    answer = reference_execution(case, course)
    # It is no fault that the reference has not what nobody asks it for.
    excuse = "" if case.asks_reference else kind_of(case).excuse_reference(case, course.spec, answer)
    if isinstance(answer, GraderError):
        wrote = " | ".join(answer.output.splitlines()) if isinstance(answer, CourseProgramError) else ""
        return replace(unasked, error=f"{answer}; it wrote: {wrote}" if wrote else str(answer), is_apart=excuse)
    if excuse:
        return replace(unasked, is_apart=excuse)
    try:
        result = judged(case, answer, answer if case.asks_reference else None, course, of_reference=True)
    except GraderError as error:
        return replace(unasked, error=str(error), is_apart="")
    return replace(unasked, execution=answer, result=result)


# ---------------------------------------------------------------- the second answer

MAX_GENERATED = 5  # generated cases of a test that are asked a second time
_RETRIES = 2  # of a run that fails, under conditions that are the same
_MAX_TEXT = 300  # characters of a message about an answer
# What of an execution is judged: most second answers are the first one again, and need no judge.
_JUDGED = "status signal limit stdout stderr names files stop transcript interaction facts also"

_CHANCE = "the time, on chance, on an address in memory or on the order of a hash table"
_PROCESSORS, _LOCALE, _TIME = "the number of processors", "the locale", "the time"
CAUSES: Mapping[str, Mapping[str, Any]] = read_data(Path(__file__).with_name("second_answers.yaml"))
"""on what an answer may depend -> its `cure`, `change` and `control`, which are described there"""
# What a source names that may ask for the time: only then another second is waited for.
_NAMES_TIME = lazy_regex(rb"(?i:time|(?<!up)(?<!vali)(?<!candi)date|clock|today|year)|\b[Nn]ow\b|Now")
_AT_FULL = frozenset((*SandboxPlace.__struct_fields__, "is_child"))  # what can be changed at the level `full` alone


def reference_results(course: Course, jobs: int) -> tuple[ReferenceResult, ...]:
    """Return the answers of `ask_all`, with what a second answer of the reference leaves in doubt.

    Of the generated cases of a test a few are asked again, of all others each.
    """
    answers = ask_all(course, jobs)
    if not (chosen := places_to_ask_again(answers)):
        return answers
    asker = _SecondAsker(course)
    tasks = [partial(asker.ask_once_more, answers[at]) for at in chosen]
    asked = dict(zip(chosen, in_order(tasks, jobs, course.cancelled.set), strict=True))
    return tuple(asked.get(at, answer) for at, answer in enumerate(answers))


def find_doubt(case: Case, first: Execution, course: Course) -> AnswerDoubt | None:
    """Return in what a second answer of the reference to one case differs from its `first`; None when it does not."""
    answer = ReferenceResult(test=course.spec.tests[0], case=case, execution=first)
    return _SecondAsker(course).ask_once_more(answer).doubt


def places_to_ask_again(answers: Sequence[ReferenceResult]) -> list[int]:
    """Return the places of those that are asked again: of one that cannot be started, only the message differs."""
    groups: dict[object, list[int]] = {}
    for at, answer in enumerate(answers):
        if answer.execution and answer.result and answer.result.cause != "cannot-start":
            groups.setdefault(answer.test.name if answer.case.is_generated else at, []).append(at)
    return [at for group in groups.values() for at in group[:: -(-len(group) // MAX_GENERATED)]]


class _SecondAsker:
    """Asks the reference of a course again, and compares what it answers as the cases do."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._causes = dict[str, tuple[str, ...]]()  # of the first doubt in each test
        specs = [course.spec.with_reference(name) for name in ("", *course.spec.references)]
        files = () if isinstance(course.reference, HostError) else course.reference.values()
        self._sources = [*files, *(" ".join(spec.reference or ()).encode() for spec in specs)]
        self._is_full = course.sandbox.info.level == "full"
        self._has_clock = self._is_full and bool(self._library("past"))
        is_changed = {_PROCESSORS: one_processor() or self._has_clock, _TIME: self._has_clock}
        self._changes = {
            cause: row["change"]
            for cause, row in CAUSES.items()
            if is_changed.get(cause, True) and (self._is_full or _AT_FULL.isdisjoint(row["change"]))
        }
        if not self._has_clock and any(map(_NAMES_TIME.search, self._sources)):
            time.sleep(1 - time.time() % 1)

    def _library(self, clock: Clock) -> bytes:
        """Return what shows another time to a program, and the processors that it may use for all; perhaps nothing."""
        course = self._course
        return clock_library_for(clock, level=course.surroundings, cache=course.cache, run=course.execute)

    def _conditions(self, *causes: str, **more: Any) -> AskingConditions:
        """Return the conditions of a plain run in which something is changed for each of these causes."""
        changes = ({"hash_seed": 1}, *map(self._changes.__getitem__, causes), more)
        changed: dict[str, Any] = {name: value for change in changes for name, value in change.items()}
        changed |= {"processors": one_processor()} if "processors" in changed else {}
        if self._has_clock and "clock" in changed:
            changed["clock_library"] = self._library(changed["clock"])
        place = {name: changed.pop(name) for name in SandboxPlace.__struct_fields__ if name in changed}
        return AskingConditions(place=SandboxPlace(**place), **changed)

    def ask_once_more(self, answer: ReferenceResult) -> ReferenceResult:
        """Return an answer with the second one, if that is another."""
        first, case, name = answer.execution or Execution(), answer.case, answer.test.name
        conditions = self._conditions(*self._causes_in(case, first))
        # One run for all cases of the test mostly says the same; where it does not, the case is asked alone.
        shared = case.payload.for_one_run if case.payload and not case.stdin else None
        if shared and not self._differ(case, first, self._ask(replace(case, payload=shared), conditions)):
            return replace(answer, is_asked_twice=True)
        second = self._ask(case, conditions)
        if isinstance(second, HostError) and not isinstance(second, CourseProgramError):
            return answer  # of this machine, which says nothing of the reference
        if self._differ(case, first, second):
            causes = self._causes[name] = self._causes.get(name) or self._find_causes(case, first, conditions)
            if causes:
                once, again = self._show(case, first, second)
                answer = replace(answer, doubt=AnswerDoubt(first=once, second=again, causes=causes))
        return replace(answer, is_asked_twice=True)

    def _causes_in(self, case: Case, first: Execution) -> Sequence[str]:
        """Return what can be changed; the locale where nothing has a letter beyond ASCII: each run is in UTF-8."""
        given = [unread(case, "stdin"), *contents_of(case.files).values(), *map(str.encode, case.args)]
        seen = [*self._sources, *given, first.stdout, first.stderr, *first.files.values()]
        is_ascii = all(isinstance(content, bytes) and content.isascii() for content in seen)
        return [cause for cause in self._changes if cause != _LOCALE or is_ascii]

    def _ask(self, case: Case, conditions: AskingConditions) -> Execution | GraderError:
        """Return what the reference does.

        What a program sees of the means by which the conditions are brought about is no answer: it is asked without.
        """
        answer = reference_execution(case, self._course, conditions)
        written = [answer.stdout, answer.stderr, *answer.files.values()] if isinstance(answer, Execution) else []
        unseen = conditions.hidden_from(b"\n".join(written) or f"{answer} {getattr(answer, 'output', '')}".encode())
        if unseen != conditions:
            answer = reference_execution(case, self._course, unseen)
        for retry in range(1, _RETRIES + 1):
            if isinstance(answer, CourseProgramError):  # of which a busy machine may have been the cause
                answer = reference_execution(case, self._course, replace(unseen, turn=conditions.turn + retry))
        return answer

    def _differ(self, case: Case, first: Execution | GraderError, second: Execution | GraderError) -> bool:
        """Whether two runs are two answers, by what the case compares."""
        if isinstance(first, GraderError) or isinstance(second, GraderError):
            return isinstance(first, GraderError) != isinstance(second, GraderError)
        if all(getattr(first, name) == getattr(second, name) for name in _JUDGED.split()):
            return False
        before, after = (self._judge(case, first, run) for run in (first, second))
        return before is not None and after is not None and after.credit != before.credit

    def _judge(self, case: Case, first: Execution, second: Execution) -> CaseResult | None:
        """Judge the second answer, with the first as what is expected; None where that fails, as a check may."""
        try:
            return judged(case, second, first if case.asks_reference else None, self._course, of_reference=True)
        except GraderError:
            return None

    def _show(self, case: Case, first: Execution, second: Execution | GraderError) -> tuple[str, str]:
        """Return the two answers, a line each, where they first differ."""
        if isinstance(second, GraderError):
            return "it came to an end", one_line(str(second), _MAX_TEXT)
        runs, names = (first, second), sorted({*first.files, *second.files})
        seen = (
            (run.stdout, run.stderr, *(run.files.get(name, b"") for name in names), "\n".join(run.names).encode())
            for run in runs
        )
        ends = [f"exit status {run.shell_exit_status}".encode() for run in runs if case.expect.exit != "any"]
        for once, again in (pair for pair in (ends, *zip(*seen, strict=True)) if len({*pair}) > 1):
            lines = zip_longest(once.splitlines(), again.splitlines(), fillvalue=b"")
            return quote_difference(*next((pair for pair in lines if pair[0] != pair[1]), (once, again)))
        results = (self._judge(case, first, run) for run in runs)
        messages = [one_line(result.message.text, _MAX_TEXT) if result else "" for result in results]
        return messages[0] or "it was right", messages[1] or "it was right"

    def _find_causes(self, case: Case, first: Execution, conditions: AskingConditions) -> tuple[str, ...]:
        """Return on what the answers in a test depend, as ends of a sentence; none where our clock alone is to blame.

        That is each change with which alone the answer is another, where it is the same without any.
        """
        chance = (_CHANCE if self._is_full else f"{_CHANCE}, or on the folder in which it runs",)
        once, again = (self._ask(case, self._conditions(turn=turn)) for turn in (11, 21))
        if self._differ(case, once, again):
            return chance
        causes = tuple(cause for cause in self._causes_in(case, first) if self._depends_on(cause, case, once))
        if conditions.clock_library and not causes:
            ways = replace(conditions, clock=None, clock_library=b""), replace(conditions, turn=31)
            seen = [self._differ(case, first, self._ask(case, way)) for way in ways]
            return () if seen == [False, True] else chance
        # Once more for each: what is left to chance may differ by accident in any of them.
        later = (self._ask(case, self._conditions(turn=turn)) for turn in range(31, 31 + 10 * len(causes), 10))
        return causes if causes and not any(self._differ(case, once, answer) for answer in later) else chance

    def _depends_on(self, cause: str, case: Case, once: Execution | GraderError) -> bool:
        """Whether the answer is another one where this alone is changed; `once` is that of a plain run."""
        if self._has_clock and (control := CAUSES[cause].get("control")):
            once = self._ask(case, self._conditions(clock=control))
        return self._differ(case, once, self._ask(case, self._conditions(cause)))


# ---------------------------------------------------------------- what is right


def scenes(
    answers: Iterable[ReferenceResult], reports: Sequence[Judgement]
) -> tuple[tuple[Scene, ...], tuple[str, ...]]:
    """Return the cases of which a right execution is known, and the ids of the others.

    Of the executions in reports of right samples, those without any deviation come first.
    """
    known: list[Scene] = []
    unknown: list[str] = []
    for answer in answers:
        test, case, right = answer.test, answer.case, answer.execution if answer.shows_right else None
        if not (by_reference := right is not None):
            results = (result for own, result in _passed_cases(reports) if own == case)
            best = min(results, key=lambda result: len(result.deviations), default=None)
            right = best.whole if best else None
        expected = answer.execution if case.asks_reference else None
        if right is None or (case.asks_reference and expected is None):
            unknown.append(case.id)
            continue
        if right.status != 0 and case.expect.exit == "any":  # what failed of our ending its input says nothing
            right = right.truncated_to_script_end
        same = given(case, test)
        known.append(Scene(test=test, case=case, right=right, expected=expected, by_reference=by_reference, given=same))
    return tuple(known), tuple(unknown)


def _passed_cases(reports: Sequence[Judgement]) -> Iterator[tuple[Case, CaseResult]]:
    """Yield the cases that right samples passed."""
    for test in (test for report in reports for test in report.tests):
        yield from (pair for pair in zip(test.test.cases, test.cases, strict=True) if pair[1].verdict == Verdict.PASSED)


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
    return cpu if execution.transcript else min(cpu, wall, key=lambda limit: limit.ratio)


class Timing(Struct, frozen=True, kw_only=True, rename={"is_tight": "tight"}):
    """What the cases of one test take, in seconds on the wall, and what they may."""

    test: str
    reference: float | None  # the most that the reference took; None when it was not asked
    sample: float | None  # the most that a right sample took; None when there is none
    limit: float  # of the case that is nearest to it
    ratio: float | None  # the limit over what a right program took, of time or of processor time, whichever is less
    is_tight: bool  # whether a right program may well run into a limit


def timings(course: Course, answers: Iterable[ReferenceResult], reports: Sequence[Judgement]) -> Iterator[Timing]:
    """Yield the timing of every test; `reports` are those of right samples."""
    known = {answer.case.id: answer.execution for answer in answers if answer.execution and answer.is_timed}
    for test in course.spec.tests:
        limits = {case.id: run.runner.limits_of(course.toolchain.limits, case.limits) for case in test.cases}
        asked = [(name, known[name]) for name in limits if name in known]
        ran = [(case.id, result.run) for case, result in _passed_cases(reports) if result.run and case in test.cases]
        nearest = [(nearest_limit(execution, limits[name]), limits[name].time) for name, execution in ran or asked]
        usual = limits[test.cases[0].id].time
        ratio, limit = min(((near.ratio, time) for near, time in nearest), default=(None, usual))
        yield Timing(
            test=test.name,
            limit=limit,
            reference=max((execution.time for _, execution in asked), default=None),
            sample=max((execution.time for _, execution in ran), default=None),
            ratio=ratio,
            is_tight=any(near.is_tight for near, _ in nearest),
        )
