"""`feedback.md`: what a student reads, as Markdown that nothing in it can break out of.

Inline text has every character escaped that Markdown or HTML could take for its own; blocks stand in fences longer than
any run of backticks in them. Of a test that is not shown there is its name and its score.
"""

import re
from collections.abc import Iterable, Iterator

from grader.model import Report, ReportedTest, Verdict
from grader.report.diff import excerpt
from grader.report.view import (
    NAME_LIMIT,
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
from grader.text import capital, one_line, sentence

FEEDBACK_LOG_LINES = 20
"""lines of the build's log"""

_MARKUP = re.compile(r"([\\`*_\[<&|~$]|:(?=//)|^[-+=>#])")


def to_feedback(report: Report, *, after_due: bool = False) -> str:
    """Write the feedback; `after_due` shows also the tests that are hidden until then."""
    score, name = out_of(report.score, report.max_score), inline(one_line(report.submission.id, NAME_LIMIT))
    lines = [f"# {inline(report.spec.title)}", "", f"**{score} points** for {name}: {report.verdict}.", ""]
    if report.verdict is Verdict.UNGRADED:
        lines += ["Something of ours went wrong, so there is no score yet; nothing is lost.", ""]
    if report.findings:
        lines += ["## Noticed in the submission", "", *(f"- {inline(one.message)}" for one in report.findings), ""]
    if problem := build_problem(report):
        lines += ["## The build failed", "", inline(problem), ""]
        if report.build.command:
            lines += [f"To repeat it: {code(report.build.command)}", ""]
        if report.build.log:
            lines += [*fenced(excerpt(report.build.log.encode(), most=FEEDBACK_LOG_LINES)), ""]
    lines += ["| test | verdict | points |", "|:--|:--|--:|"]
    for test in report.tests:
        verdict = test.verdict if is_shown(test, after_due=after_due) else "hidden"
        lines.append(f"| {inline(test.name)} | {verdict} | {test_points(test)} |")
    for test in report.tests:
        if is_shown(test, after_due=after_due):
            lines += _test_lines(test)
    return "\n".join(lines) + "\n"


def _test_lines(test: ReportedTest) -> Iterator[str]:
    groups = told_groups(test)
    if not groups:
        return
    yield from ("", f"## {inline(test.name)}: {test_points(test)}")
    if test.about:
        yield from ("", inline(test.about))
    if test.hint and test.verdict is not Verdict.PASSED:
        yield from ("", f"**Hint:** {inline(test.hint)}")
    for group in groups:
        first = group[0]
        yield from ("", f"**{inline(names(group))}**, {first.verdict}: {inline(story(first))}")
        if drawn := drawings(first):
            yield from ("", *fenced(drawn, "text"))
        if can_repeat(first):
            yield from ("", f"To repeat it: {code(first.command)}")
        for part in evidence(first):
            yield from ("", f"{capital(part.title)}:", "", *fenced(part.lines, "diff"))


def inline(text: str) -> str:
    """Escape what Markdown or HTML could take for its own, on one line."""
    return _MARKUP.sub(r"\\\1", sentence(text))


def code(text: str) -> str:
    """Write a text as code within a line."""
    shown = one_line(text, 1000)
    fence = "`" * (_longest_run(shown) + 1)
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown}{fence}"


def fenced(lines: Iterable[str], language: str = "") -> list[str]:
    """Write lines as a block of code, between fences that none of them can end."""
    text = list(lines)
    fence = "`" * max(3, _longest_run("\n".join(text)) + 1)
    return [f"{fence}{language}", *text, fence]


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
