"""Where a dialogue stopped, as a sentence: what was waited for, how long, and what came instead."""

from fractions import Fraction

from grader.model import Case, Deviation, Execution, Step, Stop, Verdict
from grader.text import capital, quote, seconds

_ASKED = "It waits for more input, which the assignment does not send."


def ending(execution: Execution, end: tuple[Verdict, str] | None) -> tuple[Verdict, str] | None:
    """Return verdict and sentence of an end at a limit or in a crash, with what the dialogue has to do with it.

    What happened after we had closed the input in the middle of a dialogue is our doing, and no crash of the program's.
    """
    stop = execution.stop
    if end is None or (stop and not stop.ended and execution.limit is None):
        return None
    verdict, message = end
    if stop and stop.ended and execution.limit:
        message = f"{message} {capital(_wanted(stop.step))} was still expected."
    elif stop:
        message = f"{message} {stopped_sentence(execution, stop)}"
    elif execution.asked:
        message = f"{message} {_ASKED}"
    return verdict, message


def compare_dialogue(case: Case, execution: Execution) -> tuple[Deviation, ...]:
    """Return the deviation of a dialogue that stopped: `unflushed` when all came after the input was closed."""
    stop = execution.stop
    if stop is None:
        return ()
    kind = "unflushed" if stop.late else "wrong"
    keeps = case.tolerate.get(kind, Fraction(0))
    return (Deviation(kind=kind, stream="stdout", message=stopped_sentence(execution, stop), keeps=keeps),)


def stopped_sentence(execution: Execution, stop: Stop) -> str:
    """Say where a dialogue stopped, and why."""
    wanted = _wanted(stop.step)
    if stop.late:
        return (
            f"{wanted} came only after the input was closed: flush standard output after writing what a person is to "
            f"read before answering."
        )
    waited, instead = seconds(stop.waited), _instead(execution, stop)
    if stop.ended:
        return f"The program ended ({_ending(execution)}) while {wanted} was still expected; {instead}."
    if stop.step.do == "eof":
        waits = f" {_ASKED}" if execution.asked else ""
        return f"The program should have ended, but had not after {waited}; {instead}.{waits}"
    waits = " and was waiting for input" if execution.asked else ""
    return f"Waited {waited} for {wanted}; {instead}{waits}."


def _wanted(step: Step) -> str:
    match step.do:
        case "regex":
            return f"the pattern {quote(step.text.encode())}"
        case "eof":
            return "the end of the output"
        case _:
            return quote(step.text.encode())


def _instead(execution: Execution, stop: Stop) -> str:
    last = stop.before.rstrip(b"\r\n").rpartition(b"\n")[2]
    if last:
        return f"the program had printed {quote(last)}"
    return f"the program had printed nothing{' more' if execution.stdout or execution.stderr else ''}"


def _ending(execution: Execution) -> str:
    return f"signal {execution.signal}" if execution.status is None else f"status {execution.status}"
