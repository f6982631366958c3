"""Tolerances of numbers, `tolerance` and `relative`, for the comparators of numbers.

Decimals represent written numbers without loss: `2 ** 64 + 1` is not `2 ** 64`, and `1e999999` costs nothing. Equal
digits are equal numbers without parsing.
"""

from collections.abc import Callable, Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from grader.core.comparators.base import Siblings
from grader.core.lazy import lazy_regex
from grader.core.model.spec import Options
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


class Closeness(Options, frozen=True, kw_only=True):
    """How far numbers may be off; without any bound they are compared as they are written."""

    tolerance: float = 0.0
    """the absolute difference allowed of two numbers"""
    relative: float = 0.0
    """the difference allowed, as a share of the wanted number; either is enough"""

    @property
    def is_exact(self) -> bool:
        """Whether no number may be off."""
        return not (self.tolerance or self.relative)

    def nodes(self) -> dict[str, Node]:
        """Write the bounds."""
        bounds = {"tolerance": self.tolerance, "relative": self.relative}
        return {name: plain(repr(number)) for name, number in bounds.items() if number}

    def in_words(self, before: str) -> str:
        """Describe the bounds, with what stands before: "to within 0.01 or 0.1 % of each"; empty without any."""
        bounds = [f"{self.tolerance:g}"] if self.tolerance else []
        bounds += [f"{100 * self.relative:g} % of each"] if self.relative else []
        return f"{before}to within {' or '.join(bounds)}" if bounds else ""

    def is_close(self, have: bytes, want: bytes) -> bool:
        """Whether two written numbers are within the bounds. Floats decide first, as far as they surely can."""
        if have == want:
            return True
        one, other = float(have), float(want)
        slack = _SLACK * (abs(one) + abs(other)) + _MIN_MAGNITUDE
        if abs(one - other) + slack < (1 - _SLACK) * max(self.tolerance, self.relative * abs(other)):
            return True
        return self._is_close_without_loss(have.decode(), want.decode())

    def _is_close_without_loss(self, have: str, want: str) -> bool:
        try:
            one, other = Decimal(have), Decimal(want)
        except InvalidOperation:  # an exponent beyond all bounds
            return False
        if not (one.is_finite() and other.is_finite()):
            return one == other or (one.is_nan() and other.is_nan())
        off, size = _ROUGH.abs(_ROUGH.subtract(one, other)), _ROUGH.abs(other)
        tolerance, relative = map(_as_written, (self.tolerance, self.relative))
        return one == other or off <= tolerance or (relative > 0 and off <= _ROUGH.multiply(size, relative))


def read_closeness(siblings: Siblings, *, of_texts: bool) -> dict[str, Any]:
    """Read the fields of `Closeness`; a tolerance of 0 changes nothing where texts are compared."""
    found = {name: read(siblings[name][1]) for name, read in _BOUNDS.items() if name in siblings}
    if of_texts and "tolerance" in found and not any(found.values()):
        wrong(siblings["tolerance"][1], "0 changes nothing here: leave it out, or say how far numbers may be off")
    return found


def _bound(is_right: Callable[[float], bool], wanted: str) -> Callable[[Value], float]:
    def read(value: Value) -> float:
        number = parse_number(keyword(value) or "")
        if number is None or not is_right(number):
            unwanted(value, wanted)
            return 0.0
        return number

    return read


_BOUNDS: Mapping[str, Callable[[Value], float]] = {
    "tolerance": _bound(lambda number: number >= 0, "a number that is 0 or more"),
    "relative": _bound(lambda number: 0 < number < 1, "a number over 0 and under 1, such as 1e-6"),
}


@lru_cache(maxsize=16)
def _as_written(number: float) -> Decimal:
    return Decimal(repr(number))
