"""The sentences about what something of a student's ended with."""

from grader.core.diagnosis import ReadLine, no_lines
from grader.core.judge.unstarted import describe_line
from grader.core.text import quote
from grader.kinds.harness.outcome import Outcome

MAX_MESSAGE_LENGTH = 160
_MAX_VALUE_LENGTH = 100


def describe_exception(outcome: Outcome, read_line: ReadLine = no_lines, place: str = "") -> str:
    """Describe the exception with which something ended, as a predicate; `place` is named where it has none."""
    kind, place = outcome.type.rpartition(".")[2], outcome.place or place
    line = describe_line(outcome.place, read_line)
    at = f" at {place}" if place and not line else ""
    if kind in ("SystemExit", "KeyboardInterrupt"):
        return f"ended the program with {quote(kind)}{at}{line}"
    message = f": {quote(outcome.message, most=MAX_MESSAGE_LENGTH)}" if outcome.message else ""
    return f"ended with {quote(kind, most=MAX_MESSAGE_LENGTH)}{at}{message}{line}"


def describe_values(outcome: Outcome, remark: str = "") -> str:
    """Describe the two values that were compared; the remark is what the test says of it."""
    found, wanted = (
        quote(" ".join(str(one).split()), most=_MAX_VALUE_LENGTH) for one in (outcome.found, outcome.wanted)
    )
    return f"{found} was found; {wanted} is expected{remark}"
