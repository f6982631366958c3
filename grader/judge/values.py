"""Values that functions return or leave behind: where two differ, and how they are written for people."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from grader.model import Opaque, PlainValue
from grader.text import quote

MOST_DIFFERENCES = 1000
_TOLERANCE = 1e-9
"""relative: in floating-point arithmetic the last digits depend on the order of operations"""
_CONSTANTS: Mapping[bool, Mapping[PlainValue, str]] = {
    True: {None: "None", True: "True", False: "False"},
    False: {None: "null", True: "true", False: "false"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueDifference:
    """The place, as a list of indices, at which a value is not what is wanted; or the lengths of lists there."""

    path: tuple[int, ...]
    actual: PlainValue
    wanted: PlainValue
    is_length: bool = False


def value_differences(actual: PlainValue, wanted: PlainValue) -> list[ValueDifference]:
    """Return where two values differ, at most 1000 places, in their order; nothing when they are the same."""
    return list(islice(_differing(actual, wanted, ()), MOST_DIFFERENCES))


def _differing(actual: PlainValue, wanted: PlainValue, path: tuple[int, ...]) -> Iterator[ValueDifference]:
    if not isinstance(actual, tuple) or not isinstance(wanted, tuple):
        if not _is_same_value(actual, wanted):
            yield ValueDifference(path=path, actual=actual, wanted=wanted)
    elif len(actual) != len(wanted):
        yield ValueDifference(path=path, actual=len(actual), wanted=len(wanted), is_length=True)
    else:
        for index, (one, other) in enumerate(zip(actual, wanted, strict=True)):
            yield from _differing(one, other, (*path, index))


def _is_same_value(actual: PlainValue, wanted: PlainValue) -> bool:
    """Compare as Python does, so that 1 is 1.0 and True; but NaN is NaN, and floats may differ in their last digits."""
    if isinstance(actual, float) and isinstance(wanted, float):
        is_nan = math.isnan(actual) and math.isnan(wanted)
        return is_nan or math.isclose(actual, wanted, rel_tol=_TOLERANCE)
    return bool(actual == wanted)


def shown_value(value: PlainValue, *, is_python: bool) -> str:
    """Write a value for a sentence, not too long: in the words of the language, lists with brackets."""
    if isinstance(value, Opaque):
        return f"something of the type {_quoted_value(value.type)}, no plain data or too much of it"
    text = written(value, is_python=is_python)
    return _quoted_value(text) if isinstance(value, str | tuple) else text


def _quoted_value(text: str) -> str:
    return quote(text.encode(errors="backslashreplace"))


def written(value: PlainValue, *, is_python: bool) -> str:
    """Write a value out on one line."""
    if isinstance(value, tuple):
        return f"[{', '.join(written(item, is_python=is_python) for item in value)}]"
    if isinstance(value, Opaque):
        return f"<{value.type}>"
    if value is None or isinstance(value, bool):
        return _CONSTANTS[is_python][value]
    if isinstance(value, str):
        return repr(value) if is_python else json.dumps(value, ensure_ascii=False)
    return str(value)


def in_lines(value: PlainValue, *, is_python: bool) -> bytes:
    """Write a value out, a list of lists with a line for each."""
    is_board = isinstance(value, tuple) and any(isinstance(item, tuple) for item in value)
    lines = [written(item, is_python=is_python) for item in (value if is_board else (value,))]
    return "".join(f"{line}\n" for line in lines).encode(errors="backslashreplace")
