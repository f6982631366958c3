"""`feedback.html`: what a student reads in a browser, as one file that loads nothing and runs nothing.

It tells what `feedback.md` tells, out of the same functions. Texts leave here printable; the template escapes them once
more, for HTML, and has no way around that. Of a test that is not shown there is its name and its score.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.model import VERSION, CaseResult, Judgement, TestResult, Verdict
from grader.report.diff import excerpt
from grader.report.html import ENVIRONMENT, read, render
from grader.report.transcript import Speech, earlier, speeches
from grader.report.view import (
    NAME_LIMIT,
    Evidence,
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
from grader.text import one_line, points, sentence

LOG_LINES = 40
"""lines of the build's log"""

COMMAND_LIMIT = 1000
"""bytes of a command"""

DIGITS = 12
"""digits of a digest: enough to tell one submission from another"""

_TEMPLATE = "feedback.html"
_STYLE = read("page.css")
_QUOTED = re.compile(r"(`[^`]+`)")
_KINDS = {"-": "removed", "+": "added", "@": "place"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Share:
    """Points that were reached, for a bar; `reached` is None when that is not known."""

    text: str
    reached: str | None
    most: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A test in the table; `anchor` is where more of it is told, if anywhere."""

    name: str
    verdict: str
    share: _Share
    anchor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """A part of a sentence, or a line of a difference, and what it is; nothing much when `kind` is empty."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Exhibit:
    """Lines that show what a sentence says, or the turns of a dialogue."""

    title: str
    lines: Sequence[_Piece]
    earlier: str
    turns: Sequence[Speech]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    """A group of cases of which the same is to be said."""

    names: str
    verdict: str
    sentence: Sequence[_Piece]
    drawing: Sequence[str]
    command: str
    exhibits: Sequence[_Exhibit]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Section:
    """A test of which there is something to tell."""

    anchor: str
    name: str
    points: str
    about: str
    hint: str
    failures: Sequence[_Failure]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Build:
    problem: Sequence[_Piece]
    command: str
    log: Sequence[str]


def get_ready() -> None:
    """Compile the template now, and not with the first page: that takes longer than a page does."""
    ENVIRONMENT.get_template(_TEMPLATE)


def to_page(report: Judgement, *, after_due: bool = False) -> bytes:
    """Write the page; `after_due` shows also the tests that are hidden until then."""
    shown = {n: result for n, result in enumerate(report.tests, 1) if is_shown(result.test, after_due=after_due)}
    sections = {n: _section(result, f"test-{n}") for n, result in shown.items() if told(result)}
    return render(
        _TEMPLATE,
        _STYLE,
        title=sentence(report.spec.title),
        course=sentence(report.spec.course),
        student=one_line(report.submission.id, NAME_LIMIT),
        verdict=str(report.verdict),
        share=_share(out_of(report.score, report.max_score), report.score, report.max_score),
        findings=[_pieces(sentence(finding.message)) for finding in report.findings],
        build=_build(replace(report, tests=tuple(shown.values()))),
        rows=[
            _row(result, f"test-{n}" if n in sections else "", is_open=n in shown)
            for n, result in enumerate(report.tests, 1)
        ],
        sections=list(sections.values()),
        has_exhibits=any(failure.exhibits for section in sections.values() for failure in section.failures),
        about=_about(report),
    )


def _share(text: str, score: Fraction | None, most: Fraction) -> _Share:
    return _Share(text=text, reached=None if score is None else points(score), most=points(most))


def _row(result: TestResult, anchor: str, *, is_open: bool) -> _Row:
    return _Row(
        name=sentence(result.test.name),
        verdict=str(result.verdict) if is_open else "hidden",
        share=_share(test_points(result), result.score, result.test.points),
        anchor=anchor,
    )


def _section(result: TestResult, anchor: str) -> _Section:
    return _Section(
        anchor=anchor,
        name=sentence(result.test.name),
        points=test_points(result),
        about=sentence(result.test.about),
        hint="" if result.verdict is Verdict.PASSED else sentence(result.test.hint),
        failures=[_failure(group) for group in told(result)],
    )


def _failure(group: tuple[CaseResult, ...]) -> _Failure:
    first = group[0]
    return _Failure(
        names=names(group),
        verdict=str(first.verdict),
        sentence=_pieces(story(first)),
        drawing=drawings(first),
        command=one_line(first.command, COMMAND_LIMIT) if can_repeat(first) else "",
        exhibits=[_exhibit(part) for part in evidence(first)],
    )


def _exhibit(part: Evidence) -> _Exhibit:
    return _Exhibit(
        title=part.title[0].upper() + part.title[1:],
        lines=[_Piece(text=line, kind=_KINDS.get(line[:1], "")) for line in part.lines],
        earlier=earlier(part.turns),
        turns=speeches(part.turns),
    )


def _pieces(text: str) -> list[_Piece]:
    """Tell quotations apart from what is said about them. They keep their backticks: one may have its own."""
    parts = enumerate(_QUOTED.split(text))  # each second one is a quotation
    return [_Piece(text=part, kind="code" if n % 2 else "") for n, part in parts if part]


def _build(report: Judgement) -> _Build | None:
    problem = build_problem(report)
    if not problem:
        return None
    log = excerpt(report.build.log, most=LOG_LINES)
    return _Build(problem=_pieces(problem), command=one_line(report.build.command, COMMAND_LIMIT), log=log)


def _about(report: Judgement) -> list[tuple[str, str]]:
    """Say what was graded with what: enough to find out whether two people talk of the same."""
    tools = ", ".join(one_line(version) for version in report.toolchain.values())
    parts = {
        "Submission": one_line(report.submission_digest[:DIGITS]),
        "Assignment": f"{sentence(report.spec.id)} {one_line(report.spec.digest[:DIGITS])}",
        "Tools": tools,
        "Graded by": f"grader {VERSION}",
    }
    return [(name, text) for name, text in parts.items() if text]
