"""Whether the time limits are right: what a right program takes, held against what it may.

A right sample is a student's program, so it is what counts; the reference, which may be in another language, stands in
for it where there is none.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grader import launches
from grader.model import Case, Execution, Judgement, Limits, Verdict
from grader.pipeline import Course
from grader.verify.right import Answered

LEAST = 3.0
"""how many times what a right program takes a limit has to be: students' machines and programs differ"""


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

    @property
    def is_tight(self) -> bool:
        """Whether a right program may well run into the limit."""
        return self.ratio is not None and self.ratio < LEAST


def timings(course: Course, answered: Iterable[Answered], reports: Sequence[Judgement]) -> tuple[Timing, ...]:
    """Return the timing of every test; `reports` are those of right samples."""
    known = {one.case.id: one.execution for one in answered if one.execution}
    return tuple(_timing(course, test.name, test.cases, known, reports) for test in course.spec.tests)


def _timing(
    course: Course, name: str, cases: Sequence[Case], known: dict[str, Execution], reports: Sequence[Judgement]
) -> Timing:
    asked = [(case, known[case.id]) for case in cases if case.id in known]
    ran = list(_of_samples(cases, reports))
    ratios = sorted(
        (_ratio(execution, limits), limits.time)
        for case, execution in ran or asked
        for limits in [launches.limits_of(course.toolchain.limits, case.limits)]
    )
    return Timing(
        test=name,
        limit=ratios[0][1] if ratios else launches.limits_of(course.toolchain.limits, cases[0].limits).time,
        reference=max((execution.time for _, execution in asked), default=None),
        sample=max((execution.time for _, execution in ran), default=None),
        ratio=ratios[0][0] if ratios else None,
    )


def _ratio(execution: Execution, limits: Limits) -> float:
    """Return how many times what it took a program may take."""
    return min(limits.time / max(execution.time, 1e-3), limits.cpu / max(execution.cpu, 1e-3))


def _of_samples(cases: Sequence[Case], reports: Sequence[Judgement]) -> Iterator[tuple[Case, Execution]]:
    for report in reports:
        for test in report.tests:
            for case, result in zip(test.test.cases, test.cases, strict=True):
                if case in cases and result.execution and result.verdict == Verdict.PASSED:
                    yield case, result.execution
