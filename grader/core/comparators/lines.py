"""`lines`: these lines; their order may be free, and a newline may end the last.

With `credit: share` right lines keep their share, as in Submitty's `diff`: the longest common subsequence, divided by
the number of expected or written lines, whichever is larger. In any order each surplus line takes one away.
"""

import re
from collections import Counter, defaultdict
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain, takewhile

from msgspec.structs import replace

from grader.core.comparators.base import Comparator, Siblings, Wanted
from grader.core.comparators.text import TEXT_DEVIATIONS, name_difference, reachable_in
from grader.core.comparators.tokens import CLOSENESS, Closeness, is_close_word, read_closeness
from grader.core.deviations.search import credit, each_line, ended, equal_ends, normal
from grader.core.deviations.sentences import line_count
from grader.core.deviations.table import TEXT_KINDS, Kinds
from grader.core.errors import HostError
from grader.core.model.report import Deviation
from grader.core.model.spec import Leaf, Options
from grader.core.model.values import SHARE
from grader.core.text import count
from grader.core.yaml.nodes import Node, plain
from grader.core.yaml.types import REFERENCE, any_of, any_text, one_word_of, ref
from grader.core.yaml.value import Key, Value, choice, each_of, is_reference, text, wrong

_KINDS: Kinds = TEXT_KINDS - {"final-newline"}
_key = partial(Key, beside="lines")


class LineOptions(Closeness, frozen=True, kw_only=True):
    """How lines are compared."""

    ordered: bool = True
    by_line: bool = False
    """whether lines that are right keep their share of the credit where others are wrong"""

    def nodes(self) -> dict[str, Node]:
        """Write the options."""
        words = {"order": "any" * (not self.ordered), "credit": "share" * self.by_line}
        return {**{name: plain(word) for name, word in words.items() if word}, **super().nodes()}

    def in_words(self, before: str) -> str:
        """Describe the options."""
        order, share = "" if self.ordered else ", in any order", ", each with its share of the credit"
        return order + super().in_words(before) + share * self.by_line


def _read_line(value: Value) -> str:
    if "\n" in (line := text(value)):
        wrong(value, "a line has no line break in it: make it several")
    return line


def _read_lines(value: Value, siblings: Siblings) -> Leaf:
    want = None if is_reference(value) else each_of(_read_line)(value)
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
    deviations = name_difference(actual, expected, wanted, _KINDS, is_ordered=options.ordered)
    return _share(actual, expected, wanted, deviations) if options.by_line and deviations else deviations


def _with_close_lines(actual: bytes, expected: bytes, bounds: Closeness) -> bytes:
    """Replace the words of each line that is close by those expected; lines are paired from both ends."""
    haves, wants = actual.split(b"\n"), expected.split(b"\n")
    closest = list(map(partial(_close_line, bounds=bounds), haves, wants))
    if len(haves) != len(wants):
        start = closest.index(None) if None in closest else len(closest)
        backwards = map(partial(_close_line, bounds=bounds), reversed(haves[start:]), reversed(wants[start:]))
        end = [*takewhile(lambda line: line is not None, backwards)][::-1]
        closest = [*closest[: len(closest) - len(end)], *[None] * (len(haves) - len(closest)), *end]
    return b"\n".join(have if close is None else close for have, close in zip(haves, closest, strict=True))


def _close_line(have: bytes, want: bytes, bounds: Closeness) -> bytes | None:
    """Return the words of the expected line with the spaces of this one; None where the words are not close."""
    given, words = have.split(), want.split()
    if len(given) != len(words) or not all(map(partial(is_close_word, bounds=bounds), given, words)):
        return None
    return b"".join(chain(*zip(re.split(rb"\S+", have), [*words, b""], strict=True)))


