"""The smallest set of deviations that explains a difference: in blanks and letter case, and in lines.

A *shape* is the relation of the lines of two texts, as a set of deviations. It is empty for equal texts and `order` for
the same lines in another order; `order` and `duplicates` can occur together. Extra and missing lines together are no
shape, since any two texts have that relation.

Shapes are searched between normal forms of the texts, in which some kinds of deviations are ignored. Ignoring more
kinds explains more. So one comparison that ignores everything decides whether there is an explanation, and one for each
kind decides whether that kind is necessary. The necessary kinds usually suffice. Some kinds can replace one another: a
line of blanks has trailing space and is a blank line. Then larger sets are tried by size. Of two sets of one size, the
one that leaves more credit wins. If blanks and letter case explain everything, no deviation of lines is reported.

A text longer than `MAX_SEARCHED` is read part by part, and nothing of its size is stored. Blanks, letter case and the
order of lines are found in it, and nothing else: see `_explain_long`.
"""

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import chain, combinations, islice
from operator import sub

from msgspec import Struct

from grader.core.deviations.normalise import (
    bare,
    bare_rows,
    each_line,
    is_blank,
    last_sign,
    level,
    newlines_at_end,
    normal,
    parts,
    pieces,
    possible,
    rewritten,
)
from grader.core.deviations.table import DEVIATIONS, LINE_KINDS, RANKS, TEXT_KINDS, Kinds
from grader.core.model.checks import SHARE
from grader.core.model.spec import Tolerances
from grader.core.text import common_end, common_length

Shape = Kinds
SAME: Shape = frozenset()
ORDER: Shape = frozenset({"order"})

Rank = tuple[int, Fraction, list[int]]

MAX_SEARCHED = 2**20
"""bytes of a text in which every deviation is searched"""
_MAX_SHUFFLED = 2**20
"""lines whose order is looked at"""
_MAX_MEAN_LENGTH = 2**12
"""bytes of a line on average, if the order of lines is looked at"""
_MAX_WORK = 2**27
"""bytes that are read while sets are tried; texts below a megabyte stay far below it"""
_MIN_TRIES = 8
_MIN_MIXED = 2**15
"""bytes of two texts in which some lines may end otherwise than most"""


# ---------------------------------------------------------------- shapes of lines


def surplus_lines(one: bytes, other: bytes) -> list[bytes]:
    """Return the lines of a text that the other lacks or has less often."""
    start, end = equal_ends(one, other)
    left = Counter(each_line(other[start : len(other) - end]))
    found = []
    for line in each_line(one[start : len(one) - end]):
        if left[line] > 0:
            left[line] -= 1
        else:
            found.append(line)
    return found


def shapes(actual: bytes, expected: bytes) -> set[Shape]:
    """Return every shape of two texts; none when no deviation has a name for it."""
    if actual == expected:
        return {SAME}
    if is_blank(actual) or is_blank(expected):
        return set()
    haves, wants = list(each_line(actual)), list(each_line(expected))
    have, want = Counter(haves), Counter(wants)
    if have == want:
        return {ORDER}
    is_foreign = bool(have.keys() - want.keys())
    if have >= want:
        order = SAME if _is_within(wants, haves) else ORDER
        return {order | {"extra-lines"}} | ({order | {"duplicates"}} if not is_foreign else set())
    if have <= want:
        return {(SAME if _is_within(haves, wants) else ORDER) | {"missing-lines"}}
    repeats = not is_foreign and _is_within(have, wants)
    return {frozenset({"duplicates", "missing-lines"})} if repeats else set()


def _is_within(part: Iterable[bytes], whole: Iterable[bytes]) -> bool:
    """Whether the lines of `part` occur in `whole` in the same order, perhaps with others between."""
    rest = iter(whole)  # whatever goes by while a line is looked for in it is gone
    return all(line in rest for line in part)


def equal_ends(one: bytes, other: bytes) -> tuple[int, int]:
    """Return how many bytes of whole lines are the same at the beginning and at the end.

    Where the ends are not the same, the last line that is not blank belongs to neither: what is behind it is compared
    with it, for the sake of `final-newline`.
    """
    start = one.rfind(b"\n", 0, common_length(one, other)) + 1
    end = min(common_end(one, other), len(one) - start, len(other) - start)
    newline = one.find(b"\n", len(one) - end)
    end = len(one) - newline - 1 if newline >= 0 else 0
    if not is_blank(one, len(one) - end):
        return start, end
    return min(start, *(text.rfind(b"\n", 0, last_sign(text)) + 1 for text in (one, other))), 0


# ---------------------------------------------------------------- the smallest set


def credit(kinds: Iterable[str], tolerate: Tolerances) -> Fraction:
    """Return the product of the credit that each kind leaves; a kind counts once."""
    product = Fraction(1)
    for kind in set(kinds):
        product *= tolerate.get(kind, Fraction(0))
    return product


def rank(kinds: Collection[str], tolerate: Tolerances) -> Rank:
    """Return the sort key of a set of kinds: by size, then by the remaining credit, then in the language's order."""
    return len(kinds), -credit(kinds, tolerate), sorted(-1 if kind == SHARE else RANKS[kind] for kind in kinds)


