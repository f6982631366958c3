"""What a wrong result of a call has to do with the source, or with what the call printed: the sentence behind it."""

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from grader.core.deviations.normalise import line_count
from grader.core.deviations.sentences import remark_on_decimals
from grader.core.diagnosis import ReadLine
from grader.core.judge.unstarted import describe_line
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import Contrast
from grader.core.text import count, quote
from grader.kinds.functions.model import Calls, FunctionCase, Raised

_NOTHING = frozenset({"None", "undefined"})
_MAX_LINES, _MAX_SOURCE_LENGTH, _MAX_NUMBER_LENGTH = 400, 48, 20
_AROUND = lazy_regex(r"(?P<kind>class|(?:async\s+)?def)\s+(?P<name>\w{1,48})")
_INSIDE = lazy_regex(r"\s+(?:async\s+)?def\s+(?P<name>\w+)\s*\(")
_SHARED_DEFAULT = lazy_regex(r"\s*def\s+(?P<name>\w+)\s*\(.*=\s*(?P<value>\[\]|\{\}|(?:list|dict|set)\(\))")


def remark_on_calls(
    function: FunctionCase, calls: Calls, contrasts: Sequence[Contrast], printed: bytes, read_line: ReadLine
) -> str:
    """Say why a result may be wrong, or where a missing function is; "" where that is not known."""
    if calls.missing or not contrasts:
        return _describe_inner(function, calls.missing.call, read_line) if calls.missing else ""
    actual, wanted = (text.strip() for text in (contrasts[0].actual, contrasts[0].expected))
    if actual in _NOTHING and wanted not in _NOTHING:
        return _describe_no_return(printed)
    with suppress(InvalidOperation):
        is_short = max(len(actual), len(wanted)) <= _MAX_NUMBER_LENGTH
        if is_short and (remark := remark_on_decimals(Decimal(actual), Decimal(wanted))):
            return f" I{remark.removeprefix(': i')}."
    return _describe_shared_default(function, read_line) if len(actual) > len(wanted) else ""


@lru_cache(maxsize=8)  # each line is read from its file anew, and thousands of cases may ask for the same
def _python_lines(within: tuple[str, ...], read_line: ReadLine) -> Sequence[tuple[str, str]]:
    """Return the first lines of what are modules of Python, each with its place."""
    places = [(f"{name.replace('.', '/')}.py", number) for name in within for number in range(1, _MAX_LINES + 1)]
    return [(f"ine {number} of {quote(file)}", read_line(file, number)) for file, number in places]


def _describe_inner(function: FunctionCase, at: int | None, read_line: ReadLine) -> str:
    """Say where a function is that has to be one of the module: in a class, or in another function."""
    name, around = function.calls[at].signature.name if at is not None and at < len(function.calls) else "", ""
    for place, line in _python_lines(function.within, read_line) if name else ():
        if found := _AROUND.match(line):
            around = f"the {'class' if found['kind'] == 'class' else 'function'} {quote(found['name'])}"
        elif line.strip() and not line[0].isspace() and line[0] not in ")]}#":
            around = ""
        if around and (inside := _INSIDE.match(line)) and inside["name"] == name:
            return f" L{place} defines it inside {around}; move it out of there."
    return ""


def _describe_shared_default(function: FunctionCase, read_line: ReadLine) -> str:
    """Say that a default value in Python is made once for all calls, where several calls in a process show it."""
    called = {call.signature.name for call in function.calls}
    for place, line in _python_lines(function.within, read_line) if function.steps else ():
        if (found := _SHARED_DEFAULT.match(line)) and found["name"] in called:
            shown = f"l{place}, {quote(line.strip(), most=_MAX_SOURCE_LENGTH)}"
            return f" The default value `{found['value']}` is made once, and all calls get the same one ({shown})."
    return ""


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
