"""The judgement by an interactor or a validator, also when interactor and program wait for each other.

The interactor decides on verdict and sentence: status 42 or 43, as in the Kattis problem package format. Its line for
the student is in `feedback/teammessage.txt` or on its standard error. A share of the points is in `feedback/score.txt`.
A fault of the interactor's is never the student's: the program's worth is then unknown.
"""

from fractions import Fraction

from msgspec.structs import replace

from grader.core import validators
from grader.core.judge.case import deviation_in
from grader.core.judge.ending import crashed
from grader.core.kind import JudgeContext
from grader.core.model.execution import INTERACTOR_REFUSES, LARGE_OUTPUT_BYTES, Execution, Interaction
from grader.core.model.report import Judged, Message, Settled, Verdict
from grader.core.model.spec import Case, Interactor
from grader.core.text import joined, quote

_MAX_QUOTED_LENGTH = 66
_WAITS = "waits for input while the interactor waits for a line from it"


def judge(case: Case, execution: Execution, _expected: Execution | None, context: JudgeContext) -> Judged | Settled:
    """Name what the interactor rejects, if it decided. All else that is wrong then follows from that."""
    own_end = crashed(case, execution, context.toolchain, context.read_line)
    if ran := execution.interaction:  # by what the spec says of scores the interactor's is understood
        execution = replace(execution, interaction=replace(ran, max_score=Interactor.required(case).max_score))
    end, found = end_of_interaction(execution, context.stopped, own_end), execution.interaction
    if end or found is None:
        return end or Judged()
    refusal, share = describe_refusal(execution), validators.share_of_judge(found) or Fraction(0)
    deviations = (deviation_in(case, "wrong", "stdout", refusal),) if refusal else ()
    remark = _describe_by(found) if share < 1 else ""
    return Judged(deviations=deviations, share=share, remark=remark, compares_outputs=not refusal)


def end_of_interaction(execution: Execution, stopped: Settled | None, crashed: Settled | None) -> Settled | None:
    """Return the ending where the interactor's decision does not count, given those of the program by itself."""
    found = execution.interaction
    if found is None:
        unjudged = Message("a fault of the grader: the output was not judged", ("fault",))
        return stopped or crashed or (Verdict.UNGRADED, unjudged)
    if found.waiting:
        return Verdict.TIMEOUT, Message(_describe_waiting(execution, found), ("waiting",))
    if ending := stopped or (crashed if found.first == "program" else None):
        refusal = _describe_by(found) if found.status == INTERACTOR_REFUSES and not stopped else ""
        message = ending[1].with_remark("role", f"This was `{found.culprit}`." if found.culprit else "")
        return ending[0], message.with_remark("interactor", refusal)
    if found.limit and len(execution.stdout) > LARGE_OUTPUT_BYTES:
        wrote = f"Your program wrote {len(execution.stdout):,} bytes"
        return Verdict.FAILED, Message(f"{wrote}, too many for the interactor; far fewer are expected.", ("too-much",))
    fault, who = validators.fault_of_judge(found), "validator" if found.is_output_validator else "interactor"
    return (Verdict.UNGRADED, Message(f"a fault of the {who}: {fault}", ("fault",))) if fault else None


def _describe_waiting(execution: Execution, found: Interaction) -> str:
    """Describe that the program, or several of them, and the interactor wait for each other."""
    if found.late:
        who = f"`{found.culprit}`" if found.roles else "Your program"
        line = quote(found.late.lstrip().partition(b"\n")[0], most=_MAX_QUOTED_LENGTH)
        late = f"{line} came only when its input was closed: flush standard output after each line."
        return f"{who} {_WAITS}; {late}"
    state = "all that it wrote had arrived" if execution.stdout else "your program had written nothing"
    waits = f"Your program {_WAITS}; {state}"
    if found.roles:
        names = joined([f"`{one.name}`" for one in found.roles])
        waits = f"The interactor and your programs ({names}) wait for each other; all that was written had arrived"
    return f"{waits}. Check whose turn it is, and flush standard output after each line."


def describe_refusal(execution: Execution) -> str:
    """Return the interactor's message on a refused program, with the program's end if that came first; else ""."""
    found = execution.interaction
    if found is None or found.status != INTERACTOR_REFUSES:
        return ""
    if found.first != "program" or found.is_output_validator:
        return _describe_by(found)
    how = f"signal {execution.signal}" if execution.status is None else f"status {execution.status}"
    who = f"`{found.culprit}`" if found.culprit else "Your program"
    return f"{_describe_by(found)} {who} had ended first ({how})."


def _describe_by(found: Interaction) -> str:
    """Return the interactor's message on a program that does not get all points."""
    said = [found.feedback.get(validators.MESSAGE_OF_TEAM, b""), found.stderr]
    otherwise = "The interactor rejected your program's output."
    if found.is_output_validator:  # of all passes, one after the other
        said.insert(1, validators.last_line(found.feedback.get(validators.MESSAGE_OF_JUDGE, b"")))
        otherwise = "Your program's output is not what the assignment asks for."
    sentence = next(filter(None, map(validators.opening_sentence, said)), otherwise)
    return f"In pass {found.passes}: {sentence}" if found.passes > 1 else sentence
