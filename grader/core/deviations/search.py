"""The smallest set of deviations that explains a difference: in blanks and letter case, and in lines.

A *shape* is the relation of the lines of two texts, as a set of deviations: empty for equal texts, `order` for the same
lines in another order. Extra and missing lines together are no shape, since any two texts have that relation.

Shapes are searched between normal forms of the texts, in which some kinds of deviations are ignored. One comparison
that ignores everything decides whether there is an explanation, and one for each kind whether it is necessary. Some can
replace one another: a line of blanks is a blank line. Of two sets of one size, the one that leaves more credit wins.

A text longer than `MAX_SEARCHED` is read part by part, and of its lines only the order is looked at.
"""

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from io import BytesIO
from itertools import chain, combinations, count
from math import prod

from grader.core.deviations.table import DEVIATIONS, LINE_KINDS, RANKS, TEXT_KINDS, Kinds
from grader.core.lazy import lazy_regex
from grader.core.model.spec import Tolerances
from grader.core.model.values import SHARE
from grader.core.text import common_end, common_length

Shape = Kinds
SAME: Shape = frozenset()
ORDER: Shape = frozenset({"order"})
Means = Callable[[Shape], Shape]  # translates shapes where the order of lines is free
Rank = tuple[int, Fraction, list[int]]

MAX_SEARCHED = 2**20  # bytes of a text in which every deviation is searched
_MAX_SHUFFLED = 2**20  # lines whose order is looked at
_MAX_MEAN_LENGTH = 2**12  # bytes of a line on average, if the order of lines is looked at
_MIN_MIXED = 2**15  # bytes of two texts in which some lines may end otherwise than most
_SECRET = os.urandom(16)


def surplus_lines(text: bytes, reference: bytes, overlooked: Kinds) -> list[bytes]:
    """Return the lines of a text that the other lacks or has less often, but for kinds that are overlooked."""
    if "final-newline" in overlooked:
        text, reference = level(text, reference, overlooked)
    start, _ = equal_ends(text, reference)
    remaining = Counter(form for *_, form in numbered(reference[start:], overlooked))
    surplus = []
    for _, line, form in numbered(text[start:], overlooked):
        if remaining[form] > 0:
            remaining[form] -= 1
        else:
            surplus.append(line)
    return surplus


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
    return {frozenset({"duplicates", "missing-lines"})} if not is_foreign and _is_within(have, wants) else set()


def _is_within(part: Iterable[bytes], whole: Iterable[bytes]) -> bool:
    """Whether the lines of `part` occur in `whole` in the same order, perhaps with others between."""
    rest = iter(whole)  # to look for a line uses up the lines before it
    return all(line in rest for line in part)


def _has_order(actual: Iterable[bytes], expected: Iterable[bytes]) -> bool:
    """Whether two texts have the same lines in any order, except empty ones: the sums of secret hashes are equal."""
    return len({sum(map(hash, map(_SECRET.__add__, filter(None, lines)))) for lines in (actual, expected)}) == 1


def equal_ends(first: bytes, second: bytes) -> tuple[int, int]:
    """Return how many bytes of whole lines are the same at the beginning and at the end.

    Where the ends are not the same, the last line that is not blank belongs to neither: what is behind it is compared
    with it, for the sake of `final-newline`.
    """
    start = first.rfind(b"\n", 0, common_length(first, second)) + 1
    end = min(common_end(first, second), len(first) - start, len(second) - start)
    newline = first.find(b"\n", len(first) - end)
    end = len(first) - newline - 1 if newline >= 0 else 0
    if not is_blank(first[len(first) - end :]):
        return start, end
    return min(start, *(text.rfind(b"\n", 0, last_sign(text)) + 1 for text in (first, second))), 0


def credit(kinds: Iterable[str], tolerate: Tolerances) -> Fraction:
    """Return the product of the credit that each kind leaves; a kind counts once."""
    return prod((tolerate.get(kind, Fraction(0)) for kind in set(kinds)), start=Fraction(1))


def rank(kinds: Collection[str], tolerate: Tolerances) -> Rank:
    """Return the sort key of a set of kinds: by size, then by the remaining credit, then in the language's order."""
    return len(kinds), -credit(kinds, tolerate), sorted(-1 if kind == SHARE else RANKS[kind] for kind in kinds)


