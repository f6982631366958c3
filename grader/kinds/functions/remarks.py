"""What a wrong result of a call has to do with the source, or with what the call printed: the sentence behind it."""

import json
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from grader.core.deviations.normalise import line_count
from grader.core.deviations.sentences import remark_on_decimals
from grader.core.diagnosis import ReadLine
from grader.core.judge.unstarted import describe_line
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import Contrast
from grader.core.text import count, quote
from grader.kinds.functions.model import Calls, FunctionCall, FunctionCase, Raised
from grader.kinds.functions.unset import describe_unset, lines_of_source

_NOTHING = frozenset({"None", "undefined"})
_MAX_NUMBER_LENGTH = 20
_MAX_ROWS = 100
_BEHIND_LAST = lazy_regex(r"^Index (?P<index>[1-9]\d{0,8}) out of bounds for length (?P=index)$")
"""as Java says it"""
_MAX_SOURCE_LENGTH = 48
_AROUND = lazy_regex(r"(?P<kind>class|(?:async\s+)?def)\s+(?P<name>\w{1,48})")
_INSIDE = lazy_regex(r"\s+(?:async\s+)?def\s+(?P<name>\w+)\s*\(")
_SHARED_DEFAULT = lazy_regex(r"\s*def\s+(?P<name>\w+)\s*\(.*=\s*(?P<value>\[\]|\{\}|(?:list|dict|set)\(\))")


def remark_on_calls(
    function: FunctionCase, calls: Calls, contrasts: Sequence[Contrast], printed: bytes, read_line: ReadLine
) -> str:
    """Say why a result may be wrong, or where a missing function is; "" where that is not known."""
    if calls.missing:
        return remark_on_missing(function, calls, read_line)
    unset = describe_unset(function, read_line)
    if unset or not contrasts:
        return unset
    actual, wanted = (text.strip() for text in (contrasts[0].actual, contrasts[0].expected))
    if actual in _NOTHING and wanted not in _NOTHING:
        return _describe_no_return(printed)
    if remark := _describe_shift(function, contrasts[0]):
        return remark
    if max(len(actual), len(wanted)) <= _MAX_NUMBER_LENGTH and (remark := _describe_lost_decimals(actual, wanted)):
        return remark
    return _describe_shared_default(function, read_line) if len(actual) > len(wanted) else ""


def remark_on_index(call: FunctionCall, ended: Raised) -> str:
    """Say that a call gives the place behind the last one of an array, where that is how it ended; else ""."""
    found = _BEHIND_LAST.search(ended.message)
    if not found or found["index"] not in {str(arg) for arg in call.args if type(arg) is int}:
        return ""
    return f"The call gives {found['index']}: perhaps your program counts places from 0, and the assignment from 1."


def remark_on_missing(function: FunctionCase, calls: Calls, read_line: ReadLine) -> str:
    """Say where a function of Python is that has to be one of the module: in a class, or in another function."""
    at = calls.missing.call if calls.missing else None
    if at is None or at >= len(function.calls):
        return ""
    name = function.calls[at].signature.name
    for file in (f"{within.replace('.', '/')}.py" for within in function.within):
        around = ""
        for number, line in enumerate(lines_of_source(file, read_line), 1):
            if found := _AROUND.match(line):
                around = f"the {'class' if found['kind'] == 'class' else 'function'} {quote(found['name'])}"
            elif line.strip() and not line[0].isspace() and line[0] not in ")]}#":
                around = ""
            if around and (inside := _INSIDE.match(line)) and inside["name"] == name:
                return f" Line {number} of {quote(file)} defines it inside {around}; move it out of there."
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


def _describe_shift(function: FunctionCase, contrast: Contrast) -> str:
    """Say that all that a call should change at a place that it gives is one place earlier in every direction."""
    names = [f"argument `{parameter.name}`" for parameter in function.call.signature.parameters]
    if contrast.name not in names:
        return ""
    before = json.dumps(function.call.args[names.index(contrast.name)], default=repr)
    actual, wanted, given = map(_cells, (contrast.actual, contrast.expected, before))
    changed = {at: value for at, value in wanted.items() if value != given.get(at) and min(at) > 0}
    is_at_place = any(all(index in function.call.args for index in at) for at in changed)
    is_shifted = is_at_place and all(
        actual.get(tuple(index - 1 for index in at)) == value != actual.get(at) for at, value in changed.items()
    )
    return " What should change is one place earlier, as if places counted from 0." if is_shifted else ""


def _cells(text: str) -> dict[tuple[int, ...], object]:
    """Return the numbers in a list, or in the lists on several lines, by their places; none of anything else."""
    try:
        rows = [json.loads(line) for line in text.splitlines()[:_MAX_ROWS]]
    except (ValueError, RecursionError):
        return {}
    if len(rows) == 1 and isinstance(rows[0], list):
        rows = rows[0]
    cells: dict[tuple[int, ...], object] = {}
    for place, row in enumerate(rows):
        items = {(place, at): one for at, one in enumerate(row)} if isinstance(row, list) else {(place,): row}
        cells |= {at: one for at, one in items.items() if isinstance(one, int | float)}
    return cells


def _describe_lost_decimals(actual: str, wanted: str) -> str:
    try:
        remark = remark_on_decimals(Decimal(actual), Decimal(wanted))
    except InvalidOperation:
        return ""
    return f" I{remark.removeprefix(': i')}." if remark else ""


def _describe_shared_default(function: FunctionCase, read_line: ReadLine) -> str:
    """Say that a default value in Python is made once for all calls, where several calls in a process show it."""
    if function.steps is None:
        return ""
    called = {call.signature.name for call in function.calls}
    for file in (f"{within.replace('.', '/')}.py" for within in function.within):
        for number, line in enumerate(lines_of_source(file, read_line), 1):
            found = _SHARED_DEFAULT.match(line)
            if found and found["name"] in called:
                shown = f"line {number} of {quote(file)}, {quote(line.strip(), most=_MAX_SOURCE_LENGTH)}"
                return f" The default value `{found['value']}` is made once, and all calls get the same one ({shown})."
    return ""
