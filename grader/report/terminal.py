"""The report on a terminal: a table, a total, and for what failed one sentence and a short difference.

Texts are `Text`, never markup, and printable. Every line that a student's text may start has a bar before it, because
CI systems take commands from logs (`::error::`) even behind blanks. Without colours the words carry it all.
"""

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from grader.model import CaseResult, Judgement, TestResult, Verdict
from grader.report.diff import excerpt
from grader.report.view import (
    build_problem,
    can_repeat,
    drawings,
    evidence,
    headline,
    is_shown,
    names,
    story,
    test_points,
    told,
)
from grader.text import inert, one_line, sentence

GROUPS = 3
"""sentences that are told of one test before "and 2 more\""""

LOG_LINES = 12
"""lines of the build's log"""

_STYLES = {Verdict.PASSED: "green", Verdict.PARTIAL: "yellow", Verdict.SKIPPED: "dim", Verdict.UNGRADED: "magenta"}
_LINE_STYLES = {"-": "red", "+": "green", "@": "cyan"}


def to_renderable(report: Judgement, *, after_due: bool = False) -> RenderableType:
    """Lay the report out for any width from 40 columns; tests that students may not see have their points only."""
    return Group(*_parts(report, after_due=after_due))


class Barred:
    """Lines of text, each with a bar before it; what is wrapped is indented behind the bar."""

    def __init__(self, *lines: Text) -> None:
        """Take the lines without their bars."""
        self.lines = lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Lay the lines out."""
        inner = options.update(width=max(options.max_width - 6, 1))
        for text in self.lines:
            bar = "  │ "
            for line in console.render_lines(text, inner, pad=False):
                yield from (Segment(bar), *line, Segment.line())
                bar = "  │   "


def _parts(report: Judgement, *, after_due: bool) -> Iterator[RenderableType]:
    yield Text(inert(sentence(report.spec.title)), style="bold")
    yield Text()
    yield _table(report, after_due=after_due)
    yield Text()
    yield Text(inert(headline(report), anywhere=True), style=f"bold {_style(report.verdict)}")
    for warning in _warnings(report):
        yield Barred(_text(warning, "yellow"))
    if report.findings:
        yield from (Text(), Text("Noticed in the submission", style="bold"))
        yield Barred(*(_text(sentence(finding.message)) for finding in report.findings))
    if problem := build_problem(report):
        yield from (Text(), Text("The build failed", style="bold red"))
        log = excerpt(report.build.log, most=LOG_LINES)
        yield Barred(_text(problem), *(_text(line, "dim") for line in log))
    for result in report.tests:
        if is_shown(result.test, after_due=after_due):
            yield from test_parts(result)


def _warnings(report: Judgement) -> Iterator[str]:
    if report.sandbox.level == "none":
        yield "The programs ran without a sandbox."
    yield from (sentence(warning) for warning in report.sandbox.warnings)


def _table(report: Judgement, *, after_due: bool) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("test", overflow="fold")
    table.add_column("verdict", no_wrap=True)
    table.add_column("points", justify="right", no_wrap=True)
    for result in report.tests:
        shown = is_shown(result.test, after_due=after_due)
        verdict = Text(result.verdict, style=_style(result.verdict)) if shown else Text("hidden", style="dim")
        table.add_row(Text(inert(sentence(result.test.name), anywhere=True)), verdict, Text(test_points(result)))
    return table


def test_parts(result: TestResult) -> Iterator[RenderableType]:
    """Lay out what is to be said of one test; nothing when nothing is. Whether it may be said, `is_shown` tells."""
    groups = told(result)
    if not groups:
        return
    yield from (
        Text(),
        Text(f"{inert(sentence(result.test.name), anywhere=True)}: {test_points(result)}", style="bold"),
    )
    for group in groups[:GROUPS]:
        yield from _cases(group)
    if len(groups) > GROUPS:
        yield Text(f"  and {len(groups) - GROUPS} more, which the report files tell")
    if result.test.hint and result.verdict is not Verdict.PASSED:
        yield Barred(_text(f"Hint: {sentence(result.test.hint)}", "italic"))


def _cases(group: tuple[CaseResult, ...]) -> Iterator[RenderableType]:
    first = group[0]
    heading = Text(f"{inert(names(group), anywhere=True)}: {first.verdict}", style=_style(first.verdict))
    yield Padding(heading, (0, 0, 0, 2), expand=False)
    lines = [_text(story(first)), *(_text(f"  {line}") for line in drawings(first))]
    if can_repeat(first):
        lines.append(_text(f"$ {one_line(first.command)}", "dim"))
    for part in evidence(first):
        lines.append(_text(f"{part.title}:", "dim"))
        lines.extend(_text(line, _LINE_STYLES.get(line[0], "")) for line in part.lines)
    yield Barred(*lines)


def _text(line: str, style: str = "") -> Text:
    return Text(inert(line), style=style, overflow="fold")


def _style(verdict: Verdict) -> str:
    return _STYLES.get(verdict, "red")
