"""What a wrong result of a call has to do with the source, or with what the call printed: the sentence behind it."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from grader.core.deviations.normalise import line_count
from grader.core.deviations.sentences import remark_on_decimals
from grader.core.diagnosis import ReadLine
from grader.core.judge.unstarted import describe_line
from grader.core.model.judgement import Contrast
from grader.core.text import count, quote
from grader.kinds.functions.model import Raised

_NOTHING = frozenset({"None", "undefined"})
_MAX_NUMBER_LENGTH = 20


def remark_on_calls(contrasts: Sequence[Contrast], printed: bytes) -> str:
    """Say why a result may be wrong; "" where that is not known."""
    if not contrasts:
        return ""
    actual, wanted = (text.strip() for text in (contrasts[0].actual, contrasts[0].expected))
    if actual in _NOTHING and wanted not in _NOTHING:
        return _describe_no_return(printed)
    return _describe_lost_decimals(actual, wanted) if max(len(actual), len(wanted)) <= _MAX_NUMBER_LENGTH else ""


def remark_on_loading(ended: Raised | None, read_line: ReadLine) -> str:
    """Say what ended the loading of a file whose functions are right all the same; "" for nothing, or an exit."""
    if ended is None or ended.type == "SystemExit":
        return ""
    place = describe_line(ended.place, read_line) or (f" at {ended.place}" if ended.place else "")
    if ended.type == "EOFError":
        return (
            f"Your program reads input outside of its functions{place}: it is imported here, and there is no input "
            "(`EOFError`)."
        )
    what = quote(f"{ended.type}: {ended.message}" if ended.message else ended.type)
    return f"Outside of its functions your program ended with {what}{place}; what comes after that did not run."


def _describe_no_return(printed: bytes) -> str:
    first = next((line for line in printed.splitlines() if line.strip()), b"")
    if not first:
        return " Is a `return` missing?"
    more = line_count(printed) - 1
    others = f" and {count(more, 'more line')}" if more > 0 else ""
    return f" It printed {quote(first)}{others} instead: a result has to be given back by `return`."


def _describe_lost_decimals(actual: str, wanted: str) -> str:
    try:
        remark = remark_on_decimals(Decimal(actual), Decimal(wanted))
    except InvalidOperation:
        return ""
    return f" I{remark.removeprefix(': i')}." if remark else ""