def explain_difference(
    actual: bytes, expected: bytes, tolerate: Tolerances, kinds: Kinds = TEXT_KINDS, means: Means | None = None
) -> Kinds | None:
    """Return the smallest set of kinds that explains how `actual` differs from `expected`; None when there is none."""
    if actual == expected and means is None:
        return SAME
    if is_blank(actual) != is_blank(expected):
        return None
    plain = None
    if means is None:
        start, end = equal_ends(actual, expected)
        # Where little of a long text is equal, none is copied for that.
        is_whole = max(len(actual), len(expected)) - start - end > MAX_SEARCHED and 2 * start < len(actual)
        own, wanted = (text[0 if is_whole else start : len(text) - end] for text in (actual, expected))
        plain = _search(own, wanted, tolerate, kinds - {"final-newline"} if end else kinds)
        if plain is not None and not (plain & {"blank-lines", "final-newline"} and any(map(tolerate.get, LINE_KINDS))):
            return plain
    sets = [plain]
    if _may_have_shape((actual, expected)):
        sets.append(_search(actual, expected, tolerate, kinds, means or frozenset))
    return min((chosen for chosen in sets if chosen is not None), key=partial(rank, tolerate=tolerate), default=None)


def _may_have_shape(texts: tuple[bytes, bytes]) -> bool:
    """Whether one of two texts has no line that the other lacks in every normal form; of long ones, neither has."""
    if max(map(len, texts)) > MAX_SEARCHED:
        is_short = all(len(text) // _MAX_MEAN_LENGTH < text.count(b"\n") <= _MAX_SHUFFLED for text in texts)
        return is_short and _has_order(*map(bare_rows, texts))
    haves, wants = ({b"", *bare_rows(text)} for text in texts)
    return haves <= wants or wants <= haves


def _shapes_but_for(texts: tuple[bytes, bytes], overlooked: Kinds) -> set[Shape]:
    """Return the shapes of normal forms; of long texts, whether their lines have another order."""
    if max(map(len, texts)) <= MAX_SEARCHED:
        return shapes(*(normal(text, overlooked) for text in texts))
    rows = (chain.from_iterable(each_line(normal(piece, overlooked)) for piece in pieces(text)) for text in texts)
    return {ORDER} if _has_order(*rows) else set()


def _search(
    actual: bytes, expected: bytes, tolerate: Tolerances, kinds: Kinds, means: Means | None = None
) -> Kinds | None:
    """Return the smallest set of all possible ones; without deviations of lines where these mean nothing."""
    is_long = max(len(actual), len(expected)) > MAX_SEARCHED
    signs = ((bare(part).replace(b"\n", b"") for part in parts(text)) for text in (actual, expected))
    if is_long and not means and not _make_the_same(*signs):
        return None
    if not is_long and all(text and not text.endswith(b"\n") for text in (actual, expected)):
        actual, expected = actual + b"\n", expected + b"\n"

    def pairs(overlooked: Kinds) -> Collection[tuple[bytes, bytes]]:
        pair = actual, expected
        return {pair, level(*pair, overlooked)} if "final-newline" in overlooked else [pair]

    @cache
    def shapes(overlooked: Kinds) -> set[Shape]:
        plain = set[Shape]()
        for pair in pairs(overlooked) if means else ():
            plain |= _shapes_but_for(pair, overlooked)
        return set(map(means, plain)) if means else plain

    @cache
    def same(overlooked: Kinds) -> bool:
        if means:
            return SAME in shapes(overlooked)
        return any(_are_the_same(*pair, overlooked) for pair in pairs(overlooked))

    if is_long and (known := shapes(SAME)):
        return known.pop()
    # What the ends differ in, behind lines that are equal, is mostly all, and a set that is not enough fails soon.
    start = equal_ends(actual, expected)[0] if is_long else 0
    have, want = (text[start : start + _MIN_MIXED] + text[-_MIN_MIXED:] for text in (actual, expected))
    near = possible(have, want, kinds) if is_long and not means else SAME
    few = map(frozenset, chain(combinations(near, 1), combinations(near, 2)))
    if sufficient := next(filter(same, sorted(few, key=partial(rank, tolerate=tolerate))), None):
        return sufficient
    return smallest_set(same, shapes, possible(actual, expected, kinds), tolerate, length=len(actual) + len(expected))


def _are_the_same(first: bytes, second: bytes, overlooked: Kinds) -> bool:
    """Whether two texts have the same normal form; of long ones that of the ends is compared first."""
    cuts = (_APART.search(text, len(text) - _PIECE) if len(text) > _PIECE else None for text in (first, second))
    ends = (_rewritten_part(cut.string[cut.end() :], overlooked) if cut else b"" for cut in cuts)
    have, want = (end.replace(b"\xcf\x82", b"\xcf\x83") for end in ends)  # a sigma may end a word by the cut alone
    may_be_the_same = have.endswith(want) or want.endswith(have)
    return may_be_the_same and _make_the_same(rewritten(first, overlooked), rewritten(second, overlooked))


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
    shapes: Callable[[Kinds], set[Shape]],
    kinds: Kinds,
    tolerate: Tolerances,
    *,
    length: int,
) -> Kinds | None:
    """Return the best-ranked union of a shape and the kinds that it needs.

    `same` tells whether the texts are equal when some kinds are ignored, and `shapes` returns their shapes otherwise.
    Each call reads `length` bytes.
    """
    same = cache(same)

    def holds(shape: Shape, overlooked: Kinds) -> bool:
        return same(overlooked) if shape == SAME else shape in shapes(overlooked)

    subsets = partial(_sufficient_set, tolerate=tolerate) if length > 2 * MAX_SEARCHED else _subsets
    # A surplus empty line can also be an extra line, which is not visible while blank lines are ignored.
    hidden = [{"blank-lines"}, {"blank-lines", "final-newline"}] if any(map(tolerate.get, LINE_KINDS)) else []
    candidates: list[tuple[Shape, Kinds]] = []
    seen: set[Shape] = set()
    for base in (kinds, *(kinds - some for some in hidden)):
        for shape in ({SAME} if same(base) else shapes(base)) - seen:
            seen.add(shape)
            candidates += ((shape, chosen) for chosen in subsets(partial(holds, shape), base))
    if not seen and length > _MIN_MIXED and "line-endings" in kinds:
        # A return before blanks ends no line until these are gone: where a few lines have one, less explains more.
        return smallest_set(same, shapes, kinds - {"line-endings"}, tolerate, length=length)
    candidates.sort(key=lambda pair: rank(pair[0] | pair[1], tolerate))
    return next((shape | overlooked for shape, overlooked in candidates if holds(shape, overlooked)), None)


