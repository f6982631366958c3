"""The deviations of whole answers: joined lines, prompts, numbers one off, tuples turned, a wrong count, other words.

One of them at a time is taken back in the output, and what is left has to be explained by blanks, capitals and lines,
as always: so `zero-based` may come with `final-newline` or `order`, but never with `reversed`. The set is taken if it
ranks before what explains the output as it is; of sets of one size, the one that keeps more credit, and then the one
that comes first in the language: lines in another order are `order`, though every tuple may be `reversed` as well.
Where blanks and capitals explain all, nothing else is blamed; and nothing takes the place of what keeps more credit.

Each is only tried where it can be, and then costs a look at the texts as `explain` takes it, or two.

Lines are joined, or broken, where the two texts are the same but for their blanks and one has fewer newlines, none of
them elsewhere. `12` is never `1` and `2`: without a blank, only a sign that ends or begins something parts two lines.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial

from grader.core.deviations.line_alignment import enormous_row, equal_ends, part_of_both
from grader.core.deviations.listings import TUPLE, TUPLE_KINDS, has_tuples, mended_count, mended_summary, mended_tuples
from grader.core.deviations.normalise import TEXT_KINDS, Kinds, bare, is_blank
from grader.core.deviations.prompts import mended_prompts
from grader.core.deviations.search import MAX_COUNTED, MAX_SEARCHED, credit, rank
from grader.core.deviations.wording import mended_wording
from grader.core.lazy import lazy_regex
from grader.core.model.spec import Tolerances
from grader.core.text import count, quote

_MAX_LINE_LENGTH = 2**16
"""bytes of the first lines of a long text, if these are to show what is in all"""
_MAX_QUOTED = 200
"""bytes around a place that are looked at to quote it"""
_GAP = lazy_regex(rb"(?:[ \t\n]|\r(?=\n))++")
_SEAM = lazy_regex(rb"(?<=[)\]}!?;])|(?=[(\[{])|(?<=[A-Za-z][.,:])(?=[A-Za-z])")
"""where one thing ends and another begins, also when there is no blank between"""

Mended = tuple[str, tuple[bytes, bytes], Callable[[], str]]
"""A kind that was taken back, the output without it, in which every other difference is still there, and what is
expected, both without equal beginnings and ends where they are long; and what makes the sentence about it, with the
first place where it was"""
Explain = Callable[[bytes, bytes, int | None], Kinds | None]
"""Returns the smallest set, of so many kinds at most, that explains how an output differs from what is expected."""


def mended_breaks(actual: bytes, expected: bytes) -> Iterator[tuple[bytes, Callable[[], str]]]:
    """Break the lines of `actual` as they are expected, where they are all joined or all broken."""
    blanks = b" \t\r\n"
    if len(actual) > MAX_SEARCHED:  # every gap is looked at by itself
        return
    if len(actual.translate(None, blanks)) != len(expected.translate(None, blanks)):
        return
    letters = _without_gaps(actual)
    if bare(letters) != bare(_without_gaps(expected)):
        return
    done = bytearray()  # a list of the pieces would take a hundred times what was written
    start, behind, total, first = 0, 0, 0, None
    for place, gap, wanted in _gap_pairs(actual, expected):
        at = place + behind
        behind += len(gap)
        if not 0 < place < len(letters) or (b"\n" in gap) == (b"\n" in wanted):
            continue
        is_joined = b"\n" in wanted
        first = first or (at, is_joined)
        if is_joined != first[1] or (not (gap and wanted) and not _SEAM.match(letters, place)):
            return
        done += actual[start:at] + wanted
        total += 1
        start = at + len(gap)
    if first is not None:
        text = bytes(done + actual[start:])
        yield text, partial(_describe_breaks, text if first[1] else actual, *first, total)


def _without_gaps(text: bytes) -> bytes:
    """Return what `_GAP` leaves; to substitute these would take a hundred times the text."""
    return text.replace(b"\r\n", b"\n").translate(None, b" \t\n")


def _gap_pairs(one: bytes, other: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Iterate over how many letters come before a gap of either text, and the blanks of both there."""
    gaps, others = _gaps(one), _gaps(other)
    gap, beside = next(gaps, None), next(others, None)
    while gap or beside:
        place = min(found[0] for found in (gap, beside) if found)
        blanks = wanted = b""
        if gap and gap[0] == place:
            blanks, gap = gap[1], next(gaps, None)
        if beside and beside[0] == place:
            wanted, beside = beside[1], next(others, None)
        yield place, blanks, wanted


def _gaps(text: bytes) -> Iterator[tuple[int, bytes]]:
    gone = 0
    for gap in _GAP.finditer(text):
        yield gap.start() - gone, gap[0]
        gone += len(gap[0])


def _describe_breaks(text: bytes, at: int, is_joined: bool, total: int) -> str:  # noqa: FBT001 - partial() names none
    before = quote(text[max(at - _MAX_QUOTED, 0) : at].rpartition(b"\n")[2].strip())
    behind = quote(text[at : at + _MAX_QUOTED].lstrip().partition(b"\n")[0].strip())
    if is_joined:
        return f"{count(total, 'newline')} too few: {behind} should start a new line after {before}."
    return f"{count(total, 'newline')} too many: {behind} should be on the same line as {before}."


_Mender = Callable[[bytes, bytes], Iterator[tuple[tuple[bytes, bytes], Callable[[], str]]]]


