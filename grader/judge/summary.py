"""The line that tells how many there are, beside a listing: `4-Queens has 2 solutions`.

It is the first or the last line of what is expected, a sentence with a number that is that of the other lines, of the
tuples, or of the blocks that empty lines part. Where nothing of that kind is told, no number is a count.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from grader.judge.mending import Mended
from grader.judge.normal import TEXT_KINDS, ended, forms, lines
from grader.judge.phrases import is_number, is_word, parts
from grader.judge.tuples import TUPLE
from grader.text import quote

_FEWEST = 2
"""lines that make a listing when they are no tuples"""
_BLANKS = rb"[ \t]*+"


def mended_count(actual: bytes, expected: bytes) -> Iterator[Mended]:
    """Put the right number into the line of `actual` that tells how many there are, if it tells another one."""
    for line, at in _counts(expected):
        before, number, after = line[: at.start()], at[0], line[at.end() :]
        found = list(re.finditer(_pattern(before, after), actual))
        if not found or any(match[1] == number for match in found):
            continue
        told = found[-1]
        if (actual[: told.start()] + actual[told.end() :]).strip():
            text = actual[: told.start(1)] + number + actual[told.end(1) :]
            yield Mended(kind="wrong-count", text=text, tell=partial(_message, told[0], line))


def _message(told: bytes, line: bytes) -> str:
    return f"The number told with the listing is wrong: {quote(told)}, expected {quote(line)}."


def _counts(expected: bytes) -> Iterator[tuple[bytes, re.Match[bytes]]]:
    """Iterate over the numbers that may be a count, each with its line."""
    for line in _ends(expected):
        found = parts(line)
        if not any(map(is_word, found)) or TUPLE.search(line):
            continue
        amounts = _amounts(expected, line)
        yield from ((line, part) for part in found if is_number(part) and part[0] in amounts)


def _ends(text: bytes) -> Sequence[bytes]:
    """Return the last line that is not blank, and the first."""
    whole = text.strip()
    return list(dict.fromkeys((whole[whole.rfind(b"\n") + 1 :], whole.partition(b"\n")[0])))


def _amounts(text: bytes, line: bytes) -> set[bytes]:
    """Return how many tuples there are, and how many lines and blocks beside `line`."""
    rows = blocks = 0
    is_open = False
    for other in lines(text):
        is_row = bool(other.strip()) and other.strip() != line.strip()
        blocks += is_row and not is_open
        rows += is_row
        is_open = is_row
    tuples = sum(1 for _ in TUPLE.finditer(text))
    return {b"%d" % amount for amount in (tuples, *(n for n in (rows, blocks) if rows >= _FEWEST)) if amount}


def _pattern(before: bytes, after: bytes) -> bytes:
    """Return a pattern of the line with any number in that place, blanks and capitals aside."""
    one, other = (_BLANKS.join(re.escape(part[0]) for part in parts(half)) for half in (before, after))
    return rb"(?mi)^" + _BLANKS + one + _BLANKS + rb"(?<!\d)(\d++)" + _BLANKS + other + _BLANKS + rb"\r?$"


# ---------------------------------------------------------------- the other way round


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """The lines of a text, blanks and capitals aside: those with a tuple, and the others."""

    tuples: Counter[bytes]
    """those that are expected"""
    listed: int
    """all there are"""
    others: Counter[bytes]
    foreign: int
    """others that are not expected, and in no counter"""


def is_right_but_for_listing(actual: bytes, expected: bytes) -> bool:
    """Whether the number is right, and all else but tuples, of which at least half are right too."""
    if not any(_tells(actual, line, at) for line, at in _counts(expected)):
        return False
    known = frozenset(forms(ended(expected), TEXT_KINDS))
    have, want = _rows(actual, known), _rows(expected, known)
    if have.foreign or have.others != want.others or not have.listed:
        return False
    return 2 * (have.tuples & want.tuples).total() >= max(have.listed, want.listed)


def _tells(actual: bytes, line: bytes, at: re.Match[bytes]) -> bool:
    found = re.finditer(_pattern(line[: at.start()], line[at.end() :]), actual)
    return any(match[1] == at[0] for match in found)


def _rows(text: bytes, known: Collection[bytes]) -> _Rows:
    tuples, others = Counter[bytes](), Counter[bytes]()
    listed = foreign = 0
    for row in forms(ended(text), TEXT_KINDS):
        is_tuple = TUPLE.search(row) is not None
        listed += is_tuple
        if row in known:
            (tuples if is_tuple else others)[row] += 1
        elif not is_tuple:
            foreign += 1
    return _Rows(tuples=tuples, listed=listed, others=others, foreign=foreign)
