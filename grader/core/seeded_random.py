"""Seeded random numbers: the same on every machine and with every Python, and unpredictable without the seed.

Python guarantees that for `random()` alone, so the bits are HMAC-SHA256 (RFC 2104) of a block counter under the seed.
"""

import hmac
from random import Random
from typing import Any

_BLOCK_BITS, _SPARE_BITS = 256, 128  # the latter make the bias of a remainder negligible


def derive(seed: str, *parts: str) -> str:
    """Derive the seed of a part; neither it nor any other part's reveals anything about `seed`."""
    return hmac.digest(seed.encode(), "\0".join(parts).encode(), "sha256").hex()


class SeededRandom(Random):
    """A generator that is seeded with a text."""

    def seed(self, a: Any = "", version: int = 2) -> None:  # noqa: ARG002, D102 - as Python's own has it
        self._seed, self._block = str(a).encode(), 0

    def getrandbits(self, k: int, /) -> int:  # noqa: D102
        blocks = -(-k // _BLOCK_BITS)
        numbers = range(self._block, self._block + blocks)
        self._block += blocks
        data = b"".join(hmac.digest(self._seed, str(number).encode(), "sha256") for number in numbers)
        return int.from_bytes(data, "big") >> (blocks * _BLOCK_BITS - k)

    def random(self) -> float:  # noqa: D102
        return self.getrandbits(53) / 2**53

    def below(self, size: int) -> int:
        """Return a random integer from 0 to below `size`."""
        return self.getrandbits(size.bit_length() + _SPARE_BITS) % size

    def randint(self, a: int, b: int) -> int:  # noqa: D102
        if b < a:
            raise ValueError(f"there is no number from {a} to {b}")
        return a + self.below(b - a + 1)

    def choice(self, seq: Any) -> Any:  # noqa: D102
        return seq[self.below(len(seq))] if len(seq) else seq[0]  # which raises IndexError

    def shuffle(self, x: Any) -> None:  # noqa: D102
        for place in range(len(x) - 1, 0, -1):
            swap = self.below(place + 1)
            x[place], x[swap] = x[swap], x[place]

    def sample(self, population: Any, k: int, *, counts: Any = None) -> Any:  # noqa: D102
        if counts is not None:
            population = [value for value, times in zip(population, counts, strict=True) for _ in range(times)]
        return [population[place] for place in self.distinct(len(population), k)]

    def distinct(self, size: int, count: int) -> list[int]:
        """Return `count` distinct random integers from 0 to below `size`; raise ValueError when there are fewer."""
        if not 0 <= count <= size:
            raise ValueError(f"there are no {count} among {size}")
        moved: dict[int, int] = {}  # a sparse shuffled list: only the moved places are stored
        chosen = []
        for place in range(count):
            swap = place + self.below(size - place)
            chosen.append(moved.get(swap, swap))
            moved[swap] = moved.get(place, place)
        return chosen
