"""A case that passed and is run again in a way in which no honest program passes: `Kind.recheck` says how."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from msgspec.structs import replace

from grader.core import run
from grader.core.course import Course
from grader.core.errors import GraderError, GradingStoppedError
from grader.core.model import FORGED, Case, CaseResult, Finding, Launch, TestResult, Verdict
from grader.core.text import count
from grader.kinds import kind_of

_NEUTRAL = "This case could not be graded automatically. The staff of the course look at it."
"""what a student reads: an accusation is the staff's to make"""
_MAX_FINDINGS = 5


def recheck_pass(
    case: Case, launch: Launch, result: CaseResult, course: Course, judge_run: Callable[..., CaseResult]
) -> CaseResult:
    """Return the result of a case; ungraded where it passed, and passes too where no honest program can."""
    recheck = kind_of(case).recheck
    if recheck is None or result.verdict is not Verdict.PASSED:
        return result

    def passes(again: Launch) -> bool:
        found = run.with_record(course.execute(again), case, again)
        return judge_run(execution=found).verdict is Verdict.PASSED

    try:
        reason = recheck(case, launch, course, passes)
    except GradingStoppedError:
        raise
    except GraderError:  # a machine without time or room for a further run is no reason to doubt anybody
        return result
    if not reason:
        return result
    return replace(result, verdict=Verdict.UNGRADED, credit=Fraction(0), message=_NEUTRAL, forged=reason)


def list_forged(results: Sequence[TestResult]) -> tuple[Finding, ...]:
    """Return what the staff has to know of the cases whose passes are not believed."""
    forged = [case for result in results for case in result.cases if case.forged]
    messages = [f"{case.id} {case.forged}" for case in forged[:_MAX_FINDINGS]]
    if (more := len(forged) - _MAX_FINDINGS) > 0:
        messages.append(f"the same is so in {count(more, 'more case')}")
    return tuple(Finding(kind=FORGED, message=message) for message in messages)
