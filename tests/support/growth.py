"""How the processor time of some work grows with its size, which is the same on a slow machine and on a fast one."""

import time
from collections.abc import Callable


def growth(work: Callable[[int], object], size: int, *, times: int = 10, tries: int = 3) -> float:
    """Return how many times as long `times` the size takes: `times` in linear time, its square in quadratic."""
    return _least_seconds(work, times * size, tries) / _least_seconds(work, size, tries)


def _least_seconds(work: Callable[[int], object], size: int, tries: int) -> float:
    taken = []
    for _ in range(tries):
        start = time.process_time()
        work(size)
        taken.append(time.process_time() - start)
    return min(taken)
