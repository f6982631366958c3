"""How the processor time of some work grows with its size, which is the same on a slow machine and on a fast one."""

import time
from collections.abc import Callable


def growth(work: Callable[[int], object], size: int) -> float:
    """Return how many times as long ten times `size` takes: about 10 in linear time, 100 in quadratic time."""
    return _least_seconds(work, 10 * size) / _least_seconds(work, size)


def _least_seconds(work: Callable[[int], object], size: int) -> float:
    taken = []
    for _ in range(3):
        start = time.process_time()
        work(size)
        taken.append(time.process_time() - start)
    return min(taken)
