"""What is wrong with a whole answer is taken back in the output, and what is left is explained as always.

One kind is taken back at a time, and blanks, capitals and lines explain the rest: so `zero-based` may come with
`order`, but never with `reversed`. The set is taken if it ranks before what explains the output as it is. Where blanks
and capitals explain all, nothing else is blamed; and nothing takes the place of what keeps more credit.
"""

from collections.abc import Callable
from fractions import Fraction

from grader.core.deviations.listings import mended_summary
from grader.core.deviations.normalise import is_blank
from grader.core.deviations.search import MAX_SEARCHED, SAME, credit, rank
from grader.core.deviations.table import TABLE, TEXT_KINDS, Kinds, Mended
from grader.core.model.spec import Tolerances

Explain = Callable[[bytes, bytes], Kinds | None]  # returns the smallest set that explains how an output differs
Restored = tuple[tuple[str, Mended] | None, Kinds | None]
"""the kind that was taken back, or None, and the kinds that explain the rest, or None"""


def restored(
    actual: bytes, expected: bytes, tolerate: Tolerances, explain: Explain, *, stdin: bytes = b"", prompt: bytes = b""
) -> Restored:
    """Return the best explanation.

    `stdin` is what the program read whose answer is expected, if its own prompts are no part of that; `prompt` is one
    that it is known to have.
    """
    kinds = explain(actual, expected)
    is_text = kinds is not None and kinds <= TEXT_KINDS
    if is_text or is_blank(actual) or max(len(actual), len(expected)) > MAX_SEARCHED:
        return None, kinds
    best, kinds = _restored_by_kind((actual, expected, stdin, prompt), kinds, tolerate, explain)
    union = None if kinds is None else kinds | ({best[0]} if best else set())
    if tolerate.get("wrong-count") and (union is None or not credit(union, tolerate)):
        for mended in mended_summary(actual, expected):
            rest = explain(mended[0], expected)
            if rest is not None and credit(rest | {"wrong-count"}, tolerate):
                return ("wrong-count", mended), rest
    return best, kinds


def _restored_by_kind(
    texts: tuple[bytes, bytes, bytes, bytes], kinds: Kinds | None, tolerate: Tolerances, explain: Explain
) -> Restored:
    best: tuple[str, Mended] | None = None
    limit = (len(TABLE), Fraction(0), list[int]()) if kinds is None else rank(kinds, tolerate)
    kept = Fraction(0) if kinds is None else credit(kinds, tolerate)
    # Where every expected line is there, no other set is smaller: one of that size may only keep more.
    is_complete = kinds is not None and "missing-lines" not in kinds
    is_empty = is_blank(texts[1])

    def is_worth(kind: str) -> bool:
        if is_empty:  # then whatever was written is wrong, unless prompts are free
            return kind == "prompt" and kind in tolerate
        return rank({kind}, tolerate) < limit and bool(not is_complete or tolerate.get(kind))

    for kind in TABLE:
        for mended in kind.mend(*texts) if kind.mend and is_worth(kind.name) else ():
            rest = explain(*mended[:2])
            union = {kind.name, *(rest or ())}
            if rest is not None and rank(union, tolerate) < limit and credit(union, tolerate) >= kept:
                best, kinds, limit = (kind.name, mended), rest, rank(union, tolerate)
            if rest == SAME:
                break  # no other way to take it back leaves less
    return best, kinds
