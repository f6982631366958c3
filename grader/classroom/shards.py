"""A class in parts, for machines that do not know of each other: every N-th entry, in the order of the ids."""

import re
from collections.abc import Sequence

from grader.errors import UsageError
from grader.model.gradebook import Entry


def to_shard(text: str) -> tuple[int, int]:
    """Read `2/8`, the second of eight; raises UsageError for anything else."""
    match = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", text)
    number, count = map(int, match.groups()) if match else (0, 0)
    if not 1 <= number <= count:
        raise UsageError(f"--shard takes a part and the number of parts, such as 2/8, and not {text!r}")
    return number, count


def part(entries: Sequence[Entry], shard: tuple[int, int]) -> tuple[Entry, ...]:
    """Return the entries of one part; all parts together are the class."""
    number, count = shard
    return tuple(entries[number - 1 :: count])
