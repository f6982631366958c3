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

A normal form of a text is what is left when some kinds are overlooked: a kind that concerns blanks or capitals is a
rewriting, and two texts differ by a set of kinds when they are the same after the rewritings of that set, made on both.
Every rewriting stays within a line, so texts are rewritten piece by piece: what differs at the top is known before the
rest is looked at, and little memory is used. The patterns begin at a place that is told by looking one byte back, so
that they take linear time on any input. `final-newline` is none of these: "one more or one less" holds between two
texts, see `level`.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from io import BytesIO
from itertools import chain, combinations, islice, starmap, zip_longest
from operator import eq

from grader.model import DEVIATIONS, Tolerances

Kinds = frozenset[str]

_JOINS = rb"(?<=[\w\x80-\xff])[ \t]+(?=[\w\x80-\xff]|[-+]?\.?\d)|(?<=\d\.)[ \t]+(?=\d)"
"""a blank without which two words or numbers would become one; `4 -1` is not `4-1`"""

_REWRITINGS: Mapping[str, tuple[tuple[re.Pattern[bytes], bytes], ...]] = {
    "line-endings": ((re.compile(rb"\r\n"), b"\n"),),
    "trailing-space": ((re.compile(rb"(?<![ \t])[ \t]+(?=\r?(?:\n|\Z))"), b""),),
    "leading-space": ((re.compile(rb"(?m)^[ \t]+"), b""),),
    "inner-space": (
        (re.compile(rb"(?=[ \t])(?!" + _JOINS + rb")(?<=\S)[ \t]+(?=\S)"), b""),
        (re.compile(_JOINS), b" "),
    ),
    "blank-lines": ((re.compile(rb"(?m)^\n+|^[ \t]*\r?\n|^[ \t]+\r?\Z"), b""),),
}
_PIECE = 2**18
"""bytes rewritten at a time; a single line that is longer is left as it is"""

TEXT_KINDS: Kinds = frozenset({"final-newline", "letter-case", *_REWRITINGS})
"""the kinds that are differences of blanks and capitals, not of lines"""

Shape = Kinds
SAME: Shape = frozenset()
LINE_KINDS = frozenset({"order", "duplicates", "extra-lines", "missing-lines"})

Rank = tuple[int, Fraction, list[int]]

_MOST_WORK = 2**27
"""bytes looked at while sets are tried; texts below a megabyte never come near"""
_LEAST_TRIES = 8


def each_line(text: bytes) -> Iterator[bytes]:
    """Iterate over the lines, each with its newline, without a list of them all."""
    return BytesIO(text)


def ended(text: bytes) -> bytes:
    """Return `text` with a newline at the end of its last line."""
    return text if not text or text.endswith(b"\n") else text + b"\n"


def possible(one: bytes, other: bytes, kinds: Kinds) -> Kinds:
    """Return those of `kinds` that may be a difference of the two texts; a quick look that spares many slow ones."""
    texts = one, other
    found = {kind for kind in kinds for how, _ in _REWRITINGS.get(kind, ()) if any(map(how.search, texts))}
    if _lower(one) != one or _lower(other) != other:
        found |= kinds & {"letter-case"}
    if one[_last(one) :] != other[_last(other) :]:
        found |= kinds & {"final-newline"}
    return frozenset(found)


def _last(text: bytes) -> int:
    """Return where the last character is that is no blank; 0 when there is none."""
    return max(len(text.rstrip(b" \t\r\n")) - 1, 0)


def normal(text: bytes, kinds: Kinds) -> bytes:
    """Return the normal form of `text` in which the differences of these `kinds` are gone."""
    return b"".join(_rewritten(text, kinds))


def forms(text: bytes, kinds: Kinds) -> Iterator[bytes]:
    """Iterate over the lines of the normal form, which is made as they are asked for."""
    return chain.from_iterable(map(each_line, _rewritten(text, kinds)))


def bare(text: bytes) -> bytes:
    """Return `text` in small letters without its blanks: cheap, and the same for lines whose normal forms are."""
    return _lower(text).translate(None, b" \t\r")


def numbered(text: bytes, kinds: Kinds) -> Iterator[tuple[int, bytes, bytes]]:
    """Iterate over the lines as (number from 1, line as written, normal form); blank lines may be overlooked too."""
    text = ended(text)
    for number, (line, form) in enumerate(zip(each_line(text), forms(text, kinds - {"blank-lines"}), strict=True), 1):
        if "blank-lines" not in kinds or form.strip():
            yield number, line, form


