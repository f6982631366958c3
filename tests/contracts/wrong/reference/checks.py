"""A check, and a generator that draws too little."""

from collections.abc import Iterator
from random import Random


def short(output: bytes) -> None:
    """Accept everything."""
    len(output)


def pairs(random: Random) -> Iterator[list[int]]:
    """Yield one pair."""
    yield [random.randrange(9), random.randrange(9)]


def like(output: bytes, expected: bytes) -> None:
    """Accept what is as long as it has to be."""
    assert len(output) == len(expected)
