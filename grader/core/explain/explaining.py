"""A case that was judged, and what else there is to see of it: why it is wrong, and whether its result is believed.

A hint changes no verdict and no credit, and never costs a result: what fails while one is looked for ends that look.
A result is withdrawn where the course's own test is at fault, or where no honest program passes as this one does.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from grader.core.course import Attempt, reference_execution
from grader.core.deviations.table import is_wrong_in_form
from grader.core.diagnosis import ReadLine, find_cause, line_reader
from grader.core.errors import GraderError
from grader.core.kind import KINDS, kind_of
from grader.core.lazy import lazy_modules, lazy_regex
from grader.core.model.execution import Execution
from grader.core.model.layout import FORGED, BuildResult, Finding, contents_of, first_bytes, unread
from grader.core.model.report import COMPILER_WARNING, CaseResult, Message, TestResult, Verdict
from grader.core.model.spec import Case
from grader.core.text import count, full_sentence, quote

if TYPE_CHECKING:
    from grader.core.pipeline import Inverted, Ran

JudgeRun = Callable[[Execution], CaseResult]
_Reason = TypeVar("_Reason")
_module, _judge = lazy_modules("grader.core.explain"), lazy_modules("grader.core.judge")
_PLACE, _MAX_COMPLAINT_BYTES, _MAX_FINDINGS = lazy_regex(r"([^\s:/`(]{1,99}\.\w{1,5})(?::|:? line )(\d{1,7})"), 2**16, 5
_MAY_BE_WARNED_OF = (Verdict.FAILED, Verdict.CRASHED, Verdict.TIMEOUT, Verdict.MEMORY, Verdict.OUTPUT)


def look_for(find: Callable[[], _Reason], nothing: _Reason) -> _Reason:
    """Return what a look for a reason finds, and `nothing` when it fails: a hint never costs a result."""
    with suppress(Exception):  # whatever goes wrong; that grading was stopped is no `Exception`
        return find()
    return nothing


def explain_case(case: Case, ran: "Ran", attempt: Attempt, judge_run: JudgeRun, read_line: ReadLine) -> CaseResult:
    """Judge a run of a case, look for reasons, and doubt the result. Raises HostError where it is unknown."""
    result = judge_run(execution := ran.execution)
    is_crash, find = result.verdict is Verdict.CRASHED, partial(_cause_of_crash, ran, attempt, read_line)
    may_trace = execution.signal is not None and attempt.sandbox.allows_tracing and attempt.may_run("crash")
    if is_crash and may_trace and (cause := look_for(find, "")):
        result = judge_run(replace(execution, crash_cause=cause))
    # A wrong call has no deviations; those of three kinds of form have causes in a source.
    prints, kinds = not case.command and kind_of(case).prints_answer, {one.kind for one in result.deviations}
    is_form = is_wrong_in_form(result) and (prints or bool(kinds)) and not kinds & {"order", "wording", "letter-case"}
    if result.verdict in _MAY_BE_WARNED_OF and (not is_form or (prints and "exit-status" in kinds)):
        # Of a function, an error is what ended it: a wrong value may have its words. Of a status, only what is said.
        looks = (_warning, _mistake, _source)[2 * is_form :] if prints else (_mistake, _source)[: 1 + is_crash]
        messages = (look_for(partial(look, case, ran, result, attempt), result.message) for look in looks)
        result = replace(result, message=next((it for it in messages if it != result.message), result.message))
    result = excuse_failure(case, ran, result, attempt)
    for name, facts in execution.also.items():
        KINDS[name].confirm(result, facts, judge_run)
    return audit_pass(result, ran.inverted, attempt, judge_run)


def explain_build(failed: BuildResult, attempt: Attempt) -> BuildResult:
    """Return a build that failed, with what its first error means, unless that is in a file of the course."""
    is_own = any(f"{it.rpartition('/')[2]}:" in failed.message for it in getattr(attempt.spec.build, "files", ()))
    means = look_for(lambda: _module("reasons").meaning_of_error(failed.message, attempt.toolchain.name), "")
    return replace(failed, message=f"{full_sentence(failed.message)} {means}") if means and not is_own else failed


def _cause_of_crash(ran: "Ran", attempt: Attempt, read_line: ReadLine) -> str:
    """Return why a signal ended a run, for `Execution.crash_cause`; "" where that is unknown."""
    attempt.tried["crash"] += 1
    given = ran.execution, ran.launch, partial(attempt.run, "crash"), read_line
    return next((why for kind in KINDS.values() if kind.runs == "watcher" and (why := kind.explain_crash(*given))), "")


def _source(case: Case, ran: "Ran", result: CaseResult, attempt: Attempt) -> Message:
    """Add what an error means, by our short sentence, or what a program complained of that wrote nothing else."""
    errors, wrote = ran.execution.stderr[:_MAX_COMPLAINT_BYTES], ran.execution.stdout.strip()
    goes_on = attempt.toolchain.name in ("bash", "pascal", "perl", "prolog", "sql")  # after what it complains of
    lines = dict.fromkeys(errors.decode(errors="replace").splitlines() if goes_on else ())
    show = partial(_judge("ending").describe_line, read_line=line_reader(ran.launch.folder))
    shown = (_PLACE.sub(lambda it: it[0] + show(f"{it[1]}:{it[2]}"), line[:200], 1) for line in [*lines][-80:])
    is_quiet = result.verdict is Verdict.FAILED and errors.strip() and not wrote and case.expect.stderr is None
    complaint = f"Its standard error says {quote(find_cause(errors).error)}." if is_quiet else ""
    means = _module("reasons").meaning_of_error("\n".join((result.message.text, *shown)), attempt.toolchain.name)
    return result.message.with_remark("source", means or complaint)


def _mistake(case: Case, ran: "Ran", result: CaseResult, attempt: Attempt) -> Message:
    """Add a mistake of beginners in the sources, unless the case is about another place."""
    launch, build = ran.launch, attempt.spec.build
    if "mistakes" not in attempt.known and launch.folder:
        sources = launch.folder, attempt.toolchain.name, launch.argv, build.files if build else (), attempt.cache
        attempt.known["mistakes"] = look_for(lambda: _module("mistakes").find_mistakes(*sources), ())
    known, prints, places = attempt.known.get("mistakes", ()), kind_of(case).prints_answer, _places_in(result)
    given, files = _judge("totals").answer_in(case, result), "".join(f"\1{name}\n" for name in case.files)
    inputs = (first_bytes(one, 2**13) for one in (unread(case, "stdin"), *contents_of(case.files).values()))
    whole = " ".join((b" ".join(inputs).decode(errors="replace"), *(it for it in case.args if it not in case.files)))
    facts = f"{result.message.text}\0{files}\2{whole}\3{given.want[: 2**11]}"  # as rows may ask
    about = [one for one in known if one.is_about(case, facts, places, prints=prints)][:_MAX_FINDINGS]
    is_plain = prints and not (kind_of(case).has_input or case.terminal or case.command)
    if about and is_plain and result.verdict is Verdict.FAILED and not about[0].always and attempt.may_run("lines"):
        n, how = attempt.tried["lines"], (about, ran.launch, attempt.toolchain.name, partial(attempt.run, "lines"))
        none = about, n + _MAX_FINDINGS  # after a look that fails there is no other
        about, attempt.tried["lines"] = look_for(lambda: (_module("reasons").without_missed(*how), n + 1), none)
    return result.message.with_remark("source", about[0].sentence if about else "")


def _places_in(result: CaseResult) -> set[tuple[str, int]]:  # the lines of sources that a case is about
    named = ((file, int(line)) for file, line in _PLACE.findall(" ".join(result.message.key)))
    return {*named, *((spot.file, spot.line) for spot in result.spots)}


def _warning(_case: Case, ran: "Ran", result: CaseResult, attempt: Attempt) -> Message:
    """Add what a compiler warns of in the submission, unless the case is about another line."""
    if attempt.may_run("warning"):
        attempt.tried["warning"] += 1
        attempt.known["warning"] = _module("reasons").warning_of_compiler(
            ran.launch, attempt.toolchain, partial(attempt.run, "warning")
        )
    place, warning = attempt.known["warning"]  # which is not there when that failed: then there is no hint
    return result.message.with_remark(COMPILER_WARNING, warning if place in (_places_in(result) or {place}) else "")


def _withdraw(result: CaseResult, why: str, forged: str = "") -> CaseResult:
    return replace(result, verdict=Verdict.UNGRADED, credit=Fraction(0), message=Message(why), forged=forged)


def excuse_failure(case: Case, ran: "Ran", result: CaseResult, attempt: Attempt) -> CaseResult:
    """Return the result of a case; ungraded where a fault of the course failed it, whatever the submission."""
    find, fault = kind_of(case).find_course_fault, ""
    with suppress(GraderError):  # nothing is proved
        if find and result.verdict in (Verdict.FAILED, Verdict.CRASHED, Verdict.PARTIAL):
            fault = find(case, ran.launch, ran.execution, attempt, lambda: reference_execution(case, attempt))
    return _withdraw(result, fault) if fault else result


def audit_pass(result: CaseResult, inverted: "Inverted | None", attempt: Attempt, judge_run: JudgeRun) -> CaseResult:
    """Return the result of a case; ungraded where it passed, and passes too with one of its assertions inverted.

    A further run that we cannot have costs nobody a pass, unless the submission has used up its time.
    """
    if inverted is None or result.verdict not in (Verdict.PASSED, Verdict.PARTIAL):
        return result
    case, launch, forged = inverted.case, inverted.launch, ""
    if inverted.before is None and inverted.is_shared and not attempt.may_run("inverted together"):
        return result
    try:
        again = inverted.before or kind_of(case).read_record(attempt.run("inverted", launch), case, launch)
        forged = inverted.doubt(inverted, result, judge_run(again), lambda: reference_execution(case, attempt))
        # What a student reads: an accusation is the staff's to make.
        why = "This case could not be graded automatically. The staff of the course look at it." if forged else ""
    except Exception:  # noqa: BLE001 - a fault of ours takes a pass from nobody
        why = str(attempt.ledger.refusal()) if attempt.ledger.is_used_up() else ""
    return _withdraw(result, why, forged) if why else result


def list_forged(results: Sequence[TestResult]) -> tuple[Finding, ...]:
    """Return what the staff has to know of the cases whose passes are not believed."""
    forged = [f"{case.id} {case.forged}" for result in results for case in result.cases if case.forged]
    more = [f"the same is so in {count(len(forged) - _MAX_FINDINGS, 'more case')}"] if forged[_MAX_FINDINGS:] else []
    return tuple(Finding(kind=FORGED, message=message) for message in forged[:_MAX_FINDINGS] + more)
