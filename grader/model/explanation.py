"""One grade with all that is behind it: how its points came about, from what, and how to see it again.

All texts are as they may be shown: escaped and printable.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.model.report import ReportedBuild, ReportedDeviation
from grader.model.work import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class CasesExplained:
    """Cases of a test with the same story."""

    ids: tuple[str, ...]
    verdict: str
    credit: float
    message: str
    """of the first of them"""
    deviations: tuple[ReportedDeviation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestExplained:
    """A test with how its points came about. Of one that students may not see there are its points alone."""

    __test__ = False

    name: str
    points: float
    score: float | None
    bonus: bool
    visibility: str
    verdict: str | None = None
    arithmetic: str = ""
    hint: str = ""
    cases: tuple[CasesExplained, ...] = ()
    """those that did not pass, or in which something was overlooked"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Everything about one grade."""

    id: str
    students: tuple[str, ...]
    """as the roster names them"""
    headline: str
    words: str
    """the verdict, or that nothing was handed in, or that it is not graded yet"""
    score: float | None
    max_score: float
    tests: tuple[TestExplained, ...]
    findings: tuple[Finding, ...]
    build: ReportedBuild | None
    """None when nothing was graded"""
    provenance: Mapping[str, tuple[str, ...]]
    """what it was made from: `spec`, `reference`, `submission`, `tools`, `sandbox`, `grader`, `reports`"""
    repeat: str
    """the command that grades it again; empty when there is nothing to grade"""
    commands: tuple[str, ...]
    """the build, then the failing cases by themselves"""
