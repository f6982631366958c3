"""Tolerances of numbers, `tolerance` and `relative`, for the comparators of numbers.

Decimals represent written numbers without loss: `2 ** 64 + 1` is not `2 ** 64`, and `1e999999` costs nothing. Equal
digits are equal numbers without parsing.
"""

from collections.abc import Callable, Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from grader.core.comparators.base import Siblings, Wanted
from grader.core.lazy import lazy_regex
from grader.core.model.spec import Expected
from grader.core.yaml.json_schema_parts import JsonSchema, any_of, strict_text
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import QUANTITIES, Key, Keys, Value, keyword, parse_number, unwanted, wrong
from grader.core.yaml.writing import plain

# A sign belongs to a number unless it stands behind a word or a bracket, as in `1-2` and `(n)-1`.
WRITTEN_NUMBER = lazy_regex(
    rb"(?:(?<![\w.)\]])[-+])?(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?\d++)?+"
    rb"|(?:(?<![\w.)\]])[-+])?\b(?i:nan|inf(?:inity)?)\b"
)
# The same for texts without such words, in a sixth of the time: a search skips to what a number begins with.
NUMBER_IN_DIGITS = lazy_regex(
    rb"[-+.\d](?:(?<=\d)\d*+(?:\.\d*+)?+|(?<=\.)\d++|(?<=[-+])(?<![\w.)\]].)(?:\d++(?:\.\d*+)?+|\.\d++))"
    rb"(?:[eE][-+]?\d++)?+"
)
_SLACK = 1e-15
"""an upper bound of the relative error of a binary difference of two numbers"""
_MIN_MAGNITUDE = 1e-300
"""below which binary numbers have fewer digits"""
_ROUGH = Context(prec=50, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
"""enough digits for a difference that is compared with a tolerance"""

CLOSENESS: Keys = {
    "tolerance": Key(
        about="The largest absolute difference of two numbers.",
        kind="tolerance",
        default=0,
        beside="numbers tokens lines",
    ),
    "relative": Key(
        about="The largest difference of two numbers as a share of the wanted one; with both, either is enough.",
        kind="relative",
        examples=(1e-6,),
        beside="numbers tokens lines",
    ),
}
CLOSENESS_KINDS: Mapping[str, JsonSchema] = {
    "tolerance": any_of(
        {"type": "number", "minimum": 0}, strict_text(r"^(?!-)" + QUANTITIES["number"].removeprefix("^"))
    ),
    "relative": any_of(
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        strict_text(r"^(?!-)" + QUANTITIES["number"].removeprefix("^")),
    ),
}


def read_closeness(siblings: Siblings) -> dict[str, Any]:
    """Read the tolerances, as keyword arguments of `Expected`."""
    bounds: Mapping[str, tuple[Callable[[float], bool], str]] = {
        "tolerance": (lambda number: number >= 0, "a number that is 0 or more"),
        "relative": (lambda number: 0 < number < 1, "a number over 0 and under 1, such as 1e-6"),
    }
    return {name: _read_within(siblings[name][1], *bound) for name, bound in bounds.items() if name in siblings}


def _read_within(value: Value, is_right: Callable[[float], bool], wanted: str) -> float:
    number = parse_number(keyword(value) or "")
    if number is None or not is_right(number):
        unwanted(value, wanted)
        return 0.0
    return number


def refuse_idle_tolerance(expected: Expected, siblings: Siblings) -> None:
    """Find a tolerance of 0 where texts are compared, which changes nothing."""
    if "tolerance" in siblings and not (expected.tolerance or expected.relative):
        wrong(siblings["tolerance"][1], "0 changes nothing here: leave it out, or say how far numbers may be off")


def are_surely_close(haves: list[bytes], wants: list[bytes], wanted: Wanted) -> bool:
    """Whether all pairs of numbers are within the tolerances; False if floats cannot decide it."""
    if haves == wants:
        return True
    least, share = wanted.tolerance * (1 - _SLACK), wanted.relative * (1 - _SLACK)
    return all(
        have == want
        or abs(one - other) + _SLACK * (abs(one) + abs(other)) + _MIN_MAGNITUDE < max(least, share * abs(other))
        for have, want, one, other in zip(haves, wants, map(float, haves), map(float, wants), strict=True)
    )


def is_close(have: bytes, want: bytes, wanted: Wanted) -> bool:
    """Whether two numbers are within the tolerances."""
    if have == want:
        return True
    try:
        one, other = Decimal(have.decode()), Decimal(want.decode())
    except InvalidOperation:  # an exponent beyond all bounds
        return False
    if not (one.is_finite() and other.is_finite()):
        return one == other or (one.is_nan() and other.is_nan())
    off = _ROUGH.abs(_ROUGH.subtract(one, other))
    if one == other or off <= _as_written(wanted.tolerance):
        return True
    return wanted.relative > 0 and off <= _ROUGH.multiply(_ROUGH.abs(other), _as_written(wanted.relative))


@lru_cache(maxsize=16)
def _as_written(number: float) -> Decimal:
    return Decimal(repr(number))


def closeness_nodes(expected: Expected) -> dict[str, Node]:
    """Write the tolerances."""
    bounds = {"tolerance": expected.tolerance, "relative": expected.relative}
    return {name: plain(repr(number)) for name, number in bounds.items() if number}


def describe_closeness(expected: Expected) -> str:
    """Describe the tolerances: "to within 0.01 or 0.1 % of each"; empty without any."""
    bounds = [f"{expected.tolerance:g}"] if expected.tolerance else []
    bounds += [f"{100 * expected.relative:g} % of each"] if expected.relative else []
    return f"to within {' or '.join(bounds)}" if bounds else ""