def _subsets(holds: Callable[[Kinds], bool], base: Kinds) -> Iterator[Kinds]:
    """Yield the sets that include every necessary kind."""
    needed = frozenset(kind for kind in base if not holds(base - {kind}))
    rest = base - needed
    for size in range(len(rest) + 1):
        yield from (needed | set(chosen) for chosen in combinations(rest, size))


def _sufficient_set(holds: Callable[[Kinds], bool], base: Kinds, tolerate: Tolerances) -> Iterator[Kinds]:
    """Yield a set of which no kind can be left out; what takes most time is left out first, then what costs most."""
    for kind in sorted(base, key=lambda kind: (kind != "inner-space", credit([kind], tolerate), RANKS[kind])):
        if holds(base - {kind}):
            base -= {kind}
    yield base


# ---------------- Normal forms: what is left of a text when differences of blanks and letter case are overlooked


_PIECE = 2**16  # bytes rewritten at a time, unless a single line is longer
MAX_ROW_LENGTH = 2**17  # bytes of a line that is rewritten at once; a longer one is rewritten part by part
_APART = lazy_regex(
    rb"[!-~]{4}(?=[!-~]{4})|[A-Za-z0-9](?=[A-Za-z0-9])"
    rb"|[A-Za-z0-9](?=[,;:()\[\]{}<>|!?=*/][ \tA-Za-z0-9])"
    rb"|[^ \t\r\n\v\f](?=[\0-\x08\x0e-\x1f\x7f\xc0\xc1\xe5-\xe8\xf5-\xff])"
)
"""signs between which a line may be cut: no rewriting looks further than these, nor beyond one letter of a word, nor
before a sign apart, nor before what is no text or a character that begins so, at which also a sigma ends its word"""
each_line = BytesIO  # iterates over the lines of a text, each with its newline, without a list of them all
_SIGNED = bytes(b if b in b" \t\r\n" else b".w"[chr(b) == "_" or chr(b).isalnum() or b >> 7] for b in range(256))
"""makes `w` of what is in words, and `.` of every other sign"""


def ended(text: bytes) -> bytes:
    """Return `text` with a newline at the end of its last line."""
    return text if not text or text.endswith(b"\n") else text + b"\n"


def is_blank(text: bytes) -> bool:
    """Whether there is nothing in a text but blanks and newlines."""
    return not text or text.isspace()


def last_sign(text: bytes) -> int:
    """Return where the last character is that is no blank; 0 when there is none."""
    tail = text if is_blank(text[-_PIECE:]) else text[-_PIECE:]
    return max(len(text) - len(tail) + len(tail.rstrip(b" \t\r\n")) - 1, 0)


def possible(first: bytes, second: bytes, kinds: Kinds) -> Kinds:
    """Return those of `kinds` that two texts may differ in: the kind's rewriting may change one of the texts."""
    ends = [text[last_sign(text) :] for text in (first, second)]
    may_end = ends[0] != ends[1] and any(b"\n" in end for end in ends)
    changing = frozenset(
        kind for kind in kinds if any(_may_change(part, kind) for part in chain(parts(first), parts(second)))
    )
    return changing - {"final-newline"} | (kinds & {"final-newline"} if may_end else SAME)


