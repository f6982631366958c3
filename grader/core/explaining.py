"""A case that is wrong, and what else there is to see of the reason: in a further run, in the source, by a compiler.

It changes no verdict and no credit: only sentences come of it.
"""

from collections import Counter
from collections.abc import Callable

from msgspec.structs import replace

from grader.core import run
from grader.core.course import Course
from grader.core.deviations.table import is_wrong_in_form
from grader.core.diagnosis import first_error
from grader.core.errors import GraderError
from grader.core.model.execution import Execution, Launch
from grader.core.model.judgement import COMPILER_WARNING, CaseResult, Verdict
from grader.core.model.spec import Case
from grader.core.text import quote
from grader.kinds import kind_of

JudgeRun = Callable[..., CaseResult]

_MAX_COMPLAINT_BYTES = 2**16
_MAY_BE_WARNED_OF = (Verdict.FAILED, Verdict.CRASHED, Verdict.TIMEOUT, Verdict.MEMORY, Verdict.OUTPUT)


def explain_wrong(
    case: Case, launch: Launch, execution: Execution, result: CaseResult, *, course: Course, judge_run: JudgeRun
) -> CaseResult:
    """Return the result of a case with what shows why it is wrong; the same where it is not, or nothing shows that."""
    if course.retries is None or is_wrong_in_form(result) or result.verdict not in _MAY_BE_WARNED_OF:
        return result
    explain_by_run = _explain_by_open_input if execution.limit else _explain_by_variation
    by_run = explain_by_run(case, launch, execution, result, course=course, judge_run=judge_run)
    if by_run is not result:
        return by_run
    if case.command or not kind_of(case).prints_answer:
        return result
    if result.verdict is Verdict.FAILED:
        hint = run.source_hints.hint_in_source(case, launch.folder, execution, launch.argv)
        after = hint.after or _said_instead(case, execution, result)
        if hint.before or after:
            message = result.message.with_before("source", hint.before).with_after("source", after)
            return replace(result, message=message)
    warning = _warning(launch, course)
    facts = (*result.message.key, *(f"{one.file}:{one.line}" for one in result.spots))
    if not warning.sentence or run.compiler_warnings.is_about_another_line(warning, " ".join(facts)):
        return result
    return replace(result, message=result.message.with_after(COMPILER_WARNING, warning.sentence))


def _said_instead(case: Case, execution: Execution, result: CaseResult) -> str:
    """Say what a program complained of that wrote nothing else, such as a script of a file that is not there."""
    is_told = case.expect.stderr is not None or any(one.kind == "wrong-stream" for one in result.deviations)
    if is_told or execution.stdout.strip() or not execution.stderr.strip():
        return ""
    return f"Its standard error says {quote(first_error(execution.stderr[:_MAX_COMPLAINT_BYTES]))}."


def _warning(launch: Launch, course: Course) -> "run.CompilerWarning":
    """Return what a compiler warns of in the submission; it is asked once."""
    if course.retries is None:
        return run.compiler_warnings.CompilerWarning()
    if course.retries.compiler_warning is None:
        try:
            found = run.compiler_warnings.warning_of_compiler(launch, course.toolchain, course.execute)
        except GraderError:
            found = run.compiler_warnings.CompilerWarning()
        course.retries.compiler_warning = found
    return course.retries.compiler_warning


def _explain_by_variation(
    case: Case, launch: Launch, execution: Execution, result: CaseResult, *, course: Course, judge_run: JudgeRun
) -> CaseResult:
    """Return the result with what a run under another input shows, where a wrong program is right in that."""
    vain = course.retries.vain_variations if course.retries else Counter[str]()
    for variation in run.variations.variations_of(case, launch, execution, vain):
        try:
            launches = (variation.launch, variation.control, variation.confirmation)
            tried = (judge_run(execution=run.variations.run_variation(launch, course.execute)) for launch in launches)
            is_shown = [is_wrong_in_form(next(tried)) for _ in launches] == [True, False, True]
        except GraderError:
            return result
        if is_shown:
            return replace(result, message=result.message.with_after("variation", variation.remark))
        vain[variation.sort] += 1
    return result


def _explain_by_open_input(
    case: Case, launch: Launch, execution: Execution, result: CaseResult, *, course: Course, **_judge: JudgeRun
) -> CaseResult:
    """Return the result with the read that never ends, where a run whose input stays open shows that as the cause."""
    vain = course.retries.vain_variations if course.retries else Counter[str]()
    if (
        course.toolchain.name not in run.read_past_end.LANGUAGES_THAT_READ_ON
        or vain["open"] >= run.variations.MAX_VAIN_VARIATIONS
    ):
        return result
    try:
        cause = run.read_past_end.describe_read_past_end(case, launch, execution, course.execute)
    except GraderError:
        return result
    vain["open"] += not cause
    return replace(result, message=result.message.with_before("source", cause))
