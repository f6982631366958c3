"""Inputs that are generated from a seed: numbers when a spec is read, and later values of the course's generators."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

SeedKind = Literal["", "course", "student"]  # of the spec alone, of a secret of the course, or also of the student
SECRET_FILE = "draws.secret"  # noqa: S105 - a file at the course root, which only its owner may read


class GeneratedNumber(Struct, frozen=True, kw_only=True):
    """A number that was generated for a case, from `low` to `high`, both included."""

    name: str
    value: int
    low: int
    high: int


class GeneratedInput(Struct, frozen=True, kw_only=True):
    """One of the values that a function or a program of the instructor generates from a seed."""

    function: str  # `reference/generators.py:placements`; without a colon it is a program, which prints the value
    seed: str
    index: int
    files: Mapping[str, bytes] = field(default_factory=dict)
    shrinks: bool = False
    by_chance: bool = False  # whether its random numbers are equal in every version of Python
