"""The report on a terminal: a table, a total, and for what lost points one sentence and a short difference.

While somebody is at work on a submission, it is what changed since the last grading, and of the rest less.

Texts are `Text`, never markup, and printable. Every line that a student's text may start has a bar before it, because
CI systems take commands from logs (`::error::`) even behind blanks. Without colours the words carry it all.
"""

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from grader.model import Report, ReportedTest, Verdict
from grader.report.view import (
    COMMAND_LIMIT,
    FULL_MARKS,
    NAME_LIMIT,
    PART_OF_POINTS,
    build_problem,
    can_repeat,
    drawings,
    evidence,
    excerpt,
    headline,
    is_shown,
    names,
    tell_group,
    test_points,
    told_groups,
    told_of_work,
    told_once,
    word_for_case,
    word_for_report,
    word_for_test,
)
from grader.text import inert, listed, one_line, sentence

GROUPS = 3
"""sentences that are told of one test before "and 2 more\""""

SCREEN_LOG_LINES = 12
"""lines of the build's log"""

TESTS_IN_FULL = 3
"""tests that are told in full to somebody at work on them"""

CHANGED_NAMES = 6
"""names of cases that lose points now, or no more, before "and 2 more\""""

_STYLES = {
    FULL_MARKS: "green",
    "right": "green",
    PART_OF_POINTS: "yellow",
    "partly right": "yellow",
    Verdict.SKIPPED: "dim",
    Verdict.UNGRADED: "magenta",
}
# The expected line is the good one, so the colours are not those of a patch.
_LINE_STYLES = {"-": "green", "+": "red", "@": "cyan"}


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


def to_renderable(report: Report, *, after_due: bool = False) -> RenderableType:
    """Lay the report out for any width from 40 columns; tests that students may not see have their points only."""
    report = told_once(report, after_due=after_due)
    table = Table(box=None, pad_edge=False)
    table.add_column("test", overflow="fold")
    table.add_column("verdict")
    table.add_column("points", justify="right", no_wrap=True)
    for test in report.tests:
        shown = is_shown(test, after_due=after_due)
        word = word_for_test(test)
        verdict = Text(word, style=_style(word)) if shown else Text("hidden", style="dim")
        table.add_row(Text(inert(sentence(test.name), anywhere=True)), verdict, Text(test_points(test)))
    parts: list[RenderableType] = [
        Text(inert(sentence(report.spec.title)), style="bold"),
        Text(),
        table,
        Text(),
        Text(inert(headline(report), anywhere=True), style=f"bold {_style(word_for_report(report))}"),
    ]
    warnings = [sentence(warning) for warning in report.sandbox.warnings]
    if report.sandbox.level == "none":
        warnings.insert(0, "The programs ran without a sandbox.")
    parts += [Barred(_plain_text(warning, "yellow")) for warning in warnings]
    if report.findings:
        parts += [Text(), Text("Noticed in the submission", style="bold")]
        parts.append(Barred(*(_plain_text(sentence(finding.message)) for finding in report.findings)))
    if told := told_of_work(report):
        parts += [Text(), Text("The work as a whole", style="bold"), Barred(*map(_plain_text, told))]
    if problem := build_problem(report):
        log = excerpt(report.build.log.encode(), most=SCREEN_LOG_LINES)
        parts += [Text(), Text("The build failed", style="bold red")]
        parts.append(Barred(_plain_text(problem), *(_plain_text(line, "dim") for line in log)))
    for test in report.tests:
        if is_shown(test, after_due=after_due):
            parts += test_parts(test)
    return Group(*parts)


