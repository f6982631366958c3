"""The line that counts a listing: the first or the last line of what is expected, a sentence with a number.

The number is that of the other lines, of the tuples, or of the blocks that empty lines part. Where no line states such
a number, no number is a count.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial

from grader.core.deviations.listings import TUPLE
from grader.core.deviations.normalise import bare, each_line, ended, is_blank, last_sign
from grader.core.deviations.table import Mended
from grader.core.deviations.wording import MAX_PARTS, parts_of
from grader.core.text import quote

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
