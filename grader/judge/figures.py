"""The comparator of numbers: all numbers of a text, in order, whatever words are between them.

Decimals hold what is written without loss: `2 ** 64 + 1` is not `2 ** 64`, and `1e999999` costs nothing. The same
digits are the same number without a look at their value.
"""

import re
from collections.abc import Iterator
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from itertools import zip_longest

from grader.judge.wanted import Wanted
from grader.judge.words import capital, quote
from grader.model import Deviation

# A sign belongs to a number unless it stands behind a word or a bracket, as in `1-2` and `(n)-1`.
_NUMBER = re.compile(
    rb"(?:(?<![\w.)\]])[-+])?(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?\d++)?+"
    rb"|(?:(?<![\w.)\]])[-+])?\b(?i:nan|inf(?:inity)?)\b"
)
_ROUGH = Context(prec=50, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
"""enough digits for a difference that is held against a tolerance"""


def compare_numbers(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Ask that the numbers are those of the text, each within the tolerance."""
    within = Decimal(repr(wanted.tolerance))
    both = zip_longest(_numbers(output), _numbers(wanted.values[0]))
    for position, (have, want) in enumerate(both, 1):
        if have is None or want is None or not _close(have, want, within):
            return (wanted.deviation("wrong", _sentence(position, have, want, wanted.where)),)
    return ()


def _numbers(text: bytes) -> Iterator[bytes]:
    return (found[0] for found in _NUMBER.finditer(text))


def _close(have: bytes, want: bytes, within: Decimal) -> bool:
    if have == want:
        return True
    one, other = _value(have), _value(want)
    if one is None or other is None:
        return False
    if one.is_nan() or other.is_nan():
        return one.is_nan() and other.is_nan()
    if one == other:
        return True
    return one.is_finite() and other.is_finite() and _ROUGH.abs(_ROUGH.subtract(one, other)) <= within


def _value(written: bytes) -> Decimal | None:
    try:
        return Decimal(written.decode())
    except InvalidOperation:  # an exponent beyond all bounds
        return None


def _sentence(position: int, have: bytes | None, want: bytes | None, where: str) -> str:
    if have is None:
        return f"{capital(where)} has {position - 1 or 'no'} numbers, and then {quote(want or b'')} is expected."
    if want is None:
        return f"Number {position} of {where} is {quote(have)}, where no more are expected."
    return f"Number {position} of {where} is {quote(have)}, expected {quote(want)}."
