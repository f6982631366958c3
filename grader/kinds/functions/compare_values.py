"""Values of functions: their differences, and their form in a report. A student decides how large they are."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from grader.core.lazy import lazy_call
from grader.core.model.values import MapValue, Opaque, PlainValue, SetValue, Wildcard
from grader.core.text import quote, show
from grader.kinds.functions.model import MAX_QUOTED_LENGTH, comparison_key, display_value

Way = tuple[int | str, ...]  # into lists by places, and into maps by keys as they are written

_MAX_WHOLE_LENGTH = 40  # characters of two lists that a sentence quotes whole, instead of where they differ
_MAX_NUMBER_LENGTH = 500  # digits that a sentence takes: those of 200!, not all that a program can forge
# Relative: the last digits depend on the order of operations. And near 0: the cosine of a right angle is not quite 0.
DOUBLE = (1e-9, 1e-15)
SINGLE = (1e-6, 2e-7)  # the same for a `float` of C or Java
MISSING = Opaque(type="nothing")  # stands for a cell that a value has not
UNDEFINED = Opaque(type="undefined", text="undefined")  # what a function of JavaScript returns that returns nothing


def encode_value(value: PlainValue) -> bytes | None:
    """Write a value for a comparator: a text unchanged, other plain data as JSON; None for any other value."""
    if value == UNDEFINED:
        return None
    text = value.text if isinstance(value, Opaque) else value
    if isinstance(text, str):
        return text.encode(errors="surrogatepass")
    try:
        written_out: str = lazy_call("json", "dumps")(value, ensure_ascii=False, default=_to_json)
    except TypeError:  # something in it is opaque
        return None
    return written_out.encode(errors="backslashreplace")  # half a character is \ud800 in JSON too


def _to_json(value: object) -> object:
    """Convert a value that JSON does not know to one that it knows; raises TypeError if there is none."""
    match value:
        case MapValue(items=pairs):
            return {key if isinstance(key, str) else display_value(key, is_python=False): item for key, item in pairs}
        case SetValue(items=members):
            return sorted(members, key=comparison_key)
        case Opaque(text=str(text)):
            return None if value == UNDEFINED else text
    raise TypeError


class ValueDifference(Struct, frozen=True, kw_only=True):
    """One difference of two values: two elements, two lengths of lists, or an element that one lacks."""

    path: Way
    actual: PlainValue
    wanted: PlainValue
    is_length: bool = False
    kind: str = ""  # the container that has, or lacks, an element: `a map` or `a set`; one of the values is MISSING


def differing(
    actual: Any, wanted: Any, path: Way, *, is_computed: bool = False, closeness: tuple[float, float] = DOUBLE
) -> Iterator[ValueDifference]:
    """Yield the differences as Python compares, but NaN equals NaN; surplus elements of a map or set come last."""
    inside = partial(differing, is_computed=is_computed, closeness=closeness)
    kinds = {type(actual), type(wanted)}
    if isinstance(wanted, Wildcard):
        return
    if kinds == {tuple} and len(actual) != len(wanted):
        yield ValueDifference(path=path, actual=len(actual), wanted=len(wanted), is_length=True)
    elif kinds == {tuple}:
        for index, (cell, wanted_cell) in enumerate(zip(actual, wanted, strict=True)):
            yield from inside(cell, wanted_cell, (*path, index))
    elif kinds in ({MapValue}, {SetValue}):
        there, right = _elements(actual), _elements(wanted)
        kind = "a map" if isinstance(wanted, MapValue) else "a set"
        for name, (key, value) in right.items():
            if name not in there:
                yield ValueDifference(path=path, actual=MISSING, wanted=key, kind=kind)
            else:
                yield from inside(there[name][1], value, (*path, name))
        for name in there.keys() - right.keys():
            yield ValueDifference(path=path, actual=there[name][0], wanted=MISSING, kind=kind)
    elif not _is_same(actual, wanted, is_computed=is_computed, closeness=closeness):
        yield ValueDifference(path=path, actual=actual, wanted=wanted)


def _is_same(actual: Any, wanted: Any, *, is_computed: bool, closeness: tuple[float, float]) -> bool:
    """Compare single values; a float equals an int if it is close to it and rounds to it."""
    kinds = {type(actual), type(wanted)}
    if kinds == {Opaque}:
        return bool(actual.text == wanted.text is not None)
    if float not in kinds or not kinds <= {int, float}:
        return bool(actual == wanted)
    relative, rounding = closeness
    near = relative if wanted == 0 else rounding if is_computed else 0.0
    try:
        if not math.isclose(actual, wanted, rel_tol=relative, abs_tol=near):
            return math.isnan(actual) and math.isnan(wanted)
    except OverflowError:  # an int beyond all floats
        return False
    return int not in kinds or round(actual) == round(wanted)


def _elements(value: MapValue | SetValue) -> Mapping[str, tuple[PlainValue, PlainValue]]:
    """Return the elements by a text that is equal for equal elements; a student could choose their hashes."""
    pairs = value.items if isinstance(value, MapValue) else tuple((item, None) for item in value.items)
    return {comparison_key(key): (key, item) for key, item in pairs}


def _walk_value(value: PlainValue) -> Iterator[PlainValue]:
    """Yield a value, and all values in it."""
    yield value
    for part in value.items if isinstance(value, MapValue | SetValue) else value if isinstance(value, tuple) else ():
        yield from _walk_value(part)


def find_opaque(value: PlainValue) -> Opaque | None:
    """Return the first part of a value that cannot be compared, since only its type is known."""
    return next((part for part in _walk_value(value) if isinstance(part, Opaque) and part.text is None), None)


def has_whatever(value: PlainValue) -> bool:
    """Whether a value leaves some of its cells open."""
    return any(isinstance(part, Wildcard) for part in _walk_value(value))


def place_of(path: Sequence[int | str]) -> str:
    """Write the place of a cell: `[1][0]`; or of what a map has: `["Ann"]`."""
    return "".join(f"[{index}]" for index in path)


def element_at(value: PlainValue, path: Sequence[int | str]) -> PlainValue:
    """Return the content of a cell of a list of lists, or a mark if the cell is missing."""
    for index in path:
        is_there = isinstance(value, tuple) and isinstance(index, int) and index < len(value)
        value = value[index] if is_there else MISSING
    return value


def with_cell(value: PlainValue, path: tuple[int, ...], cell: PlainValue) -> PlainValue:
    """Return a value with one cell replaced; missing cells before it become wildcards."""
    if not path:
        return cell
    cells = list(value) if isinstance(value, tuple) else []
    cells += [Wildcard()] * (path[0] + 1 - len(cells))
    cells[path[0]] = with_cell(cells[path[0]], path[1:], cell)
    return tuple(cells)


def shown_value(value: PlainValue, *, is_python: bool) -> str:
    """Write a value for a sentence, not too long: in the words of the language, lists with brackets."""
    if value == UNDEFINED:
        return "undefined"
    if isinstance(value, Opaque) and value.text is not None:
        return f"{quote(value.text, most=MAX_QUOTED_LENGTH)}, an object of the type {quote(value.type)}"
    if isinstance(value, Opaque):
        return f"something of the type {quote(value.type)}, not plain data, or too much of it"
    text = display_value(value, is_python=is_python)
    is_long = isinstance(value, str | tuple | MapValue | SetValue) or len(text) > _MAX_NUMBER_LENGTH
    return quote(text) if is_long else text


def whole_if_short(actual: PlainValue, wanted: PlainValue, *, is_python: bool) -> tuple[str, str] | tuple[()]:
    """Return two lists for a sentence if both are short and the expected one has no open cells."""
    if not (isinstance(actual, tuple) and isinstance(wanted, tuple)) or has_whatever(wanted):
        return ()
    first, second = (display_value(value, is_python=is_python) for value in (actual, wanted))
    return (quote(first), quote(second)) if max(len(first), len(second)) <= _MAX_WHOLE_LENGTH else ()


def in_lines(value: PlainValue, *, is_python: bool) -> str:
    """Write a value in lines, a list of lists with a line for each."""
    is_board = isinstance(value, tuple) and any(isinstance(item, tuple) for item in value)
    lines = [display_value(item, is_python=is_python) for item in (value if is_board else (value,))]
    return show("".join(f"{line}\n" for line in lines).encode(errors="backslashreplace"))


def count_same(first: PlainValue, second: PlainValue) -> int:
    """Return how many cells of two values are the same, to find the nearest of several."""
    if isinstance(first, tuple) and isinstance(second, tuple):
        return sum(map(count_same, first, second))
    return int(first == second)
