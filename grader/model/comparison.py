"""Two runs of a class side by side: whose grade changes, by how much, and on account of what.

All texts are as they may be shown: escaped and printable. Of a test that students may not see, there is its name and
its points, and no reason, unless whoever compared asked for it.
"""

from dataclasses import dataclass
from typing import Literal

from grader.model.report import ReportedSpec

Kind = Literal["falls", "gone", "ungraded", "rises", "graded", "appeared", "shifts", "same"]
"""what becomes of a grade: `shifts` when points move from test to test, and their sum stays"""

Cause = Literal["submission", "spec", "reference", "tools", "sandbox", "grader"]
"""something that a grade depends on, and that is not what it was"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecChange:
    """A place in the spec, `tests[usage].points`, with what was there and what is; None where there is nothing.

    Both are empty where there is more to say, and students may not see it.
    """

    path: str
    old: str | None
    new: str | None
    test: str = ""
    """the test that it belongs to; empty for what all tests share"""

    @property
    def text(self) -> str:
        """The change on one line."""
        if self.old == self.new == "":
            return f"{self.path}: changed, and students may not see how"
        old, new = ("none" if side is None else side for side in (self.old, self.new))
        return f"{self.path}: {old} -> {new}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Something else that grades depend on, and for how many submissions it is not what it was."""

    cause: Cause
    text: str
    """`python3: Python 3.11.2 -> Python 3.12.1`; empty when only its digest is known"""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TestChange:
    """A test whose points or verdict changed; None where it is not part of that run."""

    __test__ = False

    name: str
    old_points: float | None
    new_points: float | None
    old_score: float | None
    new_score: float | None
    old_verdict: str | None
    new_verdict: str | None
    reasons: tuple[str, ...] = ()
    """a sentence each: what a case shows, what the spec changed"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What somebody has in one run."""

    words: str
    """the verdict, or that nothing was handed in, or that it is not graded yet"""
    score: float | None
    max_score: float
    is_open: bool = False
    """whether we owe the grade: ungraded, or not graded yet"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A submission in both runs."""

    id: str
    names: tuple[str, ...]
    """of the students, where a roster tells them"""
    kind: Kind
    old: Standing | None
    """None when it is not part of that run, also below"""
    new: Standing | None
    causes: tuple[Cause, ...] = ()
    reasons: tuple[str, ...] = ()
    """what concerns all tests, such as a build that fails"""
    tests: tuple[TestChange, ...] = ()
    is_known: bool = True
    """whether all is known that the two grades depend on: single reports do not tell which reference it was"""

    @property
    def is_lower(self) -> bool:
        """Whether somebody has less than before: fewer points, or a grade no more."""
        return self.kind == "falls" or (self.kind == "gone" and self.old is not None and self.old.score is not None)

    @property
    def delta(self) -> float:
        """Points of now less those of before, rounded to two places; 0 when one of them is not known."""
        old, new = (standing.score if standing else None for standing in (self.old, self.new))
        return 0.0 if old is None or new is None else round(new - old, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All that changed from one run to another."""

    old: ReportedSpec
    new: ReportedSpec
    old_max: float
    new_max: float
    spec_changes: tuple[SpecChange, ...]
    differences: tuple[Difference, ...]
    changes: tuple[Change, ...]
    """those that fall come first, the deepest fall before the others; whoever stays the same is not among them"""
    unchanged: int
    still_open: int
    """of the unchanged, those that have no grade in either run because we owe it"""
