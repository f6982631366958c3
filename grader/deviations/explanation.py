"""The smallest set of deviations that explains a difference: of blanks and capitals, and of lines.

How the lines of one text lie to those of another is a *shape*: the set of kinds that say it all, none for equal texts,
`order` for the same lines in another order, `order` and `duplicates` together, and so on. Extra lines together with
missing ones are no shape, for that is true of any two texts. All of this is linear and keeps no more than the expected
lines in memory: a hostile output is only ever streamed past them.

A shape is looked for between normal forms, in which some kinds are overlooked. Overlooking more kinds explains more. So
one look with everything overlooked tells whether there is an explanation, and one look for each kind tells which are
needed. Mostly these alone suffice; where kinds stand in for one another (a line of blanks has trailing space and is a
blank line), larger sets are tried by size. Of two sets of one size, the one that leaves more credit is meant. Where
blanks and capitals explain all, lines are not blamed: `a` for ` A ` is no missing line beside an extra one.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, islice, starmap, zip_longest
from operator import eq

from grader.deviations.normal import TEXT_KINDS, Kinds, each_line, forms, level, normal, possible
from grader.model import DEVIATIONS, Tolerances

Shape = Kinds
SAME: Shape = frozenset()
LINE_KINDS = frozenset({"order", "duplicates", "extra-lines", "missing-lines"})

Rank = tuple[int, Fraction, list[int]]

_MOST_WORK = 2**27
"""bytes looked at while sets are tried; texts below a megabyte never come near"""
_LEAST_TRIES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Lines counted, their order left aside."""

    foreign: int
    """lines that are expected nowhere"""
    surplus: int
    """lines that are not expected, or not so often"""
    lacking: int
    """expected lines that are not there, or not so often"""


def tally(actual: bytes, expected: bytes) -> Tally:
    """Count what the `actual` lines have more and less than the `expected` ones."""
    want = Counter(each_line(expected))
    have = Counter(filter(want.__contains__, each_line(actual)))
    foreign = line_count(actual) - have.total()
    return Tally(foreign=foreign, surplus=foreign + (have - want).total(), lacking=(want - have).total())


def line_count(text: bytes) -> int:
    """Return the number of lines; the last one needs no newline."""
    return text.count(b"\n") + (text[-1:] not in (b"\n", b""))


def shapes(actual: bytes, expected: bytes) -> set[Shape]:
    """Return every shape in which the two texts lie to each other; none when there is no name for it."""
    if actual == expected:
        return {SAME}
    if not actual.strip() or not expected.strip():
        return set()
    counted = tally(actual, expected)
    if not counted.lacking and not counted.surplus:
        return {frozenset({"order"})}
    if not counted.lacking:
        order = _order(expected, actual)
        return {order | {"extra-lines"}} | ({order | {"duplicates"}} if not counted.foreign else set())
    if not counted.surplus:
        return {_order(actual, expected) | {"missing-lines"}}
    repeats = not counted.foreign and _is_within(b"".join(dict.fromkeys(each_line(actual))), expected)
    return {frozenset({"duplicates", "missing-lines"})} if repeats else set()


def _order(part: bytes, whole: bytes) -> Shape:
    return SAME if _is_within(part, whole) else frozenset({"order"})


def _is_within(part: bytes, whole: bytes) -> bool:
    """Whether the lines of `part` are found in `whole` in the same order, with others between."""
    rest = each_line(whole)
    return all(line in rest for line in each_line(part))


# ---------------------------------------------------------------- the smallest set


def credit(kinds: Iterable[str], tolerate: Tolerances) -> Fraction:
    """Return the product of what the kinds leave; each counts once, however often it was seen."""
    product = Fraction(1)
    for kind in set(kinds):
        product *= tolerate.get(kind, Fraction(0))
    return product


def rank(kinds: Collection[str], tolerate: Tolerances) -> Rank:
    """Order sets of kinds: the smaller first, then that which keeps more credit, then as the language lists them."""
    return len(kinds), -credit(kinds, tolerate), sorted(map(DEVIATIONS.index, kinds))


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
        pairs = (zip_longest(forms(one, overlooked), forms(other, overlooked)) for one, other in texts(overlooked))
        return any(all(starmap(eq, pair)) for pair in pairs)

    @cache
    def others(overlooked: Kinds) -> set[Shape]:
        found = {
            shape
            for one, other in texts(overlooked)
            for shape in shapes(normal(one, overlooked), normal(other, overlooked))
        }
        return set(map(means, found)) if means else found

    kinds = possible(actual, expected, kinds)
    return smallest_set(same, others, kinds, tolerate, length=len(actual) + len(expected), most=most)


def smallest_set(
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
        _likely_sets(holds, found, kinds, tolerate, most), key=lambda pair: rank(pair[0] | pair[1], tolerate)
    )
    tries = max(_LEAST_TRIES, _MOST_WORK // (length + 1))
    for shape, overlooked in candidates[:tries]:
        if holds(shape, overlooked):
            return shape | overlooked
    # Something enormous and odd: all kinds together explain it, if with more names than it needs.
    unions = (union for shape in found(kinds) if len(union := shape | kinds) <= most)
    return min(unions, key=lambda union: rank(union, tolerate), default=None)


def _likely_sets(
    holds: Callable[[Shape, Kinds], bool],
    found: Callable[[Kinds], set[Shape]],
    kinds: Kinds,
    tolerate: Tolerances,
    most: int,
) -> Iterator[tuple[Shape, Kinds]]:
    # To begin with, everything is overlooked. An empty line too many may also be an extra line, which is not seen while
    # empty lines are overlooked: so where that keeps some credit, it is looked at without.
    bases = [kinds]
    if any(tolerate.get(kind) for kind in LINE_KINDS):
        bases += [kinds - {"blank-lines"}, kinds - {"blank-lines", "final-newline"}]
    seen: set[Shape] = set()
    for base in bases:
        for shape in found(base) - seen:
            seen.add(shape)
            room = most - len(shape)
            needed = frozenset(islice((kind for kind in base if not holds(shape, base - {kind})), max(room, -1) + 1))
            rest = base - needed
            for size in range(min(len(rest), room - len(needed)) + 1):
                yield from ((shape, needed | set(chosen)) for chosen in combinations(rest, size))
