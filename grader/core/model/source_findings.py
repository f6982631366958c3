"""What was found in the sources of a submission, by a rule or by a tool."""

from msgspec import Struct


class Spot(Struct, frozen=True, kw_only=True):
    """A place in a file of a submission, and what was found there."""

    file: str
    line: int
    """from 1"""
    what: str = ""
    """the name of what is there, or a tool's message"""
    source: str = ""
    """the line itself"""
    rule: str = ""
    """the name that a tool has for it"""


class Examined(Struct, frozen=True, kw_only=True):
    """What looking at the source came to, for one rule."""

    spots: tuple[Spot, ...] = ()
    """the first of the places: of what is forbidden or too much; for what is required, where it should be"""
    total: int = 0
    """how many places there are in all"""
    files: tuple[str, ...] = ()
    """the files that were looked at"""
    defines: bool = True
    """whether the function is there that a rule names"""
    refused: str = ""
    """why the student's files cannot be looked at, in a sentence; empty when they were"""
