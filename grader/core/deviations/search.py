"""The smallest set of deviations that explains a difference: in blanks and letter case, and in lines.

A *shape* is the relation of the lines of two texts, as a set of deviations. It is empty for equal texts and `order` for
the same lines in another order; `order` and `duplicates` can occur together. Extra and missing lines together are no
shape, since any two texts have that relation. A search takes linear time and stores only the expected lines: a hostile
output is streamed.

Shapes are searched between normal forms of the texts, in which some kinds of deviations are ignored. Ignoring more
kinds explains more. So one comparison that ignores everything decides whether there is an explanation, and one for each
kind decides whether that kind is necessary. The necessary kinds usually suffice. Some kinds can replace one another: a
line of blanks has trailing space and is a blank line. Then larger sets are tried by size. Of two sets of one size, the
one that leaves more credit wins. If blanks and letter case explain everything, no deviation of lines is reported.

Cheap checks come first. Equal beginnings and ends of two texts are removed. Kinds that do not occur in the texts are
not tried. The set is found in the first part that differs and verified on the whole texts; if that fails, the place of
the failure is added to the part. Two texts have no shape if each has a line that the other lacks in every normal form.
To find a shape, the part is a sample of lines with all lines that equal them. Texts longer than `MAX_SEARCHED` get only
these checks, so that the time is bounded by a small multiple of their length.
"""

import os
from array import array
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import chain, combinations, compress, filterfalse, islice, repeat
from operator import add, and_, contains, gt, lt, not_, sub
from typing import Any, NamedTuple

from grader.core.deviations.line_alignment import (
    PART,
    bare_parting,
    begin_of_difference,
    behind_rows,
    enormous_row,
    equal_ends,
    part_of_both,
    parting,
    same_rows,
    same_signs,
    some_lines,
)
from grader.core.deviations.normalise import (
    TEXT_KINDS,
    Kinds,
    bare,
    each_line,
    ended,
    is_blank,
    join_lines,
    level,
    line_count,
    normal,
    pieces,
    possible,
)
from grader.core.model.checks import SHARE
from grader.core.model.spec import DEVIATIONS, Tolerances

Shape = Kinds
SAME: Shape = frozenset()
LINE_KINDS = frozenset({"order", "duplicates", "extra-lines", "missing-lines"})

Rank = tuple[int, Fraction, list[int]]

MAX_SEARCHED = 2**20
"""bytes of a text in which every deviation is searched; in a longer one, only those that occur in a part of it"""
MAX_COUNTED = 2**24
"""bytes of a text whose lines are counted, which takes several times as much memory"""
_MAX_PARTS = 12
_ALIKE = 32
"""lines sampled at the beginning, at the end and between"""
_SMALL_SEARCH = 2**17
"""bytes of a text in which all lines are counted; in a longer one, only lines that differ in number"""
_SUMS = 2**16 - 1
"""the last index of the sums of hashes, which identify lines without storing them"""
_AT_ONCE = 2**12
"""lines"""
_MAX_HASHED_LINES = 2**19
"""lines whose hashes may be stored"""
_WITNESSES = 4
"""lines at the beginning and at the end that are searched in the whole other text"""
_MAX_WORK = 2**27
"""bytes that are read while sets are tried; texts below a megabyte stay far below it"""
_MIN_TRIES = 8


# ---------------------------------------------------------------- shapes of lines


def unshared(one: bytes, other: bytes) -> tuple[bytes, bytes]:
    """Return the surplus lines of each text: those that the other lacks or has less often."""
    shorter, longer = sorted((one, other), key=line_count)
    is_tried = _has_stranger(one, other) and line_count(shorter) <= _MAX_HASHED_LINES
    if is_tried and set(_keys(each_line(shorter))).isdisjoint(_keys(each_line(longer))):
        return one, other
    one, other = _uneven(one, other)
    every = Counter(each_line(other))
    ours = Counter(filter(every.__contains__, each_line(one)))
    theirs = Counter({line: every[line] for line in ours})
    return _without(one, ours, theirs), _without(other, theirs, ours)


def lines_beyond(one: bytes, other: bytes) -> bytes:
    """Return the surplus lines of a text that contains all lines of the other."""
    if line_count(other) <= _MAX_HASHED_LINES:
        known = set(_keys(each_line(other)))
        left = join_lines(compress(each_line(one), map(not_, map(known.__contains__, _keys(each_line(one))))))
        if line_count(left) == line_count(one) - line_count(other):
            return left
    return unshared(one, other)[0]


