"""Joined and broken lines: the two texts are the same but for their blanks, and one has fewer newlines.

`12` is never `1` and `2`: without a blank, only a sign that ends or begins something parts two lines.
"""

from collections.abc import Iterator
from functools import partial
from heapq import merge
from itertools import groupby
from operator import itemgetter

from grader.core.deviations.search import bare, equal_ends
from grader.core.deviations.table import Mended
from grader.core.lazy import lazy_regex
from grader.core.text import count, quote

_MAX_QUOTED = 200  # bytes around a place that are looked at to quote it
_GAP = lazy_regex(rb"(?:[ \t\n]|\r(?=\n))++")
_SEAM = lazy_regex(rb"(?<=[)\]}!?;])|(?=[(\[{])|(?<=[A-Za-z][.,:])(?=[A-Za-z])")
"""where one thing ends and another begins, also when there is no blank between"""


def mended_breaks(actual: bytes, expected: bytes, *_: bytes) -> Iterator[Mended]:
    """Break the lines of `actual` as they are expected, where they are all joined or all broken."""
    returns, wanted_returns = (text.replace(b"\r\n", b"").count(b"\r") for text in (actual, expected))
    start, end = equal_ends(actual, expected) if returns == wanted_returns else (0, 0)
    text, wanted_text = actual[start : len(actual) - end], expected[start : len(expected) - end]
    letters, wanted = (part.replace(b"\r\n", b"\n").translate(None, b" \t\n") for part in (text, wanted_text))
    if bare(letters) != bare(wanted):
        return
    done, copied, behind, seams = bytearray(actual[:start]), 0, 0, list[tuple[int, bool]]()
    for place, gaps in groupby(merge(_gaps(text, 0), _gaps(wanted_text, 1)), key=itemgetter(0)):
        pair = {side: gap for _, side, gap in gaps}
        gap, wanted = pair.get(0, b""), pair.get(1, b"")
        at = place + behind
        behind += len(gap)
        if not 0 < place < len(letters) or (b"\n" in gap) == (b"\n" in wanted):
            continue
        seams.append((start + at, b"\n" in wanted))
        if seams[0][1] != seams[-1][1] or (not (gap and wanted) and not _SEAM.match(letters, place)):
            return
        done += text[copied:at] + wanted
        copied = at + len(gap)
    if seams:
        mended = bytes(done + text[copied:] + actual[len(actual) - end :])
        at, is_joined = seams[0]
        yield mended, expected, partial(_describe, mended if is_joined else actual, at, len(seams), is_joined=is_joined)


def _gaps(text: bytes, side: int) -> Iterator[tuple[int, int, bytes]]:
    """Iterate over how many letters come before each gap, and its blanks."""
    gone = 0
    for gap in _GAP.finditer(text):
        yield gap.start() - gone, side, gap[0]
        gone += len(gap[0])


def _describe(text: bytes, at: int, total: int, *, is_joined: bool) -> str:
    before = quote(text[max(at - _MAX_QUOTED, 0) : at].rpartition(b"\n")[2].strip())
    behind = quote(text[at : at + _MAX_QUOTED].lstrip().partition(b"\n")[0].strip())
    fault, wish = ("few", "start a new line after") if is_joined else ("many", "be on the same line as")
    return f"{count(total, 'newline')} too {fault}: {behind} should {wish} {before}."
