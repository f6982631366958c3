"""The judgement of a reported test: one sentence for each way in which it did not pass, or is not there."""

from collections.abc import Sequence
from signal import Signals

from grader.core.diagnosis import find_cause
from grader.core.errors import HostError
from grader.core.kind import JudgeContext
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution
from grader.core.model.report import Judged, Message, Settled, Verdict
from grader.core.model.spec import Case
from grader.core.text import count, quote
from grader.kinds.harness.sentences import describe_exception
from grader.kinds.reported_tests.model import IDLE_OUTCOMES, ReportedOutcome, ReportedTestCase, TestsRun

_MAX_VALUE_LENGTH, _MAX_MESSAGE_LENGTH, _MAX_LOG_BYTES = 100, 200, 2**20
_COMMENT = lazy_regex(rb"(?m)^# ?")
_NODE_FILE_FAILED = "test failed"
_JEST_CAUSE = lazy_regex(r"(?m)\A\N{BLACK CIRCLE}(?s:.*?)^[ \t]+(?P<cause>(?:\w*Error:|Cannot find module) .+)$")
_UNREADABLE = (
    r"(?m)\b(?P<file>[\w.-]+):(?P<line>[0-9]{1,7}): (?P<error>syntax errors?\b.*)",
    r"(?m)(?:^|: )(?P<error>SyntaxError: .*)",
    r"(?m)^(?P<error>(?:PHP )?(?:Parse error|ParseError): .*)",
)
"""a language's message on a file that it cannot read, within the output of a framework"""


def judge(case: Case, execution: Execution, _expected: Execution | None, context: JudgeContext) -> Judged | Settled:
    """Return verdict and sentence of a test that did not pass or is not in the report."""
    payload, stopped = ReportedTestCase.required(case), context.stopped
    patterns = (*context.toolchain.errors, *context.toolchain.unreadable, *_UNREADABLE)
    if payload.unavailable:
        raise HostError(payload.unavailable)
    run = TestsRun.required(execution)
    if stopped and execution.is_inconclusive and (execution.limit is not None or execution.status is None):
        return stopped  # even with a report: a run on a quiet machine might have reported something else
    if run.report.is_void and not stopped:
        why = f"{run.report.problem}{_first_error(execution, patterns)}"
        return _ending(Verdict.FAILED, "void", f"{quote(payload.name)} is not known to pass: {why}.")
    if why := _why_not_believed(payload, run, execution, stopped):
        return _ending(Verdict.CRASHED, "refused", f"{why}{_first_error(execution, patterns)}.")
    idle = [result for result in run.results if result.outcome in IDLE_OUTCOMES]  # the reference may have some, too
    results = [*(result for result in run.results if result.outcome not in IDLE_OUTCOMES), *idle[payload.skips :]]
    if payload.broken and not (results and all(result.outcome == "passed" for result in results)):
        raise HostError(payload.broken)
    if not results:
        return _describe_missing(payload, run, execution, stopped, patterns)
    if len(results) != payload.times:
        reported, asked = count(len(results), "result"), count(payload.times, "result")
        difference = f"has {reported} in the report; the tests of the course give it {asked}"
        return _ending(Verdict.FAILED, "number", f"{quote(payload.name)} {difference}.")
    wrong = next((result for result in results if result.outcome != "passed"), None)
    return _describe_result(payload, wrong) if wrong else Judged()


def _quoted(text: str, most: int = _MAX_MESSAGE_LENGTH) -> str:
    return quote(" ".join(text.split()), most=most)


def _ending(verdict: Verdict, name: str, sentence: str, place: str = "") -> Settled:
    return verdict, Message(sentence, (name, place))


