"""A generator that draws something else each time."""

import time
from collections.abc import Iterator
from random import Random


def pairs(random: Random) -> Iterator[list[int]]:
    """Yield one pair, whatever `random` says."""
    yield [time.monotonic_ns(), len(str(random))]
