"""The smallest set of deviations that explains a difference.

Overlooking more kinds explains more. So one look with everything overlooked tells whether there is an explanation, and
one look for each kind tells which are needed. Mostly these alone suffice; where kinds stand in for one another (a line
of blanks has trailing space and is a blank line), larger sets are tried by size. Of two sets of one size, the one that
leaves more credit is meant. Where blanks and capitals explain all, lines are not blamed: `a` for ` A ` is no missing
line beside an extra one.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, islice, starmap, zip_longest
from operator import eq

from grader.judge.normal import TEXT_KINDS, Kinds, forms, level, normal, possible
from grader.judge.shapes import LINE_KINDS, SAME, Shape, shapes
from grader.model import DEVIATIONS, Tolerances

Rank = tuple[int, Fraction, list[int]]

_MOST_WORK = 2**27
"""bytes looked at while sets are tried; texts below a megabyte never come near"""
_LEAST_TRIES = 8


def credit(kinds: Iterable[str], tolerate: Tolerances) -> Fraction:
    """Return the product of what the kinds leave; each counts once, however often it was seen."""
    product = Fraction(1)
    for kind in set(kinds):
        product *= tolerate.get(kind, Fraction(0))
    return product


def rank(kinds: Collection[str], tolerate: Tolerances) -> Rank:
    """Order sets of kinds: the smaller first, then that which keeps more credit, then as the language lists them."""
    return len(kinds), -credit(kinds, tolerate), sorted(map(DEVIATIONS.index, kinds))


def explain(
    actual: bytes,
    expected: bytes,
    tolerate: Tolerances,
    kinds: Kinds = TEXT_KINDS,
    means: Callable[[Shape], Shape] | None = None,
    *,
    most: int | None = None,
) -> Kinds | None:
    """Return the smallest set of kinds that explains how `actual` differs from `expected`; None when there is none.

    `means` translates shapes where they are not what they seem, because order is free. A set of more than `most` kinds
    is not looked for, which takes less time.
    """
    if actual == expected and means is None:
        return SAME
    if actual and expected and not actual.endswith(b"\n") and not expected.endswith(b"\n"):
        actual, expected = actual + b"\n", expected + b"\n"

    def texts(overlooked: Kinds) -> list[tuple[bytes, bytes]]:
        pair = actual, expected
        return list({pair, level(*pair, overlooked)}) if "final-newline" in overlooked else [pair]

    def same(overlooked: Kinds) -> bool:
        if means is not None:
            return SAME in others(overlooked)
        return any(_same(one, other, overlooked) for one, other in texts(overlooked))

    @cache
    def others(overlooked: Kinds) -> set[Shape]:
        found = {
            shape
            for one, other in texts(overlooked)
            for shape in shapes(normal(one, overlooked), normal(other, overlooked))
        }
        return set(map(means, found)) if means else found

    kinds = possible(actual, expected, kinds)
    return smallest(same, others, kinds, tolerate, length=len(actual) + len(expected), most=most)


def _same(one: bytes, other: bytes, overlooked: Kinds) -> bool:
    return all(starmap(eq, zip_longest(forms(one, overlooked), forms(other, overlooked))))


def smallest(
    same: Callable[[Kinds], bool],
    others: Callable[[Kinds], set[Shape]],
    kinds: Kinds,
    tolerate: Tolerances,
    *,
    length: int,
    most: int | None = None,
) -> Kinds | None:
    """Return the best-ranked union of a shape and kinds with which it holds, of `most` of them at most.

    `same` says whether nothing is left to explain when some kinds are overlooked, `others` which shapes there are if
    not; a look at either reads `length` bytes.
    """
    same = cache(same)
    most = len(DEVIATIONS) if most is None else most

    def holds(shape: Shape, overlooked: Kinds) -> bool:
        return same(overlooked) if shape == SAME else shape in others(overlooked)

    def found(overlooked: Kinds) -> set[Shape]:
        return {SAME} if same(overlooked) else others(overlooked)

    candidates = sorted(
        _candidates(holds, found, kinds, tolerate, most), key=lambda pair: rank(pair[0] | pair[1], tolerate)
    )
    tries = max(_LEAST_TRIES, _MOST_WORK // (length + 1))
    for shape, overlooked in candidates[:tries]:
        if holds(shape, overlooked):
            return shape | overlooked
    # Something enormous and odd: all kinds together explain it, if with more names than it needs.
    unions = (union for shape in found(kinds) if len(union := shape | kinds) <= most)
    return min(unions, key=lambda union: rank(union, tolerate), default=None)


def _bases(kinds: Kinds, tolerate: Tolerances) -> list[Kinds]:
    """Return what to begin with: everything overlooked, and all but empty lines where extra lines keep some credit.

    An empty line too many may also be an extra line, which is not seen while empty lines are overlooked.
    """
    if not any(tolerate.get(kind) for kind in LINE_KINDS):
        return [kinds]
    return [kinds, kinds - {"blank-lines"}, kinds - {"blank-lines", "final-newline"}]


def _candidates(
    holds: Callable[[Shape, Kinds], bool],
    found: Callable[[Kinds], set[Shape]],
    kinds: Kinds,
    tolerate: Tolerances,
    most: int,
) -> Iterator[tuple[Shape, Kinds]]:
    seen: set[Shape] = set()
    for base in _bases(kinds, tolerate):
        for shape in found(base) - seen:
            seen.add(shape)
            room = most - len(shape)
            needed = frozenset(islice((kind for kind in base if not holds(shape, base - {kind})), max(room, -1) + 1))
            rest = base - needed
            for size in range(min(len(rest), room - len(needed)) + 1):
                yield from ((shape, needed | set(chosen)) for chosen in combinations(rest, size))
