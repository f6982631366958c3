"""The deviations of whole answers: prompts, numbers one off, tuples turned, a wrong count, other words.

One of them at a time is taken back in the output, and what is left has to be explained by blanks, capitals and lines,
as always: so `zero-based` stands beside `final-newline` or `order`, but never beside `reversed`. The set is taken if it
ranks before what explains the output as it is; of sets of one size, the one that keeps more credit, and then the one
that comes first in the language: lines in another order are `order`, though every tuple may be `reversed` as well.
Where blanks and capitals explain all, nothing else is blamed; and nothing takes the place of what keeps more credit.

Each is only tried where it can be, and then costs a look at the texts as `explain` takes it, or two.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial

from grader.judge.explain import credit, rank
from grader.judge.mending import Mended
from grader.judge.normal import TEXT_KINDS, Kinds
from grader.judge.prompts import mended_prompts
from grader.judge.summary import mended_count
from grader.judge.tuples import mended_tuples
from grader.judge.wording import mended_wording
from grader.model import Tolerances

Explain = Callable[[bytes, int | None], Kinds | None]
"""Returns the smallest set, of so many kinds at most, that explains how an output differs from what is expected."""

_MENDINGS: Mapping[str, Callable[[bytes, bytes], Iterator[Mended]]] = {
    "prompt": mended_prompts,
    "zero-based": partial(mended_tuples, kind="zero-based"),
    "one-based": partial(mended_tuples, kind="one-based"),
    "reversed": partial(mended_tuples, kind="reversed"),
    "transposed": partial(mended_tuples, kind="transposed"),
    "wrong-count": mended_count,
    "wording": mended_wording,
}


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
    for kind, mendings in _MENDINGS.items():
        if limit is not None and limit <= rank({kind}, tolerate):
            continue
        if is_complete and not tolerate.get(kind):
            continue
        for mended in mendings(actual, expected):
            rest = explain(mended.text, None if limit is None else limit[0] - 1)
            if rest is None:
                continue
            union = rest | {kind}
            found = rank(union, tolerate)
            if limit is None or (found < limit and credit(union, tolerate) >= kept):
                best, kinds, limit = mended, rest, found
    return best, kinds
