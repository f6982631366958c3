"""What is taken back of an output, to see whether it is right but for that."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """An output in which one kind of deviation was taken back."""

    kind: str
    text: bytes
    """the output without it; every other difference is still there"""
    tell: Callable[[], str]
    """makes the sentence about what was taken back, with the first place where it was"""
