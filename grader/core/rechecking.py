"""Further runs of a case that was judged: `Kind.recheck`, `Kind.find_course_fault` and `Kind.explain_crash` say how.

One that passed may run in a way in which no honest program passes; one that failed, without the submission, to see
whether the course's own test is at fault; one that crashed, under a tool that sees why.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from grader.core import run
from grader.core.course import Course
from grader.core.diagnosis import ReadLine
from grader.core.errors import GraderError
from grader.core.model import FORGED, Case, CaseResult, Execution, Finding, Launch, TestResult, Verdict
from grader.core.text import count
from grader.kinds import all_kinds, kind_of
from grader.kinds.base import PassedRun, Rechecking

_NEUTRAL = "This case could not be graded automatically. The staff of the course look at it."
"""what a student reads: an accusation is the staff's to make"""
_MAX_FINDINGS = 5


def explain_crash(execution: Execution, launch: Launch, result: CaseResult, course: Course, read_line: ReadLine) -> str:
    """Return why a signal ended a run, for `Execution.crash_cause`; "" where it did not, and where that is unknown."""
    if result.verdict is not Verdict.CRASHED or execution.signal is None or course.retries is None:
        return ""
    is_work_scarce = course.work is not None and course.work.left < course.work.allowed / 2  # it is for the other cases
    if not course.retries.crash_explanations or is_work_scarce or course.sandbox.info.level == "container":
        return ""
    course.retries.crash_explanations -= 1
    explained = (kind.explain_crash for kind in all_kinds() if kind.explain_crash)
    return next(filter(None, (explain(execution, launch, course.execute, read_line) for explain in explained)), "")


class Recheckable(Struct, frozen=True, kw_only=True):
    """The result of a run that passed, or in part, until it is known which others of its test did."""

    result: CaseResult
    passed: PassedRun
    judge_run: Callable[..., CaseResult]


def recheckable(
    result: CaseResult, case: Case, launch: Launch, execution: Execution, judge_run: Callable[..., CaseResult]
) -> CaseResult | Recheckable:
    """Return a result with what it takes to check it by further runs, where its kind does that."""
    if kind_of(case).recheck is None or result.verdict not in (Verdict.PASSED, Verdict.PARTIAL):
        return result
    bare = replace(execution.bare, facts=execution.facts)
    return Recheckable(result=result, passed=PassedRun(case=case, launch=launch, execution=bare), judge_run=judge_run)


def recheck_pass(
    first: Recheckable,
    passed: Sequence[PassedRun],
    *,
    course: Course,
    ask: Callable[[Case, Course], Execution | GraderError],
) -> CaseResult:
    """Return the result of a case; ungraded where it passed, and passes too where no honest program can.

    `passed` are all runs of its test that passed. `ask` asks the reference.
    """
    case, launch, result = first.passed.case, first.passed.launch, first.result

    def run_again(again: Launch) -> CaseResult:
        return first.judge_run(execution=run.with_record(course.execute(again), case, again))

    further = Rechecking(run_again=run_again, ask=lambda other: ask(other, course), passed=passed)
    recheck = kind_of(case).recheck
    try:
        reason = (
            recheck(case, launch, replace(result, execution=first.passed.execution), course, further) if recheck else ""
        )
    except GraderError:  # a machine without time or room for a further run is no reason to doubt anybody
        return result
    except Exception as error:  # noqa: BLE001 - a fault of the judge makes this case ungraded, and no other
        fault = f"a fault of the grader: {type(error).__name__}: {error}"
        return replace(result, verdict=Verdict.UNGRADED, credit=Fraction(0), message=fault)
    if not reason:
        return result
    return replace(result, verdict=Verdict.UNGRADED, credit=Fraction(0), message=_NEUTRAL, forged=reason)


def excuse_failure(
    case: Case,
    launch: Launch,
    execution: Execution,
    result: CaseResult,
    *,
    course: Course,
    ask: Callable[[Case, Course], Execution | GraderError],
) -> CaseResult:
    """Return the result of a case; ungraded where it failed for a fault of the course's, whatever was handed in.

    `ask` asks the reference.
    """
    find = kind_of(case).find_course_fault
    if find is None or result.verdict not in (Verdict.FAILED, Verdict.CRASHED, Verdict.PARTIAL):
        return result
    try:
        fault = find(case, launch, execution, course, lambda: ask(case, course))
    except GraderError:  # nothing is proved
        return result
    return replace(result, verdict=Verdict.UNGRADED, credit=Fraction(0), message=fault) if fault else result


def list_forged(results: Sequence[TestResult]) -> tuple[Finding, ...]:
    """Return what the staff has to know of the cases whose passes are not believed."""
    forged = [case for result in results for case in result.cases if case.forged]
    messages = [f"{case.id} {case.forged}" for case in forged[:_MAX_FINDINGS]]
    if (more := len(forged) - _MAX_FINDINGS) > 0:
        messages.append(f"the same is so in {count(more, 'more case')}")
    return tuple(Finding(kind=FORGED, message=message) for message in messages)