def _without(text: bytes, own: Counter[bytes], others: Counter[bytes]) -> bytes:
    """Return the surplus lines of a text, given the counts of the shared lines in it and in the other."""
    left = {line: others[line] for line in own - others}
    if not left:
        return join_lines(filterfalse(own.__contains__, each_line(text)))

    def is_surplus(line: bytes) -> bool:
        if left.get(line):
            left[line] -= 1
            return False
        return line in left or line not in own

    return join_lines(filter(is_surplus, each_line(text)))


def surplus(one: bytes, other: bytes) -> int:
    """Return the number of surplus lines of `one`, in any order."""
    if _is_within(other, one):
        return line_count(one) - line_count(other)
    one, other = _uneven(one, other)
    theirs = Counter(each_line(other))
    shared = Counter(filter(theirs.__contains__, each_line(one)))
    return line_count(one) - sum(map(min, shared.values(), map(theirs.__getitem__, shared)))


def shapes(actual: bytes, expected: bytes) -> set[Shape]:
    """Return every shape of two texts; none when no deviation has a name for it."""
    if actual == expected:
        return {SAME}
    if is_blank(actual) or is_blank(expected):
        return set()
    longest = max(len(actual), len(expected))
    if longest > _SMALL_SEARCH and _has_stranger(actual, expected) and _has_stranger(expected, actual):
        return set()
    if len(actual) == len(expected) and _fingerprint(actual) == _fingerprint(expected):
        return {frozenset({"order"})}
    return _counted_shapes(actual, expected) if longest <= MAX_COUNTED else set()


def _counted_shapes(actual: bytes, expected: bytes) -> set[Shape]:
    """Return the shapes of texts with different lines."""
    if _is_within(actual, expected):
        return {frozenset({"missing-lines"})}
    if _is_within(expected, actual):  # mostly so where lines are too many, and nothing need be counted
        extra = {frozenset({"extra-lines"})}
        return extra if _has_foreign_line(actual, expected) else {*extra, frozenset({"duplicates"})}
    one, other = _uneven(actual, expected)
    want = Counter(each_line(other))
    have = Counter(filter(want.__contains__, each_line(one)))
    times = partial(map, have.get, want, repeat(0))
    lacking = any(map(lt, times(), want.values()))
    beyond = line_count(one) > have.total() or any(map(gt, times(), want.values()))
    foreign = beyond and _has_foreign_line(one, expected)
    if not lacking:
        order = _order(expected, actual)
        return {order | {"extra-lines"}} | ({order | {"duplicates"}} if not foreign else set())
    if not beyond:
        return {_order(actual, expected) | {"missing-lines"}}
    repeats = not foreign and _is_within(join_lines(dict.fromkeys(each_line(actual))), expected)
    return {frozenset({"duplicates", "missing-lines"})} if repeats else set()


_SECRET = os.urandom(16)
_HAS_SECRET_HASHES = os.environ.get("PYTHONHASHSEED", "random") == "random"


def _fingerprint(text: bytes) -> int:
    """Return a number that is equal for texts with the same lines in any order, and differs for all others."""
    return sum(_keys(each_line(text)))


def _keys(lines: Iterable[bytes]) -> Iterator[int]:
    """Iterate over hashes of lines that a program cannot predict, so that no output can force collisions."""
    return map(hash, lines if _HAS_SECRET_HASHES else map(_SECRET.__add__, lines))


def _uneven(one: bytes, other: bytes) -> tuple[bytes, bytes]:
    """Return two texts without most of the lines that both have equally often.

    Lines are identified by sums of their hashes: a list of the lines of a long text takes ten times its size.
    """
    start, end = equal_ends(one, other)
    one, other = one[start : len(one) - end], other[start : len(other) - end]
    if max(len(one), len(other)) <= _SMALL_SEARCH:
        return one, other
    sums = [0] * (_SUMS + 1)
    both = array("H"), array("H")
    for text, places, change in zip((one, other), both, (add, sub), strict=True):
        keys = _keys(each_line(text))
        while some := list(islice(keys, _AT_ONCE)):  # many at once: no call for each line
            at = list(map(and_, some, repeat(_SUMS)))
            deque(map(sums.__setitem__, at, map(change, map(sums.__getitem__, at), some)), 0)
            places.extend(at)
    one, other = (
        join_lines(compress(each_line(text), map(sums.__getitem__, places)))
        for text, places in zip((one, other), both, strict=True)
    )
    return one, other


def _has_stranger(text: bytes, other: bytes) -> bool:
    """Whether one of the first and last lines of a text is missing from another; this check is cheap."""
    whole = ended(other)
    return not all(line in whole for line in some_lines(text, _WITNESSES))


