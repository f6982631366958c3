"""Listings of tuples whose numbers are all one off, backwards, or columns for rows.

A tuple has two numbers or more: in brackets of any kind, wherever they stand, or alone on a line. Where there are such,
a single number in brackets and alone on its line is one too. A number in a sentence is none, so that the 2 of
`4-Queens has 2 solutions` is left alone.

A deviation is taken back in every tuple of the output, numbers only, so that blanks and brackets stay as they were
written. A line that cannot be one of the expected ones even then, or the reverse, spares the work: see `_may_be`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from grader.judge.mending import Mended
from grader.judge.normal import bare, pieces
from grader.text import quote

# Possessive throughout: numbers and gaps never share a character, so there is nothing to go back to.
_NUMBER = rb"-?+\d{1,9}+(?!\d)"
_GAP = rb"(?:[ \t]*+[,;|][ \t]*+|[ \t]++)"
_NUMBERS = _NUMBER + rb"(?:" + _GAP + _NUMBER + rb")++"
_CLOSING = rb"(?=[ \t]*+,?[ \t]*+[)\]}>])"
_END = rb"[ \t]*+\r?(?:\n|\Z)"
_SEVERAL = (
    rb"(?<=[(\[{<])[ \t]*+" + _NUMBERS + _CLOSING + rb"|^[ \t]*+" + _NUMBERS + rb"(?=[ \t]*+[,;|]?" + _END + rb")"
)
_SINGLE = rb"^[ \t]*+[(\[{<][ \t]*+" + _NUMBER + rb"(?=[ \t]*+,?[ \t]*+[)\]}>]" + _END + rb")"

_TUPLE_OF_SEVERAL = re.compile(rb"(?m)" + _SEVERAL)
TUPLE = re.compile(rb"(?m)" + _SEVERAL + rb"|" + _SINGLE)
"""the numbers of a tuple and what is between them, without the closing bracket"""
_WHOLE = re.compile(_NUMBER)
_PADDED = re.compile(rb" *+" + _NUMBER)
_LONGEST = 2**16
"""bytes of a tuple; what is longer is left as it is"""

_Turn = Callable[[bytes], bytes | None]
"""Returns a tuple with its numbers changed; None when that cannot be done with these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """How a kind of deviation is taken back, and made."""

    mend: tuple[_Turn, ...]
    """in each of these ways"""
    make: _Turn
    told: str
    first: int | None = None
    """the smallest number that gives the deviation away: who begins with it should begin with the other one"""


def _shifted(numbers: bytes, by: int) -> bytes:
    return _WHOLE.sub(lambda number: b"%d" % (int(number[0]) + by), numbers)


def _shifted_in_columns(numbers: bytes, by: int) -> bytes:
    """Keep every number as wide as it was, blanks before it included, as `%3d` does."""

    def shifted(field: re.Match[bytes]) -> bytes:
        number = b"%d" % (int(field[0]) + by)
        blanks = len(field[0]) - len(field[0].lstrip())
        least = 1 if blanks and field.start() else 0
        return b" " * max(len(field[0]) - len(number) if blanks else 0, least) + number

    return _PADDED.sub(shifted, numbers)


def _backwards(numbers: bytes) -> bytes:
    return _renumbered(numbers, _WHOLE.findall(numbers)[::-1])


def _inverse(numbers: bytes) -> bytes | None:
    values = [int(number) for number in _WHOLE.findall(numbers)]
    least = min(values)
    if least not in (0, 1) or sorted(values) != list(range(least, least + len(values))):
        return None
    places = [0] * len(values)
    for place, value in enumerate(values, least):
        places[value - least] = place
    return _renumbered(numbers, [b"%d" % place for place in places])


def _renumbered(numbers: bytes, others: list[bytes]) -> bytes:
    rest = iter(others)
    return _WHOLE.sub(lambda _: next(rest), numbers)


_KINDS: Mapping[str, _Kind] = {
    "zero-based": _Kind(
        mend=(partial(_shifted, by=1), partial(_shifted_in_columns, by=1)),
        make=partial(_shifted, by=-1),
        told="Every number of the listing is one too small",
        first=0,
    ),
    "one-based": _Kind(
        mend=(partial(_shifted, by=-1), partial(_shifted_in_columns, by=-1)),
        make=partial(_shifted, by=1),
        told="Every number of the listing is one too large",
        first=1,
    ),
    "reversed": _Kind(mend=(_backwards,), make=_backwards, told="Every tuple is written backwards"),
    "transposed": _Kind(
        mend=(_inverse,),
        make=_inverse,
        told="Columns stand for rows, so that each tuple is the inverse permutation of one expected",
    ),
}


def mended_tuples(actual: bytes, expected: bytes, *, kind: str) -> Iterator[Mended]:
    """Take `kind` back in every tuple of `actual`; nothing where that cannot make it what is expected."""
    how = _KINDS[kind]
    if not _may_be(how, actual, expected):
        return
    seen = {actual}
    for turn in how.mend:
        text = _turned(actual, turn)
        if text is not None and text not in seen:
            seen.add(text)
            yield Mended(kind=kind, text=text, tell=partial(_message, how, actual, turn))


def _may_be(how: _Kind, actual: bytes, expected: bytes) -> bool:
    """Whether the first tuple of one text is, but for the deviation, anywhere in the other.

    So it must be: if the rest can be explained, all expected lines are there, or all lines that are there are expected.
    """
    have, want = _TUPLE_OF_SEVERAL.search(actual), _TUPLE_OF_SEVERAL.search(expected)
    if have is None or want is None:
        return False
    pairs = ((have[0], how.mend[0], expected), (want[0], how.make, actual))
    turned = ((_turned_numbers(numbers, turn), text) for numbers, turn, text in pairs)
    return any(numbers is not None and bare(numbers) in bare(text) for numbers, text in turned)


def _turned_numbers(numbers: bytes, turn: _Turn) -> bytes | None:
    return turn(numbers) if len(numbers) <= _LONGEST else None


def _turned(text: bytes, turn: _Turn) -> bytes | None:
    """Return `text` with every tuple turned; None when there is one that cannot be."""
    fits = True

    def turned(found: re.Match[bytes]) -> bytes:
        nonlocal fits
        numbers = _turned_numbers(found[0], turn) if fits else None
        if numbers is None:
            fits = False
            return found[0]
        return numbers

    result = b"".join(TUPLE.sub(turned, piece) for piece in pieces(text))
    return result if fits else None


def _message(how: _Kind, actual: bytes, turn: _Turn) -> str:
    told, first = "", None
    for found in TUPLE.finditer(actual):
        if not told and turn(found[0]) != found[0]:
            told = f": {_example(actual, found.start(), turn)}"
        smallest = min(int(number) for number in _WHOLE.findall(found[0]))
        first = smallest if first is None else min(first, smallest)
    advice = f"; count from {1 - first}" if how.first is not None and first == how.first else ""
    return f"{how.told}{told}{advice}."


def _example(actual: bytes, at: int, turn: _Turn) -> str:
    end = actual.find(b"\n", at)
    line = actual[actual.rfind(b"\n", 0, at) + 1 : end if end >= 0 else len(actual)]
    return f"{quote(line)} should be {quote(_turned(line, turn) or line)}"
