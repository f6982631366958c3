"""Shapes: how the lines of one text lie to those of another.

A shape is the set of kinds that say it all: none for equal texts, `order` for the same lines in another order, `order`
and `duplicates` together, and so on. Everything here is linear and keeps no more than the expected lines in memory: a
hostile output is only ever streamed past them. Extra lines together with missing ones are no shape, for that is
true of any two texts.
"""

from collections import Counter
from dataclasses import dataclass

from grader.judge.normal import lines

Shape = frozenset[str]
SAME: Shape = frozenset()
LINE_KINDS = frozenset({"order", "duplicates", "extra-lines", "missing-lines"})


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
    want = Counter(lines(expected))
    have = Counter(filter(want.__contains__, lines(actual)))
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
    if not counted.lacking:
        return _complete(actual, expected, counted)
    if not counted.surplus:
        return {_ordered(actual, expected) | {"missing-lines"}}
    if not counted.foreign and _is_within(b"".join(dict.fromkeys(lines(actual))), expected):
        return {frozenset({"duplicates", "missing-lines"})}
    return set()


def _complete(actual: bytes, expected: bytes, counted: Tally) -> set[Shape]:
    if not counted.surplus:
        return {frozenset({"order"})}
    order = _ordered(expected, actual)
    found = {order | {"extra-lines"}}
    if not counted.foreign:
        found.add(order | {"duplicates"})
    return found


def _ordered(part: bytes, whole: bytes) -> Shape:
    return SAME if _is_within(part, whole) else frozenset({"order"})


def _is_within(part: bytes, whole: bytes) -> bool:
    """Whether the lines of `part` are found in `whole` in the same order, with others between."""
    rest = lines(whole)
    return all(line in rest for line in lines(part))


def order_left_aside(shape: Shape) -> Shape:
    """Return the shape that is left when any order is right."""
    return shape - {"order"}


def mixed(shape: Shape) -> Shape:
    """Return what the shape of two streams means that were laid one behind the other: their order is none."""
    return shape - {"order"} | {"split-streams"}
