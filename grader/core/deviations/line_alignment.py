"""How many lines two texts have in common, at most, in the same order."""

from array import array
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from operator import eq

from grader.core.deviations.normalise import each_line, ended

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
