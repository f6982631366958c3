"""`lines`: these lines; their order may be free, and a newline may end the last.

With `credit: share` right lines keep their share, as in Submitty's `diff`: the longest common subsequence, of the lines
that are expected or written, whichever are more. In any order each line too many takes one away.

With `tolerance` or `relative` a line whose words are right and whose numbers are close is replaced by the expected one,
with its own spaces, before the texts are compared. Lines are paired from the beginning; where there are more or fewer,
also from the end.
"""

import re
from array import array
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, takewhile
from operator import eq

from msgspec.structs import replace

from grader.core.comparators.base import Comparator, Siblings, Wanted, text_nodes, write_mapping
from grader.core.comparators.text import TEXT_DEVIATIONS, name_difference, reachable_in, tell_wrong
from grader.core.comparators.tokens import CLOSENESS, Closeness, is_close_word, read_closeness
from grader.core.deviations.normalise import each_line, ended, line_count, normal
from grader.core.deviations.search import credit, explain_difference
from grader.core.deviations.sentences import wrong_lines
from grader.core.deviations.table import TEXT_KINDS, Kinds
from grader.core.errors import HostError
from grader.core.model.checks import SHARE
from grader.core.model.judgement import Deviation
from grader.core.model.spec import Leaf, Options
from grader.core.text import count
from grader.core.yaml.nodes import Node
from grader.core.yaml.types import REFERENCE, any_of, any_text, one_word_of, ref
from grader.core.yaml.value import Key, Value, choice, each_of, is_reference, text, wrong
from grader.core.yaml.writing import plain


class LineOptions(Closeness, frozen=True, kw_only=True):
    """How lines are compared."""

    ordered: bool = True
    """whether the order counts"""
    by_line: bool = False
    """whether lines that are right keep their share of the credit where others are wrong"""

    def nodes(self) -> dict[str, Node]:
        """Write the options."""
        order = {} if self.ordered else {"order": plain("any")}
        return {**order, **({"credit": plain("share")} if self.by_line else {}), **super().nodes()}

    def in_words(self, before: str) -> str:
        """Describe the options."""
        order, share = "" if self.ordered else ", in any order", ", each with its share of the credit"
        return order + super().in_words(before) + share * self.by_line


def _read_lines(value: Value, siblings: Siblings) -> Leaf:
    def read_line(item: Value) -> str:
        line = text(item)
        if "\n" in line:
            wrong(item, "a line has no line break in it: make it several")
        return line

    want = None if is_reference(value) else each_of(read_line)(value)
    is_free = "order" in siblings and choice(("same", "any"), "order")(siblings["order"][1]) == "any"
    by_line = "credit" in siblings and choice(("all", "share"), "way to give credit")(siblings["credit"][1]) == "share"
    if by_line and want == ():
        wrong(siblings["credit"][1], "no line is expected, so that there is nothing to share: leave credit out")
    bounds = read_closeness(siblings, of_texts=True)
    if is_free and bounds:
        wrong(siblings["order"][1], "numbers cannot be off in lines of any order: leave order out, or the tolerance")
    options = LineOptions(ordered=not is_free, by_line=by_line, **bounds)
    return Leaf(how="lines", want=want, options=Options() if options == LineOptions() else options)