def _has_foreign_line(text: bytes, other: bytes) -> bool:
    """Whether a text has a line that another lacks; the lines of the shorter text are stored."""
    if len(text) > len(other):
        return not all(map(set(each_line(other)).__contains__, each_line(text)))
    return bool(set(each_line(text)).difference(each_line(other)))


def _order(part: bytes, whole: bytes) -> Shape:
    return SAME if _is_within(part, whole) else frozenset({"order"})


def _is_within(part: bytes, whole: bytes) -> bool:
    """Whether the lines of `part` occur in `whole` in the same order, perhaps with others between."""
    rest: Any = each_line(whole)  # whatever goes by while a line is looked for in it is gone
    return all(map(partial(contains, rest), each_line(part)))


# ---------------------------------------------------------------- the smallest set


_RANKED = (SHARE, *DEVIATIONS)


def credit(kinds: Iterable[str], tolerate: Tolerances) -> Fraction:
    """Return the product of the credit that each kind leaves; a kind counts once."""
    product = Fraction(1)
    for kind in set(kinds):
        product *= tolerate.get(kind, Fraction(0))
    return product


def rank(kinds: Collection[str], tolerate: Tolerances) -> Rank:
    """Return the sort key of a set of kinds: by size, then by the remaining credit, then in the language's order."""
    return len(kinds), -credit(kinds, tolerate), sorted(map(_RANKED.index, kinds))


class _Terms(NamedTuple):
    """The requirements on a set of kinds, and the meaning of shapes."""

    tolerate: Tolerances
    most: int
    means: Callable[[Shape], Shape] | None

    def best(self, found: Iterable[Kinds]) -> Kinds | None:
        """Return the best-ranked set with at most `most` kinds."""
        small = (one for one in found if len(one) <= self.most)
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
    terms = _Terms(tolerate, len(DEVIATIONS) if most is None else most, means)
    if (begin := enormous_row(actual, expected)) is not None:
        return _row_kinds(actual, expected, begin, kinds, terms)
    plain = None
    if means is None:
        one, other, end = _unlike(actual, expected)
        plain = _plain_kinds(one, other, kinds - {"final-newline"} if end else kinds, terms)
        blames_lines = any(tolerate.get(kind) for kind in LINE_KINDS)
        if plain is not None and not (blames_lines and plain & {"blank-lines", "final-newline"}):
            return terms.best([plain])
    found = _shaped_kinds(actual, expected, kinds, terms)
    return terms.best(one for one in (plain, found) if one is not None)


def _row_kinds(actual: bytes, expected: bytes, begin: int, kinds: Kinds, terms: _Terms) -> Kinds | None:
    """Return the smallest set that explains a difference within one enormous line, which is not copied for that."""
    if terms.means and terms.means(SAME):
        return None

    begin = begin_of_difference(actual, expected, begin)

    def same(overlooked: Kinds) -> bool:
        return same_rows(actual, expected, begin, overlooked)

    kinds = possible(actual, expected, kinds, begin)
    if same_signs(actual, expected, begin):
        kinds -= {"letter-case"}
    length = len(actual) + len(expected)
    return smallest_set(same, lambda _: set(), kinds, terms.tolerate, length=length, most=terms.most)


def _search(actual: bytes, expected: bytes, kinds: Kinds, terms: _Terms, *, shaped: bool = True) -> Kinds | None:
    """Return the smallest set of all possible ones; without deviations of lines unless `shaped`."""
    if actual and expected and not actual.endswith(b"\n") and not expected.endswith(b"\n"):
        actual, expected = actual + b"\n", expected + b"\n"

    def same(overlooked: Kinds) -> bool:
        if terms.means is not None:
            return SAME in others(overlooked)
        return any(parting(one, other, overlooked) is None for one, other in _pairs(actual, expected, overlooked))

    @cache
    def others(overlooked: Kinds) -> set[Shape]:
        return _shapes_without(actual, expected, overlooked, terms.means) if shaped else set()

    kinds = possible(actual, expected, kinds)
    length = len(actual) + len(expected)
    return smallest_set(same, others, kinds, terms.tolerate, length=length, most=terms.most if shaped else None)


def _pairs(one: bytes, other: bytes, overlooked: Kinds) -> list[tuple[bytes, bytes]]:
    return list({(one, other), level(one, other, overlooked)}) if "final-newline" in overlooked else [(one, other)]


def _shapes_without(
    actual: bytes, expected: bytes, overlooked: Kinds, means: Callable[[Shape], Shape] | None
) -> set[Shape]:
    """Return the shapes of two texts when some kinds are ignored, translated by `means`."""
    found = {
        shape
        for one, other in _pairs(actual, expected, overlooked)
        for shape in shapes(normal(one, overlooked), normal(other, overlooked))
    }
    return set(map(means, found)) if means else found


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


