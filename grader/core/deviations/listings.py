"""Listings of tuples: numbers that are all one off, backwards, or columns for rows.

A tuple has two numbers or more: in brackets of any kind, wherever they stand, or alone on a line. Where there are such,
a single number in brackets and alone on its line is one too. A number in a sentence is none, so that the 2 of
`4-Queens has 2 solutions` is left alone.

A deviation is taken back in every tuple of the output, numbers only, so that blanks and brackets stay as they were
written. A tuple that is not there even then, or the reverse, spares the work: see `_may_be`.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from grader.core.deviations.normalise import bare
from grader.core.deviations.table import Mended
from grader.core.lazy import lazy_regex
from grader.core.text import quote

# Possessive throughout: numbers and gaps never share a character, so there is nothing to go back to.
# -0 is none: no index is one off from it.
_NUMBER = rb"(?!-0++(?!\d))-?+\d{1,9}+(?!\d)"
_NUMBERS = _NUMBER + rb"(?:(?:[ \t]*+[,;|][ \t]*+|[ \t]++)" + _NUMBER + rb")++"
_CLOSING = rb"(?=[ \t]*+,?[ \t]*+[)\]}>])"
_LINE_END = rb"[ \t]*+\r?(?:\n|\Z)"
_SEVERAL = (
    rb"(?m)(?<=[(\[{<])[ \t]*+"
    + _NUMBERS
    + _CLOSING
    + rb"|^[ \t]*+"
    + _NUMBERS
    + rb"(?=[ \t]*+[,;|]?"
    + _LINE_END
    + rb")"
)
_SINGLE = rb"^[ \t]*+[(\[{<][ \t]*+" + _NUMBER + rb"(?=[ \t]*+,?[ \t]*+[)\]}>]" + _LINE_END + rb")"

_TUPLE_OF_SEVERAL = lazy_regex(_SEVERAL)
TUPLE = lazy_regex(_SEVERAL + rb"|" + _SINGLE)
"""the numbers of a tuple and what is between them, without the closing bracket"""
_WHOLE_NUMBER = lazy_regex(_NUMBER)
_PADDED = lazy_regex(rb" *+" + _NUMBER)

_MAX_LENGTH = 2**18
"""bytes of a tuple; a longer one is not turned"""

_Turning = Callable[[bytes], bytes | None]
"""Returns a tuple with its numbers changed; None when that cannot be done."""


class _TupleKind(Struct, frozen=True, kw_only=True):
    """How a kind of deviation is taken back, and made."""

    mend: tuple[_Turning, ...]
    """in each of these ways"""
    make: _Turning
    sentence: str
    first: int | None = None
    """the smallest number that gives the deviation away: who begins with it should begin with the other one"""


def _shifted(numbers: bytes, by: int) -> bytes:
    return _WHOLE_NUMBER.sub(lambda number: b"%d" % (int(number[0]) + by), numbers)


def _shifted_in_columns(numbers: bytes, by: int) -> bytes:
    """Keep every number as wide as it was, blanks before it included, as `%3d` does."""

    def shifted(field: re.Match[bytes]) -> bytes:
        number = b"%d" % (int(field[0]) + by)
        has_blanks = field[0].startswith(b" ")
        least = 1 if has_blanks and field.start() else 0
        return b" " * max(len(field[0]) - len(number) if has_blanks else 0, least) + number

    return _PADDED.sub(shifted, numbers)


def _with_numbers(numbers: bytes, others: list[bytes]) -> bytes:
    rest = iter(others)
    return _WHOLE_NUMBER.sub(lambda _: next(rest), numbers)


def _backwards(numbers: bytes) -> bytes:
    return _with_numbers(numbers, _WHOLE_NUMBER.findall(numbers)[::-1])


def _inverse(numbers: bytes) -> bytes | None:
    values = list(map(int, _WHOLE_NUMBER.findall(numbers)))
    least = min(values)
    if least not in (0, 1) or sorted(values) != list(range(least, least + len(values))):
        return None
    places = dict(zip(values, range(least, least + len(values)), strict=True))
    return _with_numbers(numbers, [b"%d" % places[value] for value in sorted(values)])


def _mended_tuples(how: _TupleKind, actual: bytes, expected: bytes, *_: bytes) -> Iterator[Mended]:
    """Take a kind back in every tuple of `actual`; nothing where that cannot make it what is expected."""
    seen = {actual}
    for turn in how.mend if _may_be(how, actual, expected) else ():
        text = _turned(actual, turn)
        if text is not None and text not in seen:
            seen.add(text)
            yield text, expected, partial(_describe_tuples, how, actual, turn)


def _may_be(how: _TupleKind, actual: bytes, expected: bytes) -> bool:
    """Whether some tuples of one text are, but for the deviation, anywhere in the other.

    So it must be: if the rest can be explained, all expected lines are there, or all lines that are there are expected.
    """
    if not (_TUPLE_OF_SEVERAL.search(actual) and _TUPLE_OF_SEVERAL.search(expected)):
        return False
    return any(
        all(
            (numbers := _turned_one(found[0], turn)) is not None and bare(numbers) in bare(other)
            for found in _some_tuples(text)
        )
        for turn, text, other in ((how.mend[0], actual, expected), (how.make, expected, actual))
    )


def _turned_one(numbers: bytes, turn: _Turning) -> bytes | None:
    return turn(numbers) if len(numbers) <= _MAX_LENGTH else None


def _some_tuples(text: bytes) -> Iterator[re.Match[bytes]]:
    """Iterate over a tuple of the first half of a text, and one of the second."""
    return filter(None, (_TUPLE_OF_SEVERAL.search(text, place) for place in (0, len(text) // 2)))


def _turned(text: bytes, turn: _Turning) -> bytes | None:
    """Return `text` with every tuple turned; None when there is one that cannot be."""
    turned = [_turned_one(found[0], turn) for found in TUPLE.finditer(text)]
    if None in turned:
        return None
    rest = iter(turned)
    return TUPLE.sub(lambda _: next(rest) or b"", text)


def _describe_tuples(how: _TupleKind, actual: bytes, turn: _Turning) -> str:
    changed = next((found for found in TUPLE.finditer(actual) if turn(found[0]) != found[0]), None)
    example = ""
    if changed:
        start = actual.rfind(b"\n", 0, changed.start()) + 1
        line = actual[start:].partition(b"\n")[0]
        example = f": {quote(line)} should be {quote(_turned(line, turn) or line)}"
    numbers = (int(number) for found in TUPLE.finditer(actual) for number in _WHOLE_NUMBER.findall(found[0]))
    advice = "" if how.first is None or min(numbers, default=-1) != how.first else f"; count from {1 - how.first}"
    return f"{how.sentence}{example}{advice}."


mended_from_zero = partial(
    _mended_tuples,
    _TupleKind(
        mend=(partial(_shifted, by=1), partial(_shifted_in_columns, by=1)),
        make=partial(_shifted, by=-1),
        sentence="Every number of the listing is one too small",
        first=0,
    ),
)
mended_from_one = partial(
    _mended_tuples,
    _TupleKind(
        mend=(partial(_shifted, by=-1), partial(_shifted_in_columns, by=-1)),
        make=partial(_shifted, by=1),
        sentence="Every number of the listing is one too large",
        first=1,
    ),
)
mended_backwards = partial(
    _mended_tuples, _TupleKind(mend=(_backwards,), make=_backwards, sentence="Every tuple is written backwards")
)
mended_columns = partial(
    _mended_tuples,
    _TupleKind(mend=(_inverse,), make=_inverse, sentence="Rows and columns are exchanged in every tuple"),
)