class _Terms(Struct, frozen=True):
    """The requirements on a set of kinds, and the meaning of shapes."""

    kinds: Kinds
    """of blanks and letter case"""
    tolerate: Tolerances
    most: int
    means: Callable[[Shape], Shape] | None

    def best(self, found: Iterable[Kinds | None]) -> Kinds | None:
        """Return the best-ranked set with at most `most` kinds."""
        small = (one for one in found if one is not None and len(one) <= self.most)
        return min(small, key=lambda one: rank(one, self.tolerate), default=None)


def explain_difference(
    actual: bytes,
    expected: bytes,
    tolerate: Tolerances,
    kinds: Kinds = TEXT_KINDS,
    means: Callable[[Shape], Shape] | None = None,
    *,
    most: int | None = None,
) -> Kinds | None:
    """Return the smallest set of kinds that explains how `actual` differs from `expected`; None when there is none.

    `means` translates shapes where the order of lines is free. Sets of more than `most` kinds are not searched, which
    takes less time.

    """
    if actual == expected and means is None:
        return SAME
    if is_blank(actual) != is_blank(expected):
        return None
    terms = _Terms(kinds, tolerate, len(DEVIATIONS) if most is None else most, means)
    plain = None
    if means is None:
        start, end = equal_ends(actual, expected)
        if max(len(actual), len(expected)) - start - end <= MAX_SEARCHED:
            one, other = (text[start : len(text) - end] for text in (actual, expected))
            plain = _search(one, other, terms, kinds - {"final-newline"} if end else kinds, shaped=False)
        else:
            plain = _explain_long_plain(actual, expected, start, terms)
        blames_lines = any(tolerate.get(kind) for kind in LINE_KINDS)
        if plain is not None and not (blames_lines and plain & {"blank-lines", "final-newline"}):
            return terms.best([plain])
    if max(len(actual), len(expected)) > MAX_SEARCHED:
        found = _explain_long_order(actual, expected, terms)
    else:
        found = None if _have_no_shape(actual, expected) else _search(actual, expected, terms, kinds)
    return terms.best([plain, found])


def _have_no_shape(one: bytes, other: bytes) -> bool:
    """Whether each text has a line that the other lacks in every normal form."""
    haves, wants = ({b"", *bare_rows(text)} for text in (one, other))
    return not (haves <= wants or wants <= haves)


def _search(actual: bytes, expected: bytes, terms: _Terms, kinds: Kinds, *, shaped: bool = True) -> Kinds | None:
    """Return the smallest set of all possible ones; without deviations of lines unless `shaped`."""
    if actual and expected and not actual.endswith(b"\n") and not expected.endswith(b"\n"):
        actual, expected = actual + b"\n", expected + b"\n"

    def same(overlooked: Kinds) -> bool:
        if terms.means is not None:
            return SAME in others(overlooked)
        return any(_is_same(*pair, overlooked) for pair in _pairs(actual, expected, overlooked))

    @cache
    def others(overlooked: Kinds) -> set[Shape]:
        pairs = _pairs(actual, expected, overlooked) if shaped else ()
        found = {shape for pair in pairs for shape in shapes(*(normal(text, overlooked) for text in pair))}
        return set(map(terms.means, found)) if terms.means else found

    kinds = possible(actual, expected, kinds)
    length = len(actual) + len(expected)
    return smallest_set(same, others, kinds, terms.tolerate, length=length, most=terms.most if shaped else None)


def _pairs(one: bytes, other: bytes, overlooked: Kinds) -> Collection[tuple[bytes, bytes]]:
    return {(one, other), level(one, other, overlooked)} if "final-newline" in overlooked else [(one, other)]


def _is_same(one: bytes, other: bytes, overlooked: Kinds, start: int = 0) -> bool:
    """Whether two texts differ by `overlooked` kinds alone behind a line at which both are the same."""
    return _make_the_same(*(rewritten(text, overlooked, start) for text in (one, other)))


def _make_the_same(haves: Iterator[bytes], wants: Iterator[bytes]) -> bool:
    """Whether parts make the same text."""
    haves, wants = filter(None, haves), filter(None, wants)
    have = want = b""
    while (have := have or next(haves, b"")) and (want := want or next(wants, b"")):
        length = min(len(have), len(want))
        if have[:length] != want[:length]:
            return False
        have, want = have[length:], want[length:]
    return not (have or want or next(wants, b""))