# ---------------------------------------------------------------- parts of texts, and the proof on the whole


def _unlike(one: bytes, other: bytes) -> tuple[bytes, bytes, int]:
    """Return two texts without their equal beginnings and ends, and the length of the equal end.

    Long texts are returned unchanged where a copy would be large or would save little.
    """
    start, end = equal_ends(one, other)
    if 2 * (start + end) < len(one) > MAX_SEARCHED or max(len(one), len(other)) - start - end > MAX_COUNTED:
        return one, other, 0
    return one[start : len(one) - end], other[start : len(other) - end], end


def _plain_kinds(one: bytes, other: bytes, kinds: Kinds, terms: _Terms) -> Kinds | None:
    """Return the smallest set of blanks and letter case that explains a difference.

    It is found in parts and verified on the whole. A set that explains the whole explains each part, so the smallest
    set for some parts that explains the whole is the smallest for the whole.
    """
    parts: dict[int, tuple[bytes, bytes]] = {}
    first: int | None = 0
    while first is not None and first not in parts and len(parts) < _MAX_PARTS and len(one) > 2 * PART < len(other):
        parts[first] = part_of_both(one, other, first)
        part, wanted = (b"".join(parts[at][side] for at in sorted(parts)) for side in (0, 1))
        found = _search(part, wanted, kinds, terms, shaped=False)
        if found is None:
            return None
        partings = [parting(*pair, found) for pair in _pairs(one, other, found)]
        if None in partings:
            return found
        first = partings[-1]
    return _search(one, other, kinds, terms, shaped=False)


def _shaped_kinds(  # noqa: PLR0911 - what costs least is looked at first
    actual: bytes, expected: bytes, kinds: Kinds, terms: _Terms
) -> Kinds | None:
    """Return the smallest set with deviations of lines that explains a difference."""
    longest = max(len(actual), len(expected))
    if longest <= 2 * PART:
        return _search(actual, expected, kinds, terms)
    one, other, _ = _unlike(actual, expected)
    rows = bare_parting(one, other) or 0
    if _has_foreign(one, expected, rows) and _has_foreign(other, actual, rows):
        return None
    found = _shapes_without(actual, expected, SAME, terms.means)
    least = len(terms.means(SAME)) if terms.means else 1
    if longest > MAX_COUNTED or any(len(shape) <= least for shape in found):
        return terms.best(found)
    if alike := _lines_alike(actual, expected):
        shown = _search(*alike, kinds, terms)
        if shown is None:
            return None
        overlooked = shown & TEXT_KINDS
        if overlooked:
            found |= {shape | overlooked for shape in _shapes_without(actual, expected, overlooked, terms.means)}
        if shown in found:
            return shown
    if longest > MAX_SEARCHED or (_is_strange(actual, expected) and _is_strange(expected, actual)):
        return terms.best(found)
    return _search(actual, expected, kinds, terms)


def _is_strange(text: bytes, other: bytes) -> bool:
    """Whether a text has a line that the other lacks in every normal form; if both have one, there is no shape."""
    known = {b"\n", *each_line(bare(ended(other)))}
    return not all(map(known.__contains__, each_line(bare(ended(text)))))


def _has_foreign(part: bytes, whole: bytes, first: int) -> bool:
    """Whether a sampled row of a part is missing from a whole text: the first and last, and some behind row `first`.

    This check is cheap.
    """
    lines = map(ended, islice(each_line(part, behind_rows(part, first)), _WITNESSES))
    rows = {row for row in map(bare, chain(some_lines(part, _WITNESSES), lines)) if row.strip()}
    for piece in pieces(whole):
        text = b"\n" + ended(bare(piece))
        rows = {row for row in rows if b"\n" + row not in text}
    return bool(rows)


def _lines_alike(actual: bytes, expected: bytes) -> tuple[bytes, bytes] | None:
    """Return sampled lines of two texts, with all lines of both that equal them up to blanks and letter case.

    Their shape is a part of the shape of the whole texts. None when there would be too many.
    """
    ends = _unlike(actual, expected)[:2]
    rows = {bare(line) for text in ends for line in some_lines(text, _ALIKE, between=_ALIKE)}
    parts = []
    for text in (actual, expected):
        known = map(rows.__contains__, chain.from_iterable(each_line(bare(ended(piece))) for piece in pieces(text)))
        part = b"".join(islice(compress(each_line(text), known), 64 * _ALIKE))
        if len(part) > 8 * PART:
            return None
        parts.append(part)
    return parts[0], parts[1]