def _may_change(text: bytes, kind: str) -> bool:
    """Whether a rewriting may change a text: most texts lack the characters that it needs."""
    if kind == "inner-space":
        text = text.replace(b" \n", b"\n")
        return _closed_up(text) != text
    needed, framed = DEVIATIONS[kind].needed, b"\n" + (text if kind == "line-endings" else ended(text))
    return not needed or any(some.strip(b" \n") in framed and some in framed for some in needed)


def normal(text: bytes, kinds: Kinds) -> bytes:
    """Return the normal form of `text`, without the differences of these `kinds`."""
    return b"".join(rewritten(text, kinds)) if kinds else text


def rewritten(text: bytes, kinds: Kinds) -> Iterator[bytes]:
    """Iterate over parts of the normal form; they end anywhere, and are seldom large."""
    return (_rewritten_part(part, kinds) for part in parts(text))


def _rewritten_part(part: bytes, kinds: Kinds) -> bytes:
    form = small(part) if "letter-case" in kinds else part
    for kind in DEVIATIONS.values():
        if kind.name not in kinds or not kind.rewrite:
            continue
        if kind.name == "trailing-space" and b"\r" not in form:
            form = form.replace(b" \n", b"\n")  # mostly that is all, at a twentieth of the price
        if kind.name == "inner-space" and (closed := _closed_up(form)) is not None:
            form = closed
        elif _may_change(form, kind.name):
            for pattern, replacement in kind.rewrite:
                form = pattern.sub(replacement, form)
    return form


def _closed_up(text: bytes) -> bytes | None:
    """Return a text without inner blanks but those that part words, if these are found without a pattern."""
    framed = b"\n%b\n" % (text if b"\n" in text or b"\r" in text else text[:1] + text[-1:])
    if any(map(framed.__contains__, (b"\n ", b" \n", b" \r", b"\r "))) or any(map(text.__contains__, b"\t\v\f")):
        return None
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    for sign in filter(text.__contains__, b",;:()[]{}<>|!?=*/"):
        at = b"%c" % sign
        text = text.replace(at + b" ", at).replace(b" " + at, at)
    signs = text.translate(_SIGNED)
    return text if b" ." not in signs and b". " not in signs else None


def bare(text: bytes) -> bytes:
    """Return `text` in small letters without its blanks: cheap, and the same for lines whose normal forms are."""
    text = small(text.translate(None, b" \t\r"))
    return text if text.isascii() else text.replace(b"\xcf\x82", b"\xcf\x83")  # a small sigma, by its place


def bare_rows(text: bytes) -> Iterator[bytes]:
    """Iterate over the lines without newlines, blanks and capitals; many at once, which takes a tenth of the time."""
    return map(bytes.strip, chain.from_iterable(map(each_line, map(bare, pieces(ended(text))))))


def numbered(text: bytes, kinds: Kinds, before: int = 0) -> Iterator[tuple[int, bytes, bytes]]:
    """Iterate over the lines as (number, line as written, normal form), behind so many `before`."""
    text = ended(text)
    rows = zip(count(before + 1), each_line(text), each_line(normal(text, kinds - {"blank-lines"})), strict=False)
    return filter(lambda row: row[2].strip(), rows) if "blank-lines" in kinds else rows


def newlines_at_end(text: bytes, kinds: Kinds) -> int:
    """Return how many newlines the normal form ends with."""
    form = normal(text[last_sign(text) :], kinds)
    return len(form) - len(form.rstrip(b"\n"))


def level(first: bytes, second: bytes, kinds: Kinds) -> tuple[bytes, bytes]:
    """Overlook a newline that one text has more at its end than the other; two or more are another matter."""
    more = newlines_at_end(first, kinds) - newlines_at_end(second, kinds)
    return first + b"\n" * (more == -1), second + b"\n" * (more == 1)


def pieces(text: bytes, start: int = 0) -> Iterator[bytes]:
    """Cut a text behind newlines into pieces, none larger than it may be unless it is a single line."""
    return parts(text, start, cuts_lines=False)


def parts(text: bytes, start: int = 0, *, cuts_lines: bool = True) -> Iterator[bytes]:
    """Cut a text into parts of which each is rewritten as it is in the whole: pieces, of long lines cut between signs.

    Where there is no place to cut nearby, none is expected further on.
    """
    while start < len(text):
        end = text.rfind(b"\n", start, start + _PIECE) + 1 or text.find(b"\n", start, start + MAX_ROW_LENGTH) + 1
        if not end and cuts_lines and len(text) - start > MAX_ROW_LENGTH:
            cut = _APART.search(text, start + _PIECE, start + 4 * MAX_ROW_LENGTH)
            end = cut.end() if cut else 0
        end = end or text.find(b"\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def small(text: bytes) -> bytes:
    """Return a text in small letters."""
    if text.isascii():
        return text.lower()
    return text.decode(errors="surrogateescape").lower().encode(errors="surrogateescape")