def newlines_at_end(text: bytes, kinds: Kinds) -> int:
    """Return how many newlines the normal form ends with."""
    form = normal(text[_last(text) :], kinds)
    return len(form) - len(form.rstrip(b"\n"))


def level(one: bytes, other: bytes, kinds: Kinds) -> tuple[bytes, bytes]:
    """Overlook a newline that one text has more at its end than the other; two or more are another matter."""
    match newlines_at_end(one, kinds) - newlines_at_end(other, kinds):
        case 1:
            return one, other + b"\n"
        case -1:
            return one + b"\n", other
        case _:
            return one, other


def _rewritten(text: bytes, kinds: Kinds) -> Iterator[bytes]:
    rewritings = [rewriting for kind in _REWRITINGS if kind in kinds for rewriting in _REWRITINGS[kind]]
    for piece in pieces(text):
        if len(piece) <= _PIECE:
            form = _lower(piece) if "letter-case" in kinds else piece
            for pattern, replacement in rewritings:
                form = pattern.sub(replacement, form)
            yield form
        else:
            yield piece


def pieces(text: bytes) -> Iterator[bytes]:
    """Cut a text behind newlines into pieces, none larger than it may be unless it is a single line."""
    start = 0
    while start < len(text):
        end = text.rfind(b"\n", start, start + _PIECE) + 1 or text.find(b"\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _lower(text: bytes) -> bytes:
    if text.isascii():
        return text.lower()
    return text.decode(errors="surrogateescape").lower().encode(errors="surrogateescape")


# ---------------------------------------------------------------- shapes of lines


def surplus(one: bytes, other: bytes) -> int:
    """Return how many lines of `one` are not in `other`, or not so often; their order is left aside."""
    theirs = Counter(each_line(other))
    shared = Counter(filter(theirs.__contains__, each_line(one)))
    return line_count(one) - (shared & theirs).total()


def line_count(text: bytes) -> int:
    """Return the number of lines; the last one needs no newline."""
    return text.count(b"\n") + (text[-1:] not in (b"\n", b""))


def shapes(actual: bytes, expected: bytes) -> set[Shape]:
    """Return every shape in which the two texts lie to each other; none when there is no name for it."""
    if actual == expected:
        return {SAME}
    if not actual.strip() or not expected.strip():
        return set()
    want = Counter(each_line(expected))
    have = Counter(filter(want.__contains__, each_line(actual)))
    lacking = not have >= want
    foreign = line_count(actual) > have.total()  # lines that are expected nowhere
    beyond = foreign or not have <= want
    if not lacking and not beyond:
        return {frozenset({"order"})}
    if not lacking:
        order = _order(expected, actual)
        return {order | {"extra-lines"}} | ({order | {"duplicates"}} if not foreign else set())
    if not beyond:
        return {_order(actual, expected) | {"missing-lines"}}
    repeats = not foreign and _is_within(b"".join(dict.fromkeys(each_line(actual))), expected)
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

    # To begin with, everything is overlooked. An empty line too many may also be an extra line, which is not seen while
    # empty lines are overlooked: so where that keeps some credit, it is looked at without.
    bases = [kinds]
    if any(tolerate.get(kind) for kind in LINE_KINDS):
        bases += [kinds - {"blank-lines"}, kinds - {"blank-lines", "final-newline"}]
    candidates: list[tuple[Shape, Kinds]] = []
    seen: set[Shape] = set()
    for base in bases:
        for shape in found(base) - seen:
            seen.add(shape)
            room = most - len(shape)
            needed = frozenset(islice((kind for kind in base if not holds(shape, base - {kind})), max(room, -1) + 1))
            rest = base - needed
            for size in range(min(len(rest), room - len(needed)) + 1):
                candidates += ((shape, needed | set(chosen)) for chosen in combinations(rest, size))
    candidates.sort(key=lambda pair: rank(pair[0] | pair[1], tolerate))
    tries = max(_LEAST_TRIES, _MOST_WORK // (length + 1))
    for shape, overlooked in candidates[:tries]:
        if holds(shape, overlooked):
            return shape | overlooked
    # Something enormous and odd: all kinds together explain it, if with more names than it needs.
    unions = (union for shape in found(kinds) if len(union := shape | kinds) <= most)
    return min(unions, key=lambda union: rank(union, tolerate), default=None)
