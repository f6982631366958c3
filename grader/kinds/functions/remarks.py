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
    names = [call.signature.name for call in function.calls]
    if missing := calls.missing:
        lacking = names[missing.call : missing.call + 1] if missing.call is not None else []
        return "".join(_definitions(function.within, read_line)[0].get(name, "") for name in lacking)
    if not contrasts:
        return ""
    actual, wanted = (text.strip() for text in (contrasts[0].actual, contrasts[0].expected))
    if actual in _NOTHING and wanted not in _NOTHING:
        first = next((line for line in printed.splitlines() if line.strip()), b"")
        others = f" and {count(more, 'more line')}" if (more := line_count(printed) - 1) > 0 else ""
        instead = f" It printed {quote(first)}{others} instead: a result has to be given back by `return`."
        return instead if first else " Is a `return` missing?"
    with suppress(InvalidOperation):
        is_short = max(len(actual), len(wanted)) <= _MAX_NUMBER_LENGTH
        if is_short and (remark := remark_on_decimals(Decimal(actual), Decimal(wanted))):
            return f" I{remark.removeprefix(': i')}."
    is_longer = function.steps and len(actual) > len(wanted)
    shared = _definitions(function.within, read_line)[1] if is_longer else {}
    return next((text for name, text in shared.items() if name in names), "")


@lru_cache(maxsize=8)  # each line is read from its file anew, and thousands of cases may ask for the same
def _definitions(within: tuple[str, ...], read_line: ReadLine) -> tuple[dict[str, str], dict[str, str]]:
    """Return what modules of Python define in a class or in a function, and what has a default that calls share."""
    found, shared = dict[str, str](), dict[str, str]()
    for file in (f"{name.replace('.', '/')}.py" for name in within):
        around = ""
        for number in range(1, _MAX_LINES + 1):
            line = read_line(file, number)
            if outer := _AROUND.match(line):
                around = f"the {'class' if outer['kind'] == 'class' else 'function'} {quote(outer['name'])}"
            elif line.strip() and not line[0].isspace() and line[0] not in ")]}#":
                around = ""
            if around and (inner := _INSIDE.match(line)):
                where = f" Line {number} of {quote(file)} defines it inside {around}; move it out of there."
                found.setdefault(inner["name"], where)
            if default := _SHARED_DEFAULT.match(line):
                shown = f"line {number} of {quote(file)}, {quote(line.strip(), most=_MAX_SOURCE_LENGTH)}"
                same = f"is made once, and all calls get the same one ({shown})."
                shared.setdefault(default["name"], f" The default value `{default['value']}` {same}")
    return found, shared


def remark_on_loading(ended: Raised | None, read_line: ReadLine) -> str:
    """Say what ended the loading of a file whose functions are right all the same; "" for nothing, or an exit."""
    if ended is None or ended.type == "SystemExit":
        return ""
    place = describe_line(ended.place, read_line) or (f" at {ended.place}" if ended.place else "")
    if ended.type == "EOFError":
        imported = "it is imported here, and there is no input (`EOFError`)."
        return f"Your program reads input outside of its functions{place}: {imported}"
    what = quote(f"{ended.type}: {ended.message}" if ended.message else ended.type)
    return f"Outside of its functions your program ended with {what}{place}; what comes after that did not run."