def _in_output(
    mender: Callable[[bytes, bytes], Iterator[tuple[bytes, Callable[[], str]]]], actual: bytes, expected: bytes
) -> Iterator[tuple[tuple[bytes, bytes], Callable[[], str]]]:
    """Take a kind back in the output alone: what is expected stays as it is."""
    return (((text, expected), tell) for text, tell in mender(actual, expected))


MENDERS: Mapping[str, _Mender] = {
    "joined-lines": partial(_in_output, mended_breaks),
    "prompt": mended_prompts,
    "zero-based": partial(_in_output, partial(mended_tuples, kind="zero-based")),
    "one-based": partial(_in_output, partial(mended_tuples, kind="one-based")),
    "reversed": partial(_in_output, partial(mended_tuples, kind="reversed")),
    "transposed": partial(_in_output, partial(mended_tuples, kind="transposed")),
    "wrong-count": partial(_in_output, mended_count),
    "wording": partial(_in_output, mended_wording),
}
"""kind -> what takes it back in an output, given what is expected: each output that comes of it, with what is expected
then, and its sentence"""


def restored(
    actual: bytes,
    expected: bytes,
    tolerate: Tolerances,
    explain: Explain,
    *,
    stdin: bytes = b"",
    prompt: bytes = b"",
) -> tuple[Mended | None, Kinds | None]:
    """Return the best explanation: what was taken back, or None, and the kinds that explain the rest, or None.

    `stdin` is what the program read whose answer is expected, if its own prompts are no part of that; `prompt` is one
    that it is known to have.
    """
    mend_prompts = partial(mended_prompts, stdin=stdin, prompt=prompt)
    best, kinds = _restored_by_kind(actual, expected, tolerate, explain, mend_prompts)
    union = None if kinds is None else kinds | ({best[0]} if best else set())
    if tolerate.get("wrong-count") and (union is None or not credit(union, tolerate)):
        for text, tell in mended_summary(actual, expected):
            rest = explain(text, expected, None)
            if rest is not None and credit(rest | {"wrong-count"}, tolerate):
                return ("wrong-count", (text, expected), tell), rest
    return best, kinds


def _restored_by_kind(
    actual: bytes, expected: bytes, tolerate: Tolerances, explain: Explain, mend_prompts: _Mender
) -> tuple[Mended | None, Kinds | None]:
    best: Mended | None = None
    kinds = explain(actual, expected, None)
    if (kinds is not None and kinds <= TEXT_KINDS) or is_blank(actual):
        return best, kinds
    if is_blank(expected) and len(actual) > MAX_SEARCHED:
        return best, kinds
    limit = None if kinds is None else rank(kinds, tolerate)
    kept = Fraction(0) if kinds is None else credit(kinds, tolerate)
    # Where every expected line is there, no other set is smaller: one of that size may only keep more.
    is_complete = kinds is not None and "missing-lines" not in kinds
    is_empty = is_blank(expected)

    def is_worth(kind: str) -> bool:
        if is_empty:  # then whatever was written is wrong, unless prompts are free
            return kind == "prompt" and kind in tolerate
        return (limit is None or rank({kind}, tolerate) < limit) and bool(not is_complete or tolerate.get(kind))

    menders: Mapping[str, _Mender] = {**MENDERS, "prompt": mend_prompts}
    trials = _trials(actual, expected, explain, {kind: menders[kind] for kind in menders if is_worth(kind)})
    for kind, pair, mender in trials:
        # Once more, since what was found meanwhile may be as small.
        for (text, other), tell in mender(*pair) if is_worth(kind) else ():
            rest = explain(text, other, None if limit is None else limit[0] - 1)
            if rest is None:
                continue
            union = rest | {kind}
            found = rank(union, tolerate)
            if limit is None or (found < limit and credit(union, tolerate) >= kept):
                best, kinds, limit = (kind, (text, other), tell), rest, found
            if not rest:
                break  # no other way to take it back leaves less
    return best, kinds


def _trials(
    actual: bytes, expected: bytes, explain: Explain, menders: Mapping[str, _Mender]
) -> Iterator[tuple[str, tuple[bytes, bytes], _Mender]]:
    """Iterate over those kinds that can be there, with the texts to look in and what mends them.

    Of long texts that is where they differ, and what shows in the first lines of that; a number at one end, which
    is all that differs then.
    """
    whole = actual, expected
    longest = max(map(len, whole))
    if longest <= MAX_SEARCHED:
        listed = bool(menders) and all(map(has_tuples, whole))
        yield from ((kind, whole, mender) for kind, mender in menders.items() if listed or kind not in TUPLE_KINDS)
        return
    start, end = equal_ends(*whole)
    if longest - start - end > MAX_COUNTED or enormous_row(*whole) is not None:
        return
    one, other = (text[start : len(text) - end] for text in whole)
    head, wanted = part_of_both(one, other)
    has_lines = max(len(head), len(wanted)) <= _MAX_LINE_LENGTH
    for kind, mender in menders.items():
        if kind == "wrong-count":
            if not (start and end) and max(one.count(b"\n"), other.count(b"\n")) <= 1:
                yield kind, whole, mender
        elif (
            has_lines
            and any(explain(*texts, None) is not None for texts, _ in mender(head, wanted))
            and not (
                kind in TUPLE_KINDS  # which would be wrong elsewhere if all were turned
                and (TUPLE.search(actual, 0, start) or TUPLE.search(actual, len(actual) - end))
            )
        ):
            yield kind, (one, other), mender