def _describe_result(payload: ReportedTestCase, result: ReportedOutcome) -> Settled:
    name, message = quote(payload.name), _quoted(result.message) if result.message.strip() else ""
    place = f" ({result.place})" if result.place else ""
    if result.outcome in IDLE_OUTCOMES:
        how = "is marked as TODO" if result.outcome == "todo" else "was skipped"
        why = f"{how}{f': {message}' if message else ''}; such a test does not pass"
        return _ending(Verdict.FAILED, result.outcome, f"{name} {why}.")
    if result.found is not None and result.wanted is not None:
        found, wanted = (_quoted(text, _MAX_VALUE_LENGTH) for text in (result.found, result.wanted))
        is_said = not message or (result.found in result.message and result.wanted in result.message)
        remark = "" if is_said else f" ({message})"
        return _ending(Verdict.FAILED, "value", f"{name}: {found} was found; {wanted} is expected{remark}{place}.")
    if result.outcome == "error":
        return _ending(Verdict.CRASHED, "error", f"{name} {describe_exception(result)}.", result.place)
    return _ending(Verdict.FAILED, "failed", f"{name} failed{place}: {message or 'the report does not say why'}.")


def _why_not_believed(payload: ReportedTestCase, run: TestsRun, execution: Execution, stopped: Settled | None) -> str:
    """Return why no result counts although there are results; "" where they do."""
    report = run.report
    # A document that only the submission has is something that it wrote: then the smallest plan counts.
    planned = sum(report.plans) if len(report.plans) == len(payload.plans) else min(report.plans, default=None)
    if planned is not None and planned < min(sum(payload.plans), report.listed):
        announced = f"{count(planned, 'test')} or groups of tests"
        return f"The report of the tests announces {announced} and has {report.listed}: something else wrote into it"
    has_passed = payload.total and len(report.live) >= payload.total and report.is_all_passed
    if not has_passed or (not stopped if execution.limit else execution.status == payload.status):
        return ""
    start = "All tests passed by their report, but the command that runs them"
    if execution.limit and stopped:
        return f"{start} did not end. {stopped[1].text.removesuffix('.')}"
    how = f"signal {execution.signal}" if execution.status is None else f"status {execution.status}"
    return f"{start} ended with {how}, which means a failure"


def _describe_missing(
    payload: ReportedTestCase, run: TestsRun, execution: Execution, stopped: Settled | None, patterns: Sequence[str]
) -> Settled:
    name = quote(payload.name)
    if stopped:
        return stopped[0], stopped[1].with_remark("unfinished", f"{name} was not finished.", in_front=True)
    if execution.signal is not None:
        ended = next((f" ({one.name})" for one in Signals if one == execution.signal), "")
        sentence = f"{name} was not finished: the tests were ended by signal {execution.signal}{ended}."
        return _ending(Verdict.CRASHED, "signal", sentence)
    error = _first_error(execution, patterns)
    early = ", before they were finished: something ends the program" if execution.status == 0 else ""
    ended = f"the command that runs the tests ended with status {execution.status}{early}"
    if not run.is_written:
        return _ending(Verdict.CRASHED, "no-report", f"The tests wrote no report: {ended}{error}.")
    explained = (result for result in run.report.results if result.outcome in ("failed", "error") and result.message)
    if failed := next(explained, None):
        place = f" ({failed.place})" if failed.place else ""
        if failed.message != _NODE_FILE_FAILED or not error:  # Node writes the cause as comments
            below = _JEST_CAUSE.match(failed.detail)
            error = f": {_quoted(below['cause'] if below else failed.message)}"
        sentence = f"{name} has no result in the report; {quote(failed.name)} failed{place}{error}."
        return _ending(Verdict.CRASHED, "no-result", sentence, failed.place)
    because = f": {run.report.problem}" if run.report.problem else ""
    return _ending(Verdict.CRASHED, "no-result", f"{name} has no result in the report{because}; {ended}{error}.")


def _first_error(execution: Execution, patterns: Sequence[str]) -> str:
    """Return the first error on either stream, as the end of a sentence; TAP has it in comments."""
    written = _COMMENT.sub(b"", execution.stdout[-_MAX_LOG_BYTES:])
    logs = [log for log in (execution.stderr[-_MAX_LOG_BYTES:], written) if log.strip()]
    known = (cause for log in logs if (cause := find_cause(log, patterns)).known)
    first = next(known, find_cause(logs[0]) if execution.stderr[-_MAX_LOG_BYTES:].strip() else None)
    if first is None or not (text := first.error or first.end):
        return ""
    return f": {quote(text, most=_MAX_MESSAGE_LENGTH)}{f' ({first.place})' if first.place else ''}"
