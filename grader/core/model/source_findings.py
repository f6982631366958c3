"""What was found in the sources of a submission, by a rule or by a tool."""

from msgspec import Struct


class Spot(Struct, frozen=True, kw_only=True):
    """A place in a file of a submission, and what was found there."""

    file: str
    line: int
    what: str = ""
    source: str = ""
    rule: str = ""


class Examined(Struct, frozen=True, kw_only=True):
    """What looking at the source came to, for one rule."""

    spots: tuple[Spot, ...] = ()
    total: int = 0
    files: tuple[str, ...] = ()
    defines: bool = True
    refused: str = ""
    """why the student's files cannot be looked at, in a sentence; empty when they were"""
