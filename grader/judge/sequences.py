"""The comparators of words and of numbers: all of a text, in order, whatever is between them.

Decimals hold what is written without loss: `2 ** 64 + 1` is not `2 ** 64`, and `1e999999` costs nothing. The same
digits are the same number without a look at their value.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from functools import partial
from itertools import zip_longest
from operator import eq

from grader.judge.wanted import Wanted
from grader.model import Deviation
from grader.text import capital, quote

_WORD = re.compile(rb"\S+")
# A sign belongs to a number unless it stands behind a word or a bracket, as in `1-2` and `(n)-1`.
_NUMBER = re.compile(
    rb"(?:(?<![\w.)\]])[-+])?(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?\d++)?+"
    rb"|(?:(?<![\w.)\]])[-+])?\b(?i:nan|inf(?:inity)?)\b"
)
_ROUGH = Context(prec=50, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
"""enough digits for a difference that is held against a tolerance"""

Difference = tuple[int, bytes | None, bytes | None]


def compare_tokens(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Ask that the words are those of the text, whatever blanks and line breaks are between them."""
    first = _first_difference(_found(_WORD, output), _found(_WORD, wanted.values[0]), eq)
    if first is None:
        return ()
    worse = _first_difference(_found(_WORD, output), _found(_WORD, wanted.values[0]), _same_letters)
    kind, reason = ("wrong", "") if worse else ("letter-case", "Capital and small letters differ: ")
    return (wanted.deviation(kind, capital(reason + _told("word", worse or first, wanted.where))),)


def _same_letters(have: bytes, want: bytes) -> bool:
    return have.decode(errors="surrogateescape").lower() == want.decode(errors="surrogateescape").lower()


def compare_numbers(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Ask that the numbers are those of the text, each within the tolerance."""
    close = partial(_close, within=Decimal(repr(wanted.tolerance)))
    first = _first_difference(_found(_NUMBER, output), _found(_NUMBER, wanted.values[0]), close)
    return (wanted.deviation("wrong", capital(_told("number", first, wanted.where))),) if first else ()


def numbers(text: bytes) -> tuple[bytes, ...]:
    """Return the numbers in a text, as they are written there."""
    return tuple(_found(_NUMBER, text))


def _found(pattern: re.Pattern[bytes], text: bytes) -> Iterator[bytes]:
    return (match[0] for match in pattern.finditer(text))


def _first_difference(
    haves: Iterable[bytes], wants: Iterable[bytes], same: Callable[[bytes, bytes], bool]
) -> Difference | None:
    for position, (have, want) in enumerate(zip_longest(haves, wants), 1):
        if have is None or want is None or not same(have, want):
            return position, have, want
    return None


def _told(noun: str, difference: Difference, where: str) -> str:
    position, have, want = difference
    if have is None:
        return f"{where} ends where {noun} {position}, {quote(want or b'')}, is expected."
    if want is None:
        return f"{noun} {position} of {where} is {quote(have)}, where nothing more is expected."
    return f"{noun} {position} of {where} is {quote(have)}, expected {quote(want)}."


def _close(have: bytes, want: bytes, *, within: Decimal) -> bool:
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
