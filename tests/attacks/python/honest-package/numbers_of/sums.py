from functools import lru_cache


@lru_cache(maxsize=None)
def total(n: int) -> int:
    return sum(i for i in range(1, n + 1))
