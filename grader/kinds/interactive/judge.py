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
    end, interaction = end_of_interaction(execution, context.stopped, own_end), execution.interaction
    if end or interaction is None:
        return end or Judged()
    refusal, share = describe_refusal(execution), validators.share_of_judge(interaction) or Fraction(0)
    deviations = (deviation_in(case, "wrong", "stdout", refusal),) if refusal else ()
    remark = _describe_by(interaction) if share < 1 else ""
    return Judged(deviations=deviations, share=share, remark=remark, compares_outputs=not refusal)


def end_of_interaction(execution: Execution, stopped: Settled | None, crashed: Settled | None) -> Settled | None:
    """Return the ending where the interactor's decision does not count, given those of the program by itself."""
    interaction = execution.interaction
    if interaction is None:
        unjudged = Message("a fault of the grader: the output was not judged", ("fault",))
        return stopped or crashed or (Verdict.UNGRADED, unjudged)
    if interaction.waiting:
        return Verdict.TIMEOUT, Message(_describe_waiting(execution, interaction), ("waiting",))
    if ending := stopped or (crashed if interaction.first == "program" else None):
        refusal = _describe_by(interaction) if interaction.status == INTERACTOR_REFUSES and not stopped else ""
        message = ending[1].with_remark("role", f"This was `{interaction.culprit}`." if interaction.culprit else "")
        return ending[0], message.with_remark("interactor", refusal)
    if interaction.limit and len(execution.stdout) > LARGE_OUTPUT_BYTES:
        wrote = f"Your program wrote {len(execution.stdout):,} bytes"
        return Verdict.FAILED, Message(f"{wrote}, too many for the interactor; far fewer are expected.", ("too-much",))
    who = "validator" if interaction.is_output_validator else "interactor"
    fault = validators.fault_of_judge(interaction)
    return (Verdict.UNGRADED, Message(f"a fault of the {who}: {fault}", ("fault",))) if fault else None


def _describe_waiting(execution: Execution, interaction: Interaction) -> str:
    """Describe that the program, or several of them, and the interactor wait for each other."""
    if interaction.late:
        who = f"`{interaction.culprit}`" if interaction.roles else "Your program"
        line = quote(interaction.late.lstrip().partition(b"\n")[0], most=_MAX_QUOTED_LENGTH)
        late = f"{line} came only when its input was closed: flush standard output after each line."
        return f"{who} {_WAITS}; {late}"
    state = "all that it wrote had arrived" if execution.stdout else "your program had written nothing"
    waits = f"Your program {_WAITS}; {state}"
    if interaction.roles:
        names = joined([f"`{role.name}`" for role in interaction.roles])
        waits = f"The interactor and your programs ({names}) wait for each other; all that was written had arrived"
    return f"{waits}. Check whose turn it is, and flush standard output after each line."


def describe_refusal(execution: Execution) -> str:
    """Return the interactor's message on a refused program, with the program's end if that came first; else ""."""
    interaction = execution.interaction
    if interaction is None or interaction.status != INTERACTOR_REFUSES:
        return ""
    if interaction.first != "program" or interaction.is_output_validator:
        return _describe_by(interaction)
    how = f"signal {execution.signal}" if execution.status is None else f"status {execution.status}"
    who = f"`{interaction.culprit}`" if interaction.culprit else "Your program"
    return f"{_describe_by(interaction)} {who} had ended first ({how})."


def _describe_by(interaction: Interaction) -> str:
    """Return the interactor's message on a program that does not get all points."""
    messages = [interaction.feedback.get(validators.MESSAGE_OF_TEAM, b""), interaction.stderr]
    otherwise = "The interactor rejected your program's output."
    if interaction.is_output_validator:  # of all passes, one after the other
        messages.insert(1, validators.last_line(interaction.feedback.get(validators.MESSAGE_OF_JUDGE, b"")))
        otherwise = "Your program's output is not what the assignment asks for."
    sentence = next(filter(None, map(validators.opening_sentence, messages)), otherwise)
    return f"In pass {interaction.passes}: {sentence}" if interaction.passes > 1 else sentence
