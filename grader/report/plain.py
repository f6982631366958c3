"""A report in plain lines, for platforms that show text as it is: sentences, commands, differences.

Of a test that students may not see there is nothing here but what its caller says: ask `is_shown` first.
"""

from collections.abc import Iterator

from grader.model import Report, ReportedCase, ReportedTest, Verdict
from grader.report.diff import excerpt
from grader.report.view import (
    build_problem,
    can_repeat,
    drawings,
    evidence,
    is_shown,
    names,
    out_of,
    story,
    test_points,
    told_groups,
)
from grader.text import inert, one_line, sentence

LOG_LINES = 20
"""lines of the build's log"""

FAULT_OF_OURS = (
    "Sorry, the grader failed on this submission. There is no grade yet; nothing is lost, it will be graded again."
)
"""what a student reads of an ungraded submission"""


def test_text(result: ReportedTest) -> str:
    """Tell about one test: what is wrong and how to see it oneself; empty when there is nothing to tell."""
    groups = told_groups(result)
    lines = [line for group in groups for line in _cases(group)]
    if result.verdict is not Verdict.PASSED and result.hint:
        lines.append(f"Hint: {sentence(result.hint)}")
    return inert("\n".join(lines))


def case_text(case: ReportedCase) -> str:
    """Tell about one case, of which there is something to tell: the sentence first, a bar before all else.

    It may go into a log, and CI systems take commands from logs at the start of a line, even behind blanks.
    """
    _, _, *rest = _cases((case,))
    return inert("\n".join([f"{case.verdict}: {story(case)}", *(f"│ {line.removeprefix('  ')}" for line in rest)]))


def build_text(report: Report) -> str:
    """Tell in the same way why a submission could not be built."""
    log = [f"$ {one_line(report.build.command)}"] if report.build.command else []
    log += excerpt(report.build.log.encode(), most=LOG_LINES)
    return inert("\n".join([f"{Verdict.BUILD_FAILED}: {build_problem(report)}", *(f"│ {line}" for line in log)]))


def report_text(report: Report) -> str:
    """Tell about the submission as a whole: what was noticed, and why it could not be built."""
    lines = [FAULT_OF_OURS] if report.verdict is Verdict.UNGRADED else []
    lines += [sentence(finding.message) for finding in report.findings]
    if problem := build_problem(report):
        lines += ["The build failed.", problem]
        lines += [f"$ {one_line(report.build.command)}"] if report.build.command else []
        lines += excerpt(report.build.log.encode(), most=LOG_LINES)
    return inert("\n".join(lines))


def in_short(report: Report, *, after_due: bool = False) -> list[str]:
    """Tell a report in a few sentences: the points, and for every test that lost some the first thing to say."""
    lines = [f"{out_of(report.score, report.max_score)} points."]
    if problem := build_problem(report):
        lines.append(f"The build failed: {problem}")
    for result in report.tests:
        shown = is_shown(result, after_due=after_due)
        name = f"{sentence(result.name)}: {test_points(result)}"
        first = next((story(group[0]) for group in told_groups(result)), "") if shown else ""
        if first or result.score != result.points:
            lines.append(f"{name}. {first}".strip())
    return lines


def time_of_commands(report: Report) -> float:
    """Return the time of all commands together, in seconds on the wall."""
    return round(sum(case.time or 0.0 for test in report.tests for case in test.cases), 3)


def _cases(group: tuple[ReportedCase, ...]) -> Iterator[str]:
    first = group[0]
    yield f"{names(group)}: {first.verdict}"
    yield f"  {story(first)}"
    yield from (f"    {line}" for line in drawings(first))
    if can_repeat(first):
        yield f"  $ {one_line(first.command)}"
    for part in evidence(first):
        yield f"  {part.title}:"
        yield from (f"  {line}" for line in part.lines)