def test_parts(test: ReportedTest) -> Iterator[RenderableType]:
    """Lay out what is to be said of one test; nothing when nothing is. Whether it may be said, `is_shown` tells."""
    groups = told_groups(test)
    if not groups:
        return
    yield from (
        Text(),
        Text(f"{inert(sentence(test.name), anywhere=True)}: {test_points(test)}", style="bold"),
    )
    for group in groups[:GROUPS]:
        first = group[0]
        word = word_for_case(first, test)
        heading = Text(f"{inert(names(group), anywhere=True)}: {word}", style=_style(word))
        yield Padding(heading, (0, 0, 0, 2), expand=False)
        lines = [_plain_text(tell_group(group, test)), *(_plain_text(f"  {line}") for line in drawings(first))]
        if can_repeat(first):
            lines.append(_plain_text(f"$ {one_line(first.command, COMMAND_LIMIT)}", "dim"))
        for part in evidence(first):
            lines.append(_plain_text(f"{part.title}:", "dim"))
            lines.extend(_plain_text(line, _LINE_STYLES.get(line[0], "")) for line in part.lines)
        yield Barred(*lines)
    if len(groups) > GROUPS:
        yield Text(f"  and {len(groups) - GROUPS} more, which the report files tell")
    if test.hint and test.verdict is not Verdict.PASSED:
        yield Barred(_plain_text(f"Hint: {sentence(test.hint)}", "italic"))


def _plain_text(line: str, style: str = "", *, anywhere: bool = False) -> Text:
    return Text(inert(line, anywhere=anywhere), style=style, overflow="fold")


def _style(word: str) -> str:
    return _STYLES.get(word, "red")


# ---------------------------------------------------------------- at work on a submission


def line_of_test(test: ReportedTest, *, after_due: bool) -> Text:
    """`count: full marks, 36 of 36`; of a hidden test only its points."""
    word = f"{word_for_test(test)}, " if is_shown(test, after_due=after_due) else ""
    style = "green" if test.score == test.points else "red"
    return _plain_text(f"{sentence(test.name)}: {word}{test_points(test)}", style, anywhere=True)


def to_renderable_changes(report: Report, before: Report | None, *, after_due: bool = False) -> RenderableType:
    """Lay out what loses points and what does no more since the report `before`, what is wrong now, and the score."""
    parts: list[RenderableType] = []
    if before is not None:
        was, now = (_failing(one, after_due=after_due) for one in (before, report))
        passing, failing = [name for name in was if name not in now], [name for name in now if name not in was]
        for cases, turn, style in ((passing, f"with {FULL_MARKS}", "green"), (failing, "losing points", "red")):
            if cases:
                shown = listed([one_line(name, NAME_LIMIT) for name in cases], most=CHANGED_NAMES)
                parts.append(_plain_text(f"Now {turn}: {shown}", style, anywhere=True))
        if not passing and not failing:
            parts.append(Text("What loses points is as before.", "dim"))
    if problem := build_problem(report):
        log = excerpt(report.build.log.encode(), most=SCREEN_LOG_LINES)
        parts += [
            _plain_text("The build failed", "bold red", anywhere=True),
            Barred(*(Text(inert(line)) for line in (problem, *log))),
        ]
    else:
        wrong = [test for test in report.tests if test.verdict is not Verdict.PASSED]
        in_full = [test for test in wrong if is_shown(test, after_due=after_due)][:TESTS_IN_FULL]
        for test in in_full:
            parts += test_parts(test)
        if others := [test for test in wrong if test not in in_full]:
            parts += [Text(), *(line_of_test(test, after_due=after_due) for test in others)]
    style = f"bold {_style(word_for_report(report))}"
    return Group(*parts, Text(), _plain_text(headline(report), style, anywhere=True))


def _failing(report: Report, *, after_due: bool) -> Sequence[str]:
    """Return the names of the cases that do not pass; of a hidden test that loses points, the test's."""
    failing: dict[str, None] = {}
    for test in report.tests:
        if is_shown(test, after_due=after_due):
            failing |= dict.fromkeys(case.id for case in test.cases if case.verdict is not Verdict.PASSED)
        elif test.score != test.points:
            failing[test.name] = None
    return list(failing)
