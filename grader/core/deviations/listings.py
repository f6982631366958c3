"""Listings of tuples: numbers that are all one off, backwards, or columns for rows; and the line that counts them.

A tuple has two numbers or more: in brackets of any kind, wherever they stand, or alone on a line. Where there are such,
a single number in brackets and alone on its line is one too. A number in a sentence is none, so that the 2 of
`4-Queens has 2 solutions` is left alone.

A deviation is taken back in every tuple of the output, numbers only, so that blanks and brackets stay as they were
written. A line that cannot be one of the expected ones even then, or the reverse, spares the work: see `_may_be`.

The line that states the count is the first or the last line of what is expected, a sentence with a number that
is that of the other lines, of the tuples, or of the blocks that empty lines part. Where no line states such a number,
no number is a count.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from operator import lt

import msgspec
from msgspec import Struct

from grader.core.deviations.line_alignment import equal_ends
from grader.core.deviations.normalise import TEXT_KINDS, bare, each_line, ended, forms, is_blank, last_sign, pieces
from grader.core.deviations.search import MAX_COUNTED, MAX_SEARCHED
from grader.core.deviations.wording import MAX_PARTS, parts_of
from grader.core.lazy import lazy_regex
from grader.core.text import quote

# Possessive throughout: numbers and gaps never share a character, so there is nothing to go back to.
# -0 is none: no index is one off from it.
_TUPLE_NUMBER = rb"(?!-0++(?!\d))-?+\d{1,9}+(?!\d)"
_GAP = rb"(?:[ \t]*+[,;|][ \t]*+|[ \t]++)"
_NUMBERS = _TUPLE_NUMBER + rb"(?:" + _GAP + _TUPLE_NUMBER + rb")++"
_CLOSING = rb"(?=[ \t]*+,?[ \t]*+[)\]}>])"
_LINE_END = rb"[ \t]*+\r?(?:\n|\Z)"
_SEVERAL = (
    rb"(?<=[(\[{<])[ \t]*+" + _NUMBERS + _CLOSING + rb"|^[ \t]*+" + _NUMBERS + rb"(?=[ \t]*+[,;|]?" + _LINE_END + rb")"
)
_SINGLE = rb"^[ \t]*+[(\[{<][ \t]*+" + _TUPLE_NUMBER + rb"(?=[ \t]*+,?[ \t]*+[)\]}>]" + _LINE_END + rb")"

_TUPLE_OF_SEVERAL = lazy_regex(rb"(?m)" + _SEVERAL)
TUPLE = lazy_regex(rb"(?m)" + _SEVERAL + rb"|" + _SINGLE)
"""the numbers of a tuple and what is between them, without the closing bracket"""
_TUPLES_APART = lazy_regex(rb"(?m)(" + _SEVERAL + rb"|" + _SINGLE + rb")")
"""splits a text into what is between tuples, and these"""
_WHOLE_NUMBER = lazy_regex(_TUPLE_NUMBER)
_NUMBERS_APART = lazy_regex(rb"(" + _TUPLE_NUMBER + rb")")
_PADDED = lazy_regex(rb" *+" + _TUPLE_NUMBER)
_LED_BY_ZERO = lazy_regex(rb"0(?<!\d.)\d")
_BLANKS, _STAND_INS = b" \t\n", b"\1\2\3"
_OPENING = (b"(", b"[", b"{", b"<")
_COLUMN_SIGNS = (b"-", b"  ", b"\n ", *(bracket + b" " for bracket in _OPENING))
_GAP_SIGNS = (*(b"%c" % sign for sign in b" \t,;|()[]{}<>"), b"\n")
# Which splits numbers and gaps in a tenth of the time that a pattern takes.
_NUMBERS_ONLY = bytes(sign if sign in b"-0123456789\n" else ord(" ") for sign in range(256))
_DIGITS_APART = bytes(sign if sign in b"0123456789" else ord(" ") for sign in range(256))
_GAPS_ONLY = bytes.maketrans(_BLANKS + b"-0123456789", _STAND_INS + b" " * 11)
_BLANKS_AGAIN = bytes.maketrans(_STAND_INS, _BLANKS)
_MAX_TUPLE_LENGTH = 2**18
"""bytes of a tuple; what is longer is left as it is"""
_SMALLER = {0: lazy_regex(rb"-\d"), 1: lazy_regex(rb"-\d|0(?<!\d.)0*+(?!\d)")}
"""what is in a text where there is a number below 0 or 1"""
_EQUAL = {0: lazy_regex(rb"0(?<!\d.)0*+(?!\d)"), 1: lazy_regex(rb"[01](?<!\d.)(?:(?<=1)|0*+1)(?!\d)")}
"""what is in a text where there is a number 0 or 1"""
_MIN_ROWS = 2
"""lines that make a listing when they are no tuples, or a listing with the line that states its number"""
_SIGN = lazy_regex(rb"\S")
_ANY_BLANKS = rb"[ \t]*+"

_Turning = Callable[[list[bytes]], list[bytes] | None]
"""Returns tuples with their numbers changed; None when that cannot be done with one of these."""


class _TupleKind(Struct, frozen=True, kw_only=True):
    """How a kind of deviation is taken back, and made."""

    mend: tuple[_Turning, ...]
    """in each of these ways"""
    make: _Turning
    sentence: str
    first: int | None = None
    """the smallest number that gives the deviation away: who begins with it should begin with the other one"""


def _shifted(tuples: list[bytes], by: int) -> list[bytes]:
    """Shift all numbers at once: a call for each takes several times as long."""
    numbers = b" ".join(tuples).translate(_NUMBERS_ONLY).split()
    try:
        shifted = [number + by for number in msgspec.json.decode(b"[%b]" % b",".join(numbers), type=list[int])]
    except msgspec.DecodeError:  # one of them begins with a 0
        shifted = [int(number) + by for number in numbers]
    return _with_numbers(tuples, msgspec.json.encode(shifted)[1:-1].split(b","))


def _with_numbers(tuples: list[bytes], numbers: list[bytes]) -> list[bytes]:
    """Return tuples with other numbers, in the order in which they come; what is between these stays."""
    text = b"\n".join(tuples)
    gaps = text.translate(_GAPS_ONLY).split()
    parts = [b""] * (len(numbers) + len(gaps))
    begins_with_gap = text[:1] in _GAP_SIGNS
    parts[begins_with_gap::2], parts[not begins_with_gap :: 2] = numbers, gaps
    return b"".join(parts).translate(_BLANKS_AGAIN).split(b"\n")


def _shifted_in_columns(tuples: list[bytes], by: int) -> list[bytes]:
    """Keep every number as wide as it was, blanks before it included, as `%3d` does."""

    def shifted(field: re.Match[bytes]) -> bytes:
        number = b"%d" % (int(field[0]) + by)
        blanks = len(field[0]) - len(field[0].lstrip())
        least = 1 if blanks and field.start() else 0
        return b" " * max(len(field[0]) - len(number) if blanks else 0, least) + number

    # With single blanks, a number is only moved by one that becomes shorter.
    if _LED_BY_ZERO.search(b"\n".join(tuples)):
        return [_PADDED.sub(shifted, numbers) for numbers in tuples]
    all_plain = _shifted(tuples, by)
    if not (
        _has_columns(b"\n".join(tuples))
        or b"-" in b"\n".join(all_plain)
        or any(map(lt, map(len, all_plain), map(len, tuples)))
    ):
        return all_plain
    return [
        _PADDED.sub(shifted, numbers)
        if b"  " in numbers or numbers[:1] == b" " or len(plain) < len(numbers) or b"-" in numbers + plain
        else plain
        for numbers, plain in zip(tuples, all_plain, strict=True)
    ]


def _has_columns(text: bytes) -> bool:
    """Whether a text has what makes a number one too small be put right in another way where its width is kept."""
    return text.startswith(b" ") or any(map(text.__contains__, _COLUMN_SIGNS)) or _LED_BY_ZERO.search(text) is not None


def _backwards(tuples: list[bytes]) -> list[bytes]:
    text = b"\n".join(tuples)
    numbers = text.translate(_NUMBERS_ONLY).split()
    if len(numbers) == 2 * len(tuples) and not any(map(text.__contains__, _OPENING)):
        numbers[::2], numbers[1::2] = numbers[1::2], numbers[::2]  # all are pairs, for a single one has its bracket
    else:
        rows = text.translate(_NUMBERS_ONLY).split(b"\n")
        numbers = b" ".join([b" ".join(row.split()[::-1]) for row in rows]).split()
    return _with_numbers(tuples, numbers)


def _inverse(tuples: list[bytes]) -> list[bytes] | None:
    turned = []
    for numbers in tuples:
        parts = _NUMBERS_APART.split(numbers)
        values = [int(number) for number in parts[1::2]]
        least = min(values)
        if least not in (0, 1) or sorted(values) != list(range(least, least + len(values))):
            return None
        places = [b""] * len(values)
        for place, value in enumerate(values, least):
            places[value - least] = b"%d" % place
        parts[1::2] = places
        turned.append(b"".join(parts))
    return turned


TUPLE_KINDS: Mapping[str, _TupleKind] = {
    "zero-based": _TupleKind(
        mend=(partial(_shifted, by=1), partial(_shifted_in_columns, by=1)),
        make=partial(_shifted, by=-1),
        sentence="Every number of the listing is one too small",
        first=0,
    ),
    "one-based": _TupleKind(
        mend=(partial(_shifted, by=-1), partial(_shifted_in_columns, by=-1)),
        make=partial(_shifted, by=1),
        sentence="Every number of the listing is one too large",
        first=1,
    ),
    "reversed": _TupleKind(mend=(_backwards,), make=_backwards, sentence="Every tuple is written backwards"),
    "transposed": _TupleKind(
        mend=(_inverse,),
        make=_inverse,
        sentence="Rows and columns are exchanged in every tuple",
    ),
}


def mended_tuples(actual: bytes, expected: bytes, *, kind: str) -> Iterator[tuple[bytes, Callable[[], str]]]:
    """Take `kind` back in every tuple of `actual`; nothing where that cannot make it what is expected."""
    how = TUPLE_KINDS[kind]
    if not _may_be(how, actual, expected):
        return
    seen = {actual}
    for turn in how.mend if how.first != 0 or _has_columns(actual) else how.mend[:1]:
        text = _turned(actual, turn)
        if text is not None and text not in seen:
            seen.add(text)
            yield text, partial(_describe_tuples, how, actual, turn)


def has_tuples(text: bytes) -> bool:
    """Whether there is a tuple of two numbers or more."""
    return bool(_TUPLE_OF_SEVERAL.search(text))


def _may_be(how: _TupleKind, actual: bytes, expected: bytes) -> bool:
    """Whether the first tuple of one text is, but for the deviation, anywhere in the other.

    So it must be: if the rest can be explained, all expected lines are there, or all lines that are there are expected.
    """
    have, want = _TUPLE_OF_SEVERAL.search(actual), _TUPLE_OF_SEVERAL.search(expected)
    if have is None or want is None:
        return False
    pairs = ((have[0], how.mend[0], expected), (want[0], how.make, actual))
    turned = ((turn([numbers]) if len(numbers) <= _MAX_TUPLE_LENGTH else None, text) for numbers, turn, text in pairs)
    return any(
        numbers is not None and any(bare(numbers[0]) in bare(piece) for piece in pieces(text))
        for numbers, text in turned
    )


def _turned(text: bytes, turn: _Turning) -> bytes | None:
    """Return `text` with every tuple turned; None when there is one that cannot be."""
    done = []
    for piece in pieces(text):
        parts = _TUPLES_APART.split(piece)
        if tuples := parts[1::2]:
            turned = turn(tuples) if max(map(len, tuples)) <= _MAX_TUPLE_LENGTH else None
            if turned is None:
                return None
            parts[1::2] = turned
        done.append(b"".join(parts))
    return b"".join(done)


def _describe_tuples(how: _TupleKind, actual: bytes, turn: _Turning) -> str:
    example = ""
    for found in TUPLE.finditer(actual):
        if turn([found[0]]) != [found[0]]:
            end = actual.find(b"\n", found.start())
            line = actual[actual.rfind(b"\n", 0, found.start()) + 1 : end if end >= 0 else len(actual)]
            example = f": {quote(line)} should be {quote(_turned(line, turn) or line)}"
            break
    advice = f"; count from {1 - how.first}" if how.first is not None and _is_smallest(how.first, actual) else ""
    return f"{how.sentence}{example}{advice}."


def _is_smallest(number: int, text: bytes) -> bool:
    """Whether this is the smallest number of all tuples."""
    if not any(_may_have(number, piece) and _EQUAL[number].search(piece) for piece in pieces(text)):
        return False
    is_there, may_be_smaller = False, _SMALLER[number].search(text)
    for piece in pieces(text):
        if not (_EQUAL[number].search(piece) or _SMALLER[number].search(piece)):
            continue
        least = min(map(int, _WHOLE_NUMBER.findall(b"\n".join(TUPLE.findall(piece)))), default=number + 1)
        if least < number:
            return False
        is_there |= least == number
        if is_there and not may_be_smaller:
            break
    return is_there


def _may_have(number: int, text: bytes) -> bool:
    """Whether a number of one digit, perhaps behind zeros, may be in a text: a look that costs a tenth of a pattern."""
    numbers = b" %b " % text.translate(_DIGITS_APART)
    return b" 0" in numbers or b" %d " % number in numbers


# ---------------------------------------------------------------- how many there are


def mended_count(actual: bytes, expected: bytes) -> Iterator[tuple[bytes, Callable[[], str]]]:
    """Put the right number into the line of `actual` that states the count, if it states another one.

    Of a long text that is the line which differs, or none.
    """
    is_long = max(len(actual), len(expected)) > MAX_SEARCHED
    start, end = equal_ends(actual, expected) if is_long else (0, 0)
    for line, at in _counts(expected):
        pattern = re.compile(_counting_line(line, at))
        stated = None
        for stated in pattern.finditer(actual, start, len(actual) - end):
            if stated[1] == at[0]:
                break
        if stated is None or stated[1] == at[0] or (is_long and _has_row(actual, line)):
            continue
        if _is_amount(at[0], expected, line) and (
            not is_blank(actual, stated.end()) or _SIGN.search(actual, 0, stated.start())
        ):
            view = memoryview(actual)
            text = b"".join((view[: stated.start(1)], at[0], view[stated.end(1) :]))
            message = f"The number stated with the listing is wrong: {quote(stated[0])}, expected {quote(line)}."
            yield text, partial(str, message)


def mended_summary(actual: bytes, expected: bytes) -> Iterator[tuple[bytes, Callable[[], str]]]:
    """Put the line that states the count at its end of `actual`: instead of a similar line, or where there is none.

    Unlike `mended_count`, this takes a line of other words, or none, for a wrong number. It is for listings that
    nothing else explains, and for empty ones, whose line says 0: the same fault costs the same where there is nothing
    to list.
    """
    if max(len(actual), len(expected)) > MAX_SEARCHED:
        return
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
            yield text, partial(str, f"The line that states the number of the listing is missing: {quote(line)}.")
        elif (len(rows) >= _MIN_ROWS or is_empty) and _is_meant_as(line, stated, is_of_tuples, is_empty=is_empty):
            start = actual.rfind(stated) if is_last else actual.find(stated)
            text = b"".join((actual[:start], line, actual[start + len(stated) :]))
            message = (
                f"The line that states the number of the listing is wrong: {quote(stated)}, expected {quote(line)}."
            )
            yield text, partial(str, message)


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


def _has_row(text: bytes, line: bytes) -> bool:
    """Whether a line is somewhere in a text, ignoring blanks and capitals."""
    row = b"\n%b\n" % bare(line)
    return any(row in b"\n%b\n" % bare(piece) for piece in pieces(text))


def _counts(expected: bytes) -> Iterator[tuple[bytes, re.Match[bytes]]]:
    """Iterate over the numbers that may be a count, if they are an amount, each with its line."""
    sign = _SIGN.search(expected)
    if sign is None:
        return
    begin, end = sign.start(), last_sign(expected) + 1
    last = expected[max(expected.rfind(b"\n", begin, end) + 1, begin) : end]
    newline = expected.find(b"\n", begin, end)
    first = expected[begin : newline if newline >= 0 else end]
    for line in dict.fromkeys((last, first)):
        found = parts_of(line)
        if not any(part["word"] for part in found) or len(found) > MAX_PARTS or TUPLE.search(line):
            continue
        yield from ((line, part) for part in found if part["number"])


def _is_amount(number: bytes, text: bytes, line: bytes) -> bool:
    """Whether a number is the count of the tuples, or of the lines or blocks besides `line`.

    The tuples of a very long text are not counted.
    """
    rows = blocks = 0
    is_open = False
    others = {b"", line.strip()}
    for other in map(bytes.strip, each_line(text)):
        is_row = other not in others
        blocks += is_row and not is_open
        rows += is_row
        is_open = is_row
    amounts = (rows, blocks) if rows >= _MIN_ROWS else ()
    return any(number == b"%d" % amount for amount in amounts) or (
        len(text) <= MAX_COUNTED and number == b"%d" % sum(1 for _ in TUPLE.finditer(text)) != b"0"
    )


def _counting_line(line: bytes, at: re.Match[bytes]) -> bytes:
    """Return a pattern of the line with any number in that place, ignoring blanks and capitals."""
    halves = (line[: at.start()], line[at.end() :])
    one, other = (_ANY_BLANKS.join(re.escape(part[0]) for part in parts_of(half)) for half in halves)
    number = _ANY_BLANKS + rb"(?<!\d)(\d++)" + _ANY_BLANKS
    return rb"(?mi)^" + _ANY_BLANKS + one + number + other + _ANY_BLANKS + rb"\r?$"


def is_right_but_for_listing(actual: bytes, expected: bytes) -> bool:
    """Whether the number is right, and all else but tuples, of which at least half are right too."""
    if is_blank(actual) or max(len(actual), len(expected)) > MAX_SEARCHED:
        return False
    counts_right = (
        any(match[1] == at[0] for match in re.finditer(_counting_line(line, at), actual))
        and _is_amount(at[0], expected, line)
        for line, at in _counts(expected)
    )
    if not any(counts_right):
        return False
    known = frozenset(forms(ended(expected), TEXT_KINDS))

    def count_rows(text: bytes) -> tuple[Counter[bytes], Counter[bytes]]:
        tuples, others = Counter[bytes](), Counter[bytes]()
        for row in forms(ended(text), TEXT_KINDS):
            # What is not expected counts as one row, the empty one: a hostile output has too many to store.
            (tuples if TUPLE.search(row) else others)[row if row in known else b""] += 1
        return tuples, others

    (have, others), (want, wanted_others) = count_rows(actual), count_rows(expected)
    if others != wanted_others or not have:
        return False
    return 2 * (have & want).total() >= max(have.total(), want.total())
