"""The time, processor time and memory of each case, with the limits: for the page and for CSV."""

from collections.abc import Iterator

from msgspec import Struct

from grader.core.model.report import Report, ReportedCase, ReportedTest
from grader.core.report.view import is_shown
from grader.core.text import size


class Cost(Struct, frozen=True, kw_only=True):
    """What a case took, in words, with its limit."""

    case: str
    time: str
    cpu: str
    memory: str


def run_cases(report: Report, *, after_due: bool) -> Iterator[tuple[ReportedTest, ReportedCase]]:
    """Iterate over the cases that were run, of tests that students may see."""
    for test in report.tests:
        if is_shown(test, after_due=after_due):
            yield from ((test, case) for case in test.cases if case.time is not None)


def describe_costs(report: Report, *, after_due: bool) -> list[Cost]:
    """Return the costs of each case that was run, of tests that students may see."""
    return [_describe_cost(case) for _, case in run_cases(report, after_due=after_due)]


def _describe_cost(case: ReportedCase) -> Cost:
    limits = case.limits
    return Cost(
        case=case.id,
        time=f"{case.time or 0:.2f} s" + (f" of {limits.time:g} s" if limits else ""),
        cpu=f"{case.cpu or 0:.2f} s" + (f" of {limits.cpu:g} s" if limits else ""),
        memory=(size(case.memory, digits=3) if case.memory else "not known")
        + (f" of {size(limits.memory, digits=6)}" if limits else ""),
    )
