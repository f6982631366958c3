"""Inputs for the assignments of this course."""

from random import Random


def numbers(chance: Random) -> str:
    """Return many whole numbers, a few on each line."""
    lines = [" ".join(str(chance.randint(-999999, 999999)) for _ in range(10)) for _ in range(1000)]
    return "\n".join(lines) + "\n"
