"""Whether the time limits are right: what a right program takes, held against what it may.

A right sample is a student's program, so it is what counts; the reference, which may be in another language, stands in
for it where there is none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from grader import run
from grader.model import Execution, Judgement, Limits, Verdict
from grader.pipeline import Course
from grader.verify.right import Answered

ROOM = 3
"""how many times what a right program takes a limit has to be: students' machines and programs differ"""
_LEAST_TAKEN = 0.1
"""seconds: a program that takes less says nothing about time limits"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestLimit:
    """The one of its limits that a program came nearest to, both in seconds."""

    clock: Literal["of processor time", "on the wall"]
    taken: float
    limit: float

    @property
    def ratio(self) -> float:
        """How many times the program could have gone on."""
        return self.limit / max(self.taken, 1e-3)

    @property
    def is_tight(self) -> bool:
        """Whether a right program may well run into it."""
        return self.taken >= _LEAST_TAKEN and self.limit < ROOM * self.taken


def nearest_limit(execution: Execution, limits: Limits) -> NearestLimit:
    """Return the limit that the program came nearest to: in a dialogue that of processor time, for somebody waits."""
    cpu = NearestLimit(clock="of processor time", taken=execution.cpu, limit=limits.cpu)
    wall = NearestLimit(clock="on the wall", taken=execution.time, limit=limits.time)
    return cpu if execution.transcript else min(cpu, wall, key=lambda one: one.ratio)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """What the cases of one test take, in seconds on the wall, and what they may."""

    test: str
    limit: float
    """of the case that is nearest to it"""
    reference: float | None
    """the most that the reference took; None when it was not asked"""
    sample: float | None
    """the most that a right sample took; None when there is none"""
    ratio: float | None
    """the least number of times that a right program could go on up to its limit, of time or of processor time"""
    is_tight: bool
    """whether a right program may well run into a limit"""


def timings(course: Course, answered: Iterable[Answered], reports: Sequence[Judgement]) -> tuple[Timing, ...]:
    """Return the timing of every test; `reports` are those of right samples."""
    known = {one.case.id: one.execution for one in answered if one.execution}
    found = []
    for test in course.spec.tests:
        limits = {case.id: run.limits_of(course.toolchain.limits, case.limits) for case in test.cases}
        asked = [(name, known[name]) for name in limits if name in known]
        ran = [
            (case.id, result.execution)
            for report in reports
            for graded in report.tests
            for case, result in zip(graded.test.cases, graded.cases, strict=True)
            if case in test.cases and result.execution and result.verdict == Verdict.PASSED
        ]
        nearest = [(nearest_limit(execution, limits[name]), limits[name].time) for name, execution in ran or asked]
        ratio, limit = min(((one.ratio, time) for one, time in nearest), default=(None, limits[test.cases[0].id].time))
        found.append(
            Timing(
                test=test.name,
                limit=limit,
                reference=max((execution.time for _, execution in asked), default=None),
                sample=max((execution.time for _, execution in ran), default=None),
                ratio=ratio,
                is_tight=any(one.is_tight for one, _ in nearest),
            )
        )
    return tuple(found)
