"""The deviations of whole answers: prompts, numbers one off, tuples turned, a wrong count, other words.

One of them at a time is taken back in the output, and what is left has to be explained by blanks, capitals and lines,
as always: so `zero-based` stands beside `final-newline` or `order`, but never beside `reversed`. The set is taken if it
ranks before what explains the output as it is; of sets of one size, the one that keeps more credit, and then the one
that comes first in the language: lines in another order are `order`, though every tuple may be `reversed` as well.
Where blanks and capitals explain all, nothing else is blamed; and nothing takes the place of what keeps more credit.

Each is only tried where it can be, and then costs a look at the texts as `explain` takes it, or two.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from grader.deviations.explanation import credit, rank
from grader.deviations.listings import mended_count, mended_tuples
from grader.deviations.normal import TEXT_KINDS, Kinds
from grader.deviations.prompts import mended_prompts
from grader.deviations.wording import mended_wording
from grader.model import Tolerances

Explain = Callable[[bytes, int | None], Kinds | None]
"""Returns the smallest set, of so many kinds at most, that explains how an output differs from what is expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """An output in which one kind of deviation was taken back."""

    kind: str
    text: bytes
    """the output without it; every other difference is still there"""
    tell: Callable[[], str]
    """makes the sentence about what was taken back, with the first place where it was"""


MENDERS: Mapping[str, Callable[[bytes, bytes], Iterator[tuple[bytes, Callable[[], str]]]]] = {
    "prompt": mended_prompts,
    "zero-based": partial(mended_tuples, kind="zero-based"),
    "one-based": partial(mended_tuples, kind="one-based"),
    "reversed": partial(mended_tuples, kind="reversed"),
    "transposed": partial(mended_tuples, kind="transposed"),
    "wrong-count": mended_count,
    "wording": mended_wording,
}
"""kind -> what takes it back in an output, given what is expected: each output that comes of it, and its sentence"""


def restored(
    actual: bytes, expected: bytes, tolerate: Tolerances, explain: Explain
) -> tuple[Mended | None, Kinds | None]:
    """Return the best explanation: what was taken back, or None, and the kinds that explain the rest, or None."""
    best: Mended | None = None
    kinds = explain(actual, None)
    if (kinds is not None and kinds <= TEXT_KINDS) or not actual.strip() or not expected.strip():
        return best, kinds
    limit = None if kinds is None else rank(kinds, tolerate)
    kept = Fraction(0) if kinds is None else credit(kinds, tolerate)
    # Where every expected line is there, no other set is smaller: one of that size may only keep more.
    is_complete = kinds is not None and "missing-lines" not in kinds
    for kind, mender in MENDERS.items():
        if limit is not None and limit <= rank({kind}, tolerate):
            continue
        if is_complete and not tolerate.get(kind):
            continue
        for text, tell in mender(actual, expected):
            rest = explain(text, None if limit is None else limit[0] - 1)
            if rest is None:
                continue
            union = rest | {kind}
            found = rank(union, tolerate)
            if limit is None or (found < limit and credit(union, tolerate) >= kept):
                best, kinds, limit = Mended(kind=kind, text=text, tell=tell), rest, found
    return best, kinds
