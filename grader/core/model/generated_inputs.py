"""What is drawn from a seed: numbers, when a spec is read, and later what a program of the course makes of one."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

SeedKind = Literal["", "course", "student"]
"""what drawn values come from: the spec alone, a secret of the course, or that and the student"""

SECRET_FILE = "draws.secret"  # noqa: S105 - a file's name
"""lies at the course root; only its owner may read it"""


class GeneratedNumber(Struct, frozen=True, kw_only=True):
    """A number that was drawn for a case, from `low` to `high`, both included."""

    name: str
    """a variable of `each`, or `args[1]`"""
    value: int
    low: int
    high: int


class Draw(Struct, frozen=True, kw_only=True):
    """What a function or a program of the instructor draws from a seed: one of those that it is asked for."""

    function: str
    """`reference/generators.py:placements`; without a colon a program, which prints what it draws"""
    seed: str
    index: int
    files: Mapping[str, bytes] = field(default_factory=dict)
    """of a program: its file and all files in the same folder"""
    shrinks: bool = False
    """whether it is still valid without some of its lines"""
    by_chance: bool = False
    """whether its numbers are the same with every Python; else Python's own, as for functions without a seed's key"""
