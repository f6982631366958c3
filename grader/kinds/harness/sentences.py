"""The sentences about exceptions that ended a student's code."""

from grader.core.diagnosis import ReadLine, no_lines
from grader.core.judge.ending import describe_line
from grader.core.text import quote
from grader.kinds.harness.host import Outcome

MAX_MESSAGE_LENGTH = 160


def describe_exception(outcome: Outcome, read_line: ReadLine = no_lines, *, is_line_first: bool = False) -> str:
    """Describe the exception that ended a student's code, as a predicate; a quoted line comes last, or first."""
    kind, line = outcome.type.rpartition(".")[2], describe_line(outcome.place, read_line)
    at = f" at {outcome.place}" if outcome.place and not line else line if is_line_first else ""
    line = "" if is_line_first else line
    if kind in ("SystemExit", "KeyboardInterrupt"):
        return f"ended the program with {quote(kind)}{at}{line}"
    message = f": {quote(outcome.message, most=MAX_MESSAGE_LENGTH)}" if outcome.message else ""
    return f"ended with {quote(kind, most=MAX_MESSAGE_LENGTH) if kind else 'an error'}{at}{message}{line}"