def _compare_lines(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    actual, expected, options = ended(output), ended(wanted.values[0]), wanted.leaf.get(LineOptions)
    if not options.is_exact:
        actual = _with_close_lines(actual, expected, options)

    def explained(other: bytes, asked: bytes) -> Kinds | None:
        kinds = TEXT_KINDS - {"final-newline"}
        means = None if options.ordered else lambda shape: shape - {"order"}
        return explain_difference(ended(other), ended(asked), wanted.tolerate, kinds, means)

    told = tell_wrong(wanted) if options.ordered else wrong_lines
    found = name_difference(actual, expected, wanted, explained, told)
    return _share(actual, expected, wanted, found) if options.by_line and found else found


def _with_close_lines(actual: bytes, expected: bytes, bounds: Closeness) -> bytes:
    """Return a text in which each line that is close to the expected one has its words."""
    haves, wants = actual.split(b"\n"), expected.split(b"\n")
    closest = [_close_line(have, want, bounds) for have, want in zip(haves, wants, strict=False)]
    if len(haves) != len(wants):
        start = closest.index(None) if None in closest else len(closest)
        pairs = zip(reversed(haves[start:]), reversed(wants[start:]), strict=False)
        end = [*takewhile(lambda line: line is not None, (_close_line(*pair, bounds) for pair in pairs))][::-1]
        closest = [*closest[: len(closest) - len(end)], *[None] * (len(haves) - len(closest)), *end]
    return b"\n".join(have if close is None else close for have, close in zip(haves, closest, strict=True))


def _close_line(have: bytes, want: bytes, bounds: Closeness) -> bytes | None:
    """Return the words of the expected line with the spaces of this one; None where the words are not close."""
    given, words = have.split(), want.split()
    if have == want or len(given) != len(words):
        return have if have == want else None
    if not all(is_close_word(one, other, bounds) for one, other in zip(given, words, strict=True)):
        return None
    return b"".join(chain(*zip(re.split(rb"\S+", have), [*words, b""], strict=True)))


def _share(actual: bytes, expected: bytes, wanted: Wanted, found: tuple[Deviation, ...]) -> tuple[Deviation, ...]:
    """Return the deviation that keeps the share of the lines that are right, where that is more than `found` keeps."""
    overlooked = frozenset(kind for kind in TEXT_KINDS - {"final-newline"} if wanted.tolerate.get(kind) == 1)
    haves, wants = (normal(text, overlooked) for text in (actual, expected))
    written, asked = line_count(haves), line_count(wants)
    ordered = wanted.leaf.get(LineOptions).ordered
    right = common_lines(haves, wants, ordered=ordered)
    if not asked or (right is None and 4 * asked * asked <= MAX_ALIGNED):  # or far more was written than is expected
        return found
    if right is None:
        raise HostError(f"{wanted.where} and what is expected are too long for a share of the lines: {MAX_ALIGNED:,}")
    surplus = 0 if wanted.tolerate.get("extra-lines") == 1 else max(written - asked, 0)
    share = Fraction(right, asked + surplus) if ordered else Fraction(max(right - surplus, 0), asked)
    if share <= credit({one.kind for one in found}, wanted.tolerate):
        return found
    told = f"{right} of {count(asked, 'line')} of {wanted.where} {'is' if right == 1 else 'are'} right"
    told += f", among {count(written, 'line')}." if surplus else "."
    message = " ".join((told, *(one.message for one in found)))
    return (replace(wanted.deviation(SHARE, message), keeps=share),)


LINES = Comparator(
    name="lines",
    key=Key(about="These lines; a newline may end the last.", kind="lines", alternative=True),
    options={
        "order": Key(about="Whether the lines may come in any order.", kind="order", default="same", beside="lines"),
        "credit": Key(
            about="Whether right lines keep their share of the credit where others are wrong, missing or extra.",
            kind="line-credit",
            default="all",
            beside="lines",
        ),
        **CLOSENESS,
    },
    kinds={
        "lines": any_of(REFERENCE, ref("file-content"), {"type": "array", "items": any_text(pattern=r"^[^\n]*$")}),
        "order": one_word_of({"same": "In this order.", "any": "In any order."}),
        "line-credit": one_word_of({"all": "For all lines or none.", "share": "For each line that is right."}),
    },
    example="{lines: ['1 5', '2 4'], order: any}",
    read=_read_lines,
    compare=_compare_lines,
    reachable=lambda leaf: reachable_in(
        TEXT_DEVIATIONS - {"final-newline", *(() if leaf.get(LineOptions).ordered else ("order",))}, leaf.want
    ),
    words=lambda leaf, shown: f"the lines {shown}{leaf.get(LineOptions).in_words(', numbers ')}",
    write=lambda leaf: write_mapping(leaf, text_nodes, **leaf.get(LineOptions).nodes()),
    freeze=lambda output: tuple(output.decode().removesuffix("\n").split("\n")) if output else (),
    join=lambda values: b"".join(value + b"\n" for value in values),
    linewise=True,
    whole=True,
    shown=True,
)


# ---------------------------------------------------------------- lines in common

MAX_ALIGNED = 2**33
"""pairs of lines of two texts that are compared to find the most that both have in the same order: seconds"""
_STORED = 64
"""places of a line from which on the set of them is stored"""


def common_lines(one: bytes, other: bytes, *, ordered: bool) -> int | None:
    """Return how many lines two texts have in common, at most, in the same order where that counts.

    None where there are more than `MAX_ALIGNED` pairs of lines to compare. Lines that are the same at both ends, and
    lines that only one text has, are no such pairs.
    """
    numbers: dict[bytes, int] = {}
    wants = array("I", (numbers.setdefault(line, len(numbers) + 1) for line in each_line(ended(other))))
    haves = array("I", (numbers.get(line, 0) for line in each_line(ended(one))))
    if not ordered:
        return (Counter(wants) & Counter(filter(None, haves))).total()
    start = _common_beginning(haves, wants)
    end = _common_beginning(haves[start:][::-1], wants[start:][::-1])
    haves = array("I", filter(None, haves[start : len(haves) - end]))
    shorter, longer = sorted((haves, wants[start : len(wants) - end]), key=len)
    if len(shorter) * len(longer) > MAX_ALIGNED:
        return None
    return start + end + _longest_common(shorter, longer)


def _common_beginning(one: "array[int]", other: "array[int]") -> int:
    return sum(takewhile(bool, map(eq, one, other)))


def _longest_common(shorter: "array[int]", longer: "array[int]") -> int:
    """Return the length of the longest common subsequence, by the bit-parallel algorithm of Hyyrö (2004).

    A bit of `row` stands for a line of `longer`, and is 0 where the length grows there.
    """
    places: dict[int, list[int]] = {}
    for place, line in enumerate(longer):
        places.setdefault(line, []).append(place)
    stored: dict[int, int] = {}
    every = (1 << len(longer)) - 1
    row = every
    for line in shorter:
        if line not in places:
            continue
        match = stored.get(line) or _bits(places[line], len(longer))
        if len(places[line]) > _STORED:
            stored[line] = match
        matched = row & match
        row = ((row + matched) | (row - matched)) & every
    return len(longer) - row.bit_count()


def _bits(places: Sequence[int], length: int) -> int:
    found = bytearray(length // 8 + 1)
    for place in places:
        found[place // 8] |= 1 << place % 8
    return int.from_bytes(found, "little")
