"""Further runs of a case that was judged: `Kind.invert`, `Kind.find_course_fault` and `Kind.explain_crash` say how.

One that passed is run in a way in which no honest program passes; one that failed, without the submission, to see
whether the course's own test is at fault; one that crashed, under a tool that sees why.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from msgspec.structs import replace

from grader.core import run
from grader.core.course import Course
from grader.core.diagnosis import ReadLine
from grader.core.errors import GraderError
from grader.core.model.execution import Execution, Launch
from grader.core.model.judgement import CaseResult, Message, TestResult, Verdict
from grader.core.model.spec import Case
from grader.core.model.submission import FORGED, Finding
from grader.core.text import count
from grader.kinds import all_kinds, kind_of
from grader.kinds.base import Inverted

_NEUTRAL = "This case could not be graded automatically. The staff of the course look at it."
"""what a student reads: an accusation is the staff's to make"""
_MAX_FINDINGS = 5


def explain_crash(execution: Execution, launch: Launch, result: CaseResult, course: Course, read_line: ReadLine) -> str:
    """Return why a signal ended a run, for `Execution.crash_cause`; "" where it did not, and where that is unknown."""
    if result.verdict is not Verdict.CRASHED or execution.signal is None or course.retries is None:
        return ""
    if not course.retries.crash_explanations or course.is_work_scarce or not course.sandbox.allows_tracing:
        return ""
    course.retries.crash_explanations -= 1
    explained = (kind.explain_crash for kind in all_kinds() if kind.explain_crash)
    return next(filter(None, (explain(execution, launch, course.execute, read_line) for explain in explained)), "")


def audit_pass(
    result: CaseResult,
    inverted: Inverted | None,
    *,
    course: Course,
    judge_run: Callable[..., CaseResult],
    ask: Callable[[Case, Course], Execution | GraderError],
) -> CaseResult:
    """Return the result of a case; ungraded where it passed, and passes too with one of its assertions inverted.

    `ask` asks the reference. A further run that we cannot have costs nobody a pass; but where the submission has used
    up its time, the staff have to look.
    """
    if inverted is None or result.verdict not in (Verdict.PASSED, Verdict.PARTIAL):
        return result
    case, forged = inverted.case, ""
    if (
        inverted.before is None and kind_of(case).shares_run(case) and course.is_work_scarce
    ):  # each takes as long as all cases
        return result
    try:
        again = inverted.before or run.launch.with_record(course.measure(inverted.launch), case, inverted.launch)
        forged = kind_of(case).doubt(inverted, result, judge_run(execution=again), lambda: ask(case, course))
        why = _NEUTRAL if forged else ""
    except GraderError:
        why = str(course.work.refusal()) if course.work and course.work.is_used_up() else ""
    except Exception as error:  # noqa: BLE001 - what was judged is the submission's: that is told, and no way out
        why = f"a fault of the grader: {type(error).__name__}: {error}"
    if not why:
        return result
    return replace(result, verdict=Verdict.UNGRADED, credit=Fraction(0), message=Message(why), forged=forged)


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
    return replace(result, verdict=Verdict.UNGRADED, credit=Fraction(0), message=Message(fault)) if fault else result


def list_forged(results: Sequence[TestResult]) -> tuple[Finding, ...]:
    """Return what the staff has to know of the cases whose passes are not believed."""
    forged = [case for result in results for case in result.cases if case.forged]
    messages = [f"{case.id} {case.forged}" for case in forged[:_MAX_FINDINGS]]
    if (more := len(forged) - _MAX_FINDINGS) > 0:
        messages.append(f"the same is so in {count(more, 'more case')}")
    return tuple(Finding(kind=FORGED, message=message) for message in messages)
