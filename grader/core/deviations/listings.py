"""Listings of tuples: numbers that are all one off, backwards, or columns for rows; and the line that counts them.

A tuple has two numbers or more: in brackets of any kind, wherever they stand, or alone on a line. Where there are such,
a single number in brackets and alone on its line is one too. A number in a sentence is none, so that the 2 of
`4-Queens has 2 solutions` is left alone.

A deviation is taken back in every tuple of the output, numbers only, so that blanks and brackets stay as they were
written. A tuple that is not there even then, or the reverse, spares the work: see `_may_be`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from grader.core.deviations.normalise import bare, each_line, ended, is_blank, last_sign
from grader.core.deviations.table import Mended
from grader.core.deviations.wording import MAX_PARTS, parts_of
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


# ---------------------------------------------------------------- the line that counts a listing
#
# It is the first or the last line of what is expected, a sentence with a number: that of the other lines, of the
# tuples, or of the blocks that empty lines part. Where no line states such a number, no number is a count.

_MIN_ROWS = 2
"""lines that make a listing when they are no tuples, or a listing with the line that states its number"""
_ANY_BLANKS = rb"[ \t]*+"


def mended_count(actual: bytes, expected: bytes, *_: bytes) -> Iterator[Mended]:
    """Put the right number into the line of `actual` that states the count, if it states another one."""
    for line, at in _counts(expected):
        pattern = re.compile(_counting_line(line, at))
        stated = None
        for stated in pattern.finditer(actual):
            if stated[1] == at[0]:
                break
        if stated is None or stated[1] == at[0] or not _is_amount(at[0], expected, line):
            continue
        if not is_blank(actual, stated.end()) or not is_blank(actual[: stated.start()]):
            text = actual[: stated.start(1)] + at[0] + actual[stated.end(1) :]
            yield (
                text,
                expected,
                partial(str, f"The stated count is wrong: {quote(stated[0])}, expected {quote(line)}."),
            )


def mended_summary(actual: bytes, expected: bytes) -> Iterator[Mended]:
    """Put the line that states the count at its end of `actual`: instead of a similar line, or where there is none.

    Unlike `mended_count`, this takes a line of other words, or none, for a wrong number. It is for listings that
    nothing else explains, and for empty ones, whose line says 0: the same fault costs the same where there is nothing
    to list.
    """
    rows = [row for row in map(bytes.strip, actual.splitlines()) if row]
    known = {bare(row.strip()) for row in each_line(expected)}
    is_of_tuples = TUPLE.search(expected) is not None
    is_empty = len(known - {b""}) == 1
    for line, at in _counts(expected):
        is_count = at[0] == b"0" if is_empty else _is_amount(at[0], expected, line)
        if len(rows) < _MIN_ROWS - 1 or bare(line) in map(bare, rows) or not is_count:
            continue
        is_last = last_sign(expected) < expected.rfind(line) + len(line)
        stated = rows[-1 if is_last else 0]
        if bare(stated) in known:
            text = b"".join((ended(actual), line, b"\n") if is_last else (line, b"\n", actual))
            yield text, expected, partial(str, f"The line that states the count is missing: {quote(line)}.")
        elif (len(rows) >= _MIN_ROWS or is_empty) and _is_meant_as(line, stated, is_of_tuples, is_empty=is_empty):
            start = actual.rfind(stated) if is_last else actual.find(stated)
            text = b"".join((actual[:start], line, actual[start + len(stated) :]))
            told = f"The line that states the count is wrong: {quote(stated)}, expected {quote(line)}."
            yield text, expected, partial(str, told)


def _is_meant_as(line: bytes, stated: bytes, is_of_tuples: bool, *, is_empty: bool) -> bool:  # noqa: FBT001 - private
    """Whether a line states some number in words: any words in a listing of tuples, else most of those of `line`.

    Any words as well where nothing is listed, and where it says 0 and no other number than `line`.
    """
    have, words = ([part["word"].lower() for part in parts_of(one) if part["word"]] for one in (stated, line))
    numbers, others = ({part[0] for part in parts_of(one) if part["number"]} for one in (stated, line))
    if not have or not numbers or TUPLE.search(stated):
        return False
    says_none = is_empty and {b"0"} <= numbers <= others
    return is_of_tuples or says_none or 2 * (Counter(have) & Counter(words)).total() > len(words)


def _counts(expected: bytes) -> Iterator[tuple[bytes, re.Match[bytes]]]:
    """Iterate over the numbers that may be a count, if they are an amount, each with its line."""
    text = expected.strip()
    for line in dict.fromkeys((text.rpartition(b"\n")[2], text.partition(b"\n")[0])):
        found = parts_of(line)
        if not any(part["word"] for part in found) or len(found) > MAX_PARTS or TUPLE.search(line):
            continue
        yield from ((line, part) for part in found if part["number"])


def _is_amount(number: bytes, text: bytes, line: bytes) -> bool:
    """Whether a number is the count of the tuples, or of the lines or blocks besides `line`."""
    rows = blocks = 0
    is_open = False
    others = {b"", line.strip()}
    for other in map(bytes.strip, each_line(text)):
        is_row = other not in others
        blocks += is_row and not is_open
        rows += is_row
        is_open = is_row
    if rows >= _MIN_ROWS and number in (b"%d" % rows, b"%d" % blocks):
        return True
    return number == b"%d" % sum(1 for _ in TUPLE.finditer(text)) != b"0"


def _counting_line(line: bytes, at: re.Match[bytes]) -> bytes:
    """Return a pattern of the line with any number in that place, ignoring blanks and capitals."""
    halves = (line[: at.start()], line[at.end() :])
    one, other = (_ANY_BLANKS.join(re.escape(part[0]) for part in parts_of(half)) for half in halves)
    number = _ANY_BLANKS + rb"(?<!\d)(\d++)" + _ANY_BLANKS
    return rb"(?mi)^" + _ANY_BLANKS + one + number + other + _ANY_BLANKS + rb"\r?$"
