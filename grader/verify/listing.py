"""A text that lists things: what stands before them, the things one by one, and what stands behind.

A thing begins with a line that looks, but for its numbers, like the first line of which there are several: a solution
a line, a row of a matrix, a board under a heading.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
NUMBER = re.compile(rb"-?\d+")
_FEWEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The parts of a text; put together they are the text."""

    before: bytes
    items: tuple[bytes, ...]
    after: bytes

    def having(self, items: Sequence[bytes]) -> bytes:
        """Return the text with these things instead."""
        return b"".join((self.before, *items, self.after))


def lines(text: bytes) -> list[bytes]:
    """Return the lines of a text, each with its newline."""
    return _LINE.findall(text)


def listing(text: bytes) -> Listing | None:
    """Find what a text lists; None when it lists nothing, or one thing alone."""
    rows = lines(text)
    shapes = [NUMBER.sub(b"#", row) for row in rows]
    counted = Counter(shapes)
    head = next((shape for shape in shapes if counted[shape] >= _FEWEST and b"#" in shape), None)
    if head is None:
        return None
    starts = [at for at, shape in enumerate(shapes) if shape == head]
    ends = starts[1:]
    longest = max(end - start for start, end in pairwise(starts))
    last = min(starts[-1] + longest, len(rows))
    return Listing(
        before=b"".join(rows[: starts[0]]),
        items=tuple(b"".join(rows[start:end]) for start, end in zip(starts, [*ends, last], strict=True)),
        after=b"".join(rows[last:]),
    )


def spoilt(item: bytes) -> bytes:
    """Return a thing that is not what it was: a number twice where there were two, or its last lines exchanged.

    Lines that differ in their numbers alone are exchanged only if there are no others.
    """
    rows = lines(item)
    if len(rows) > 1:
        shapes = [NUMBER.sub(b"#", row) for row in rows]
        others = [at for at in range(len(rows) - 1) if rows[at] != rows[-1]]
        unlike = [at for at in others if shapes[at] != shapes[-1]] or others
        if unlike:
            rows[unlike[-1]], rows[-1] = rows[-1], rows[unlike[-1]]
        return b"".join(rows)
    numbers = list(NUMBER.finditer(item))
    for one, other in pairwise(numbers):
        if one[0] != other[0]:
            return item[: one.start()] + other[0] + item[one.end() :]
    return item


def shifted(item: bytes, by: int) -> bytes:
    """Return a thing with another number, larger `by` so much, for each of its own."""
    return NUMBER.sub(lambda found: b"%d" % (int(found[0]) + by), item)


def renumbered(item: bytes, numbers: Sequence[bytes]) -> bytes:
    """Return a thing with these numbers in the places of its own."""
    rest = iter(numbers)
    return NUMBER.sub(lambda _: next(rest), item)


def inverse(item: bytes) -> bytes | None:
    """Return a thing with columns for rows, when its numbers are a permutation; else None."""
    numbers = [int(number) for number in NUMBER.findall(item)]
    least = min(numbers, default=0)
    if sorted(numbers) != list(range(least, least + len(numbers))) or least not in {0, 1}:
        return None
    return renumbered(item, [b"%d" % (numbers.index(at) + least) for at in range(least, least + len(numbers))])
