"""`feedback.md`: what a student reads, as Markdown that nothing in it can break out of.

Inline text has every character escaped that Markdown or HTML could take for its own; blocks stand in fences longer than
any run of backticks in them. Of a test that is not shown there is its name and its score.
"""

import re
from collections.abc import Iterable, Iterator

from grader.model import CaseResult, Judgement, TestResult, Verdict
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
    told,
)
from grader.text import one_line, sentence

LOG_LINES = 20
"""lines of the build's log"""

_MARKUP = re.compile(r"([\\`*_\[<&|~$]|:(?=//)|^[-+=>#])")


def to_feedback(report: Judgement, *, after_due: bool = False) -> str:
    """Write the feedback; `after_due` shows also the tests that are hidden until then."""
    return "\n".join(_lines(report, after_due=after_due)) + "\n"


def _lines(report: Judgement, *, after_due: bool) -> Iterator[str]:
    score = out_of(report.score, report.max_score)
    yield from (f"# {inline(report.spec.title)}", "")
    name = inline(one_line(report.submission.id, NAME_LIMIT))
    yield from (f"**{score} points** for {name}: {report.verdict}.", "")
    if report.verdict is Verdict.UNGRADED:
        yield from ("Something of ours went wrong, so there is no score yet; nothing is lost.", "")
    yield from _findings(report)
    yield from _build(report)
    yield from ("| test | verdict | points |", "|:--|:--|--:|")
    for result in report.tests:
        verdict = result.verdict if is_shown(result.test, after_due=after_due) else "hidden"
        yield f"| {inline(result.test.name)} | {verdict} | {test_points(result)} |"
    for result in report.tests:
        if is_shown(result.test, after_due=after_due):
            yield from _test(result)


def _findings(report: Judgement) -> Iterator[str]:
    if report.findings:
        yield from ("## Noticed in the submission", "")
        yield from (f"- {inline(finding.message)}" for finding in report.findings)
        yield ""


def _build(report: Judgement) -> Iterator[str]:
    if problem := build_problem(report):
        yield from ("## The build failed", "", inline(problem), "")
        if report.build.command:
            yield from (f"To repeat it: {code(report.build.command)}", "")
        if report.build.log:
            yield from (*fenced(excerpt(report.build.log, most=LOG_LINES)), "")


def _test(result: TestResult) -> Iterator[str]:
    groups = told(result)
    if not groups:
        return
    test = result.test
    yield from ("", f"## {inline(test.name)}: {test_points(result)}")
    if test.about:
        yield from ("", inline(test.about))
    if test.hint and result.verdict is not Verdict.PASSED:
        yield from ("", f"**Hint:** {inline(test.hint)}")
    for group in groups:
        yield from _cases(group)


def _cases(group: tuple[CaseResult, ...]) -> Iterator[str]:
    first = group[0]
    yield from ("", f"**{inline(names(group))}**, {first.verdict}: {inline(story(first))}")
    if drawn := drawings(first):
        yield from ("", *fenced(drawn, "text"))
    if can_repeat(first):
        yield from ("", f"To repeat it: {code(first.command)}")
    for part in evidence(first):
        yield from ("", f"{part.title[0].upper()}{part.title[1:]}:", "", *fenced(part.lines, "diff"))


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