def _share(actual: bytes, expected: bytes, wanted: Wanted, deviations: tuple[Deviation, ...]) -> tuple[Deviation, ...]:
    """Return the deviation that keeps the share of the lines that are right, where that is more than those keep."""
    overlooked = frozenset(kind for kind in _KINDS if wanted.tolerate.get(kind) == 1)
    haves, wants = (normal(text, overlooked) for text in (actual, expected))
    written, asked, ordered = line_count(haves), line_count(wants), wanted.leaf.get(LineOptions).ordered
    right = common_lines(haves, wants, ordered=ordered)
    if not asked or (right is None and 4 * asked * asked <= MAX_ALIGNED):  # or far more was written than is expected
        return deviations
    if right is None:
        raise HostError(f"{wanted.where} and what is expected are too long for a share of the lines: {MAX_ALIGNED:,}")
    surplus = 0 if wanted.tolerate.get("extra-lines") == 1 else max(written - asked, 0)
    share = Fraction(right, asked + surplus) if ordered else Fraction(max(right - surplus, 0), asked)
    if share <= credit({deviation.kind for deviation in deviations}, wanted.tolerate):
        return deviations
    among = f", among {count(written, 'line')}" if surplus else ""
    summary = f"{right} of {count(asked, 'line')} of {wanted.where} {'is' if right == 1 else 'are'} right{among}."
    messages = (summary, *(deviation.message for deviation in deviations))
    return (replace(wanted.deviation(SHARE, " ".join(messages)), keeps=share),)


_NO_SHARE = "only what is exactly so is denied, and no share of its lines: take credit out"
LINES = Comparator(
    name="lines",
    why_not_denied=lambda leaf: _NO_SHARE if leaf.get(LineOptions).by_line else "",
    key=Key(about="These lines; a newline may end the last.", kind="lines"),
    options={
        "order": _key(about="Whether the lines may come in any order.", kind="order", default="same"),
        "credit": _key(about="Whether right lines keep a share beside wrong ones.", kind="line-credit", default="all"),
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
    reachable=lambda leaf: (
        reachable_in(TEXT_DEVIATIONS, leaf.want) - {"final-newline", "order" * (not leaf.get(LineOptions).ordered)}
    ),
    words=lambda leaf, shown: f"the lines {shown}{leaf.get(LineOptions).in_words(', numbers ')}",
    freeze=lambda output: tuple(output.decode().removesuffix("\n").split("\n")) if output else (),
    join=lambda values: b"".join(value + b"\n" for value in values),
    prescribes="lines",
)

MAX_ALIGNED = 2**33
"""pairs of lines of two texts that are compared to find the most that both have in the same order: seconds"""


def common_lines(have: bytes, want: bytes, *, ordered: bool) -> int | None:
    """Return how many lines two texts have in common, at most, in the same order where that counts.

    None where there are more than `MAX_ALIGNED` pairs of lines to compare, by the algorithm of Hyyrö (2004): a bit of
    `row` stands for a line of the shorter text, and is 0 where the length of the common subsequence grows there.
    """
    have, want = ended(have), ended(want)
    if not ordered:
        return (Counter(each_line(have)) & Counter(each_line(want))).total()
    start, end = equal_ends(have, want)
    known: dict[bytes, bytes] = {}  # a line that is there often is stored once
    wants = [known.setdefault(line, line) for line in each_line(want[start : len(want) - end])]
    haves = [known[line] for line in each_line(have[start : len(have) - end]) if line in known]
    shorter, longer = sorted((haves, wants), key=len)
    if len(shorter) * len(longer) > MAX_ALIGNED:
        return None
    places: dict[bytes, list[int]] = defaultdict(list)
    for place, line in enumerate(shorter):
        places[line].append(place)
    bits = lru_cache(maxsize=2**10)(lambda line: sum(1 << place for place in places[line]))
    full = row = (1 << len(shorter)) - 1
    for line in filter(places.__contains__, longer):
        matched = row & bits(line)
        row = ((row + matched) | (row - matched)) & full
    return have.count(b"\n", 0, start) + have.count(b"\n", len(have) - end) + len(shorter) - row.bit_count()
