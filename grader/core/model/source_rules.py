"""What is asked of the source of a submission, and what was found there: nothing is run for it."""

from typing import Literal

from msgspec import Struct

GRAMMARS = ("c", "cpp", "java", "python")
"""the languages whose sources can be looked at"""

Demand = Literal["forbid", "require", "most"]


class SourceRule(Struct, frozen=True, kw_only=True):
    """Something that the source must not have, has to have, or may have so much of."""

    demand: Demand
    what: str
    """`call`, `import`, `loop`, `recursion`, `function`; of `most`: `lines-of-function`, `lines-of-file`"""
    name: str = "*"
    """of what is called, imported or defined, a glob; what is in front of it, such as a class, may be left out"""
    within: str = ""
    """the function in which alone it counts; empty for everywhere"""
    most: int = 0
    """of `most`: the number that is allowed"""
    files: tuple[str, ...] = ()
    """names or globs of the files that are looked at"""
    language: str

    @property
    def text(self) -> str:
        """The rule on a line, much as it stands in a spec."""
        if self.demand == "most":
            return f"most {self.what}: {self.most}"
        named = self.what if self.what == "loop" else f"{self.what} {self.name}"
        return f"{self.demand} {named}{f' in {self.within}' if self.within else ''}"


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