def smallest_set(
    same: Callable[[Kinds], bool],
    others: Callable[[Kinds], set[Shape]],
    kinds: Kinds,
    tolerate: Tolerances,
    *,
    length: int,
    most: int | None = None,
) -> Kinds | None:
    """Return the best-ranked union of a shape and the kinds that it needs, with at most `most` kinds.

    `same` tells whether the texts are equal when some kinds are ignored, and `others` returns their shapes otherwise.
    Each call reads `length` bytes.
    """
    same = cache(same)
    most = len(DEVIATIONS) if most is None else most

    def holds(shape: Shape, overlooked: Kinds) -> bool:
        return same(overlooked) if shape == SAME else shape in others(overlooked)

    def found(overlooked: Kinds) -> set[Shape]:
        return {SAME} if same(overlooked) else others(overlooked)

    candidates: list[tuple[Shape, Kinds]] = []
    seen: set[Shape] = set()
    for base in _bases(kinds, tolerate):
        for shape in found(base) - seen:
            seen.add(shape)
            candidates += ((shape, chosen) for chosen in _subsets(partial(holds, shape), base, most - len(shape)))
    if not seen and length > _MIN_MIXED and "line-endings" in kinds:
        # A return before blanks ends no line until these are gone: where a few lines have one, less explains more.
        return smallest_set(same, others, kinds - {"line-endings"}, tolerate, length=length, most=most)
    candidates.sort(key=lambda pair: rank(pair[0] | pair[1], tolerate))
    tries = max(_MIN_TRIES, _MAX_WORK // (length + 1))
    for shape, overlooked in candidates[:tries]:
        if holds(shape, overlooked):
            return shape | overlooked
    # The work is bounded: all kinds together explain the difference, perhaps with more names than necessary.
    unions = (union for shape in found(kinds) if len(union := shape | kinds) <= most)
    return min(unions, key=lambda union: rank(union, tolerate), default=None)


def _bases(kinds: Kinds, tolerate: Tolerances) -> list[Kinds]:
    """Return the sets of kinds to ignore at first: all kinds, and where it may keep credit, all but blank lines.

    A surplus empty line can also be an extra line, which is not visible while blank lines are ignored.
    """
    if not any(tolerate.get(kind) for kind in LINE_KINDS):
        return [kinds]
    return [kinds, kinds - {"blank-lines"}, kinds - {"blank-lines", "final-newline"}]


def _subsets(holds: Callable[[Kinds], bool], base: Kinds, most: int) -> Iterator[Kinds]:
    """Yield the sets of at most `most` kinds that include every necessary one."""
    needed = frozenset(islice((kind for kind in base if not holds(base - {kind})), max(most, -1) + 1))
    rest = base - needed
    for size in range(min(len(rest), most - len(needed)) + 1):
        yield from (needed | set(chosen) for chosen in combinations(rest, size))


# ---------------------------------------------------------------- long texts


def _explain_long_plain(actual: bytes, expected: bytes, start: int, terms: _Terms) -> Kinds | None:
    """Return the smallest set of blanks and letter case that explains the difference of long texts behind a line."""
    texts = actual, expected
    kinds = terms.kinds
    if _make_the_same(*(_signs(text, start) for text in texts)):
        kinds -= {"letter-case"}
    elif not _make_the_same(*(map(bare, _signs(text, start)) for text in texts)):
        return None

    def same(overlooked: Kinds) -> bool:
        missing = [b"", b""]
        more = sub(*(newlines_at_end(text, overlooked) for text in texts))
        if "final-newline" in overlooked and abs(more) == 1:
            missing[more > 0] = b"\n"
        return _make_the_same(
            *(chain(rewritten(text, overlooked, start), (end,)) for text, end in zip(texts, missing, strict=True))
        )

    kinds = possible(actual, expected, kinds, start)
    return smallest_set(same, lambda _: set(), kinds, terms.tolerate, length=len(actual) + len(expected))


def _signs(text: bytes, start: int) -> Iterator[bytes]:
    return (part.translate(None, b" \t\r\n") for part in parts(text, start))


def _explain_long_order(actual: bytes, expected: bytes, terms: _Terms) -> Kinds | None:
    """Return the smallest set with `order` that explains the difference of long texts, where there is one."""
    texts = actual, expected
    if not all(len(text) // _MAX_MEAN_LENGTH < text.count(b"\n") <= _MAX_SHUFFLED for text in texts):
        return None
    shape = terms.means(ORDER) if terms.means else ORDER

    @cache
    def others(overlooked: Kinds) -> set[Shape]:
        forms = (chain.from_iterable(each_line(normal(piece, overlooked)) for piece in pieces(text)) for text in texts)
        return {shape} if _same_lines(*forms) else set()

    if others(SAME):
        return terms.best([shape])
    kinds = terms.kinds - {"final-newline"}
    if _same_lines(*(bare_rows(text, keeps_case=True) for text in texts)):
        kinds -= {"letter-case"}
    elif not _same_lines(*map(bare_rows, texts)):
        return None
    kinds = possible(actual, expected, kinds)
    length = len(actual) + len(expected)
    return smallest_set(
        lambda overlooked: terms.means is not None and SAME in others(overlooked),
        others,
        kinds,
        terms.tolerate,
        length=length,
        most=terms.most,
    )


_SECRET = os.urandom(16)


def _same_lines(haves: Iterable[bytes], wants: Iterable[bytes]) -> bool:
    """Whether lines, but for empty ones, are the same in some order: their sums are, of hashes that no output knows."""
    one, other = (sum(map(hash, map(_SECRET.__add__, filter(None, lines)))) for lines in (haves, wants))
    return one == other
