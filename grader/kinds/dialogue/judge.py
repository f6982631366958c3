"""The judgement of a dialogue: where it stopped, and how that is related to the end of the program."""

from grader.core.judge.case import deviation_in
from grader.core.judge.ending import crashed
from grader.core.kind import JudgeContext
from grader.core.model.execution import Execution, FailedStep
from grader.core.model.report import Judged, Settled, Verdict
from grader.core.model.spec import Case, Step
from grader.core.text import capital, quote, seconds

_ASKED = "It waits for more input than the assignment sends."


def judge(case: Case, execution: Execution, _expected: Execution | None, context: JudgeContext) -> Judged | Settled:
    """Name where the dialogue stopped. All other faults follow from that, unless the output only came late."""
    if ending := _describe_ending(case, execution, context):
        return ending
    if (stop := execution.stop) is None:
        return Judged()
    kind = "unflushed" if stop.late else "wrong"
    deviation = deviation_in(case, kind, "stdout", _where_dialogue_stopped(execution, stop))
    return Judged(deviations=(deviation,), compares_outputs=stop.late)


def _describe_ending(case: Case, execution: Execution, context: JudgeContext) -> Settled | None:
    """Return the ending of a limit or crash, with the step; none where we closed the input: that crash is ours."""
    ending, stop = context.stopped or crashed(case, execution, context.toolchain, context.read_line), execution.stop
    if ending is None or ending[0] is Verdict.UNGRADED:
        return ending
    verdict, message = ending
    if stop is None:
        return verdict, message.with_remark("asked", _ASKED if execution.asked else "")
    if stop.ended and execution.limit:
        return verdict, message.with_remark("step", f"{capital(_awaited_step(stop.step))} was still expected.")
    is_ours = not stop.ended and execution.limit is None
    return None if is_ours else (verdict, message.with_remark("step", _where_dialogue_stopped(execution, stop)))


def _where_dialogue_stopped(execution: Execution, stop: FailedStep) -> str:
    wanted = _awaited_step(stop.step)
    if stop.late:
        remedy = "flush standard output before waiting for an answer"
        return f"Your program wrote {wanted} only after its input was closed; {remedy}."
    # A step with a limit of its own ends at that; what was waited beyond it is the machine's.
    waited = seconds(min(stop.waited, stop.step.within or stop.waited))
    last = stop.before.rstrip(b"\r\n").rpartition(b"\n")[2]
    nothing = "nothing more" if execution.stdout or execution.stderr else "nothing"
    instead = f"it had printed {quote(last) if last else nothing}"
    if stop.ended:
        end = f"status {execution.status}" if execution.signal is None else f"signal {execution.signal}"
        return f"Your program ended ({end}) while {wanted} was still expected; {instead}."
    if stop.step.do == "eof":
        running = f"Your program should have ended, but was still running after {waited}; {instead}."
        return f"{running} {_ASKED}" if execution.asked else running
    waits = " and was waiting for input" if execution.asked else ""
    return f"Your program did not print {wanted} within {waited}; {instead}{waits}."


def _awaited_step(step: Step) -> str:
    text = f"{'text that matches ' if step.do == 'regex' else ''}{quote(step.text)}"
    return "the end of the output" if step.do == "eof" else text
