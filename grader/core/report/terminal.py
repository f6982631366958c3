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

from grader.core.model import Report, ReportedTest, Verdict
from grader.core.report.final_score import describe_after_grading
from grader.core.report.prose import hint_lines
from grader.core.report.view import (
    COMMAND_LIMIT,
    EXCUSED,
    FULL_MARKS,
    NAME_LIMIT,
    PART_OF_POINTS,
    build_problem,
    can_repeat,
    case_summary,
    describe_group,
    describe_groups,
    describe_once,
    describe_work,
    description_in,
    drawings,
    evidence,
    excerpt,
    findings_for_student,
    grouped,
    headline,
    is_shown,
    names,
    test_points,
    title_of_problem,
    word_for_case,
    word_for_report,
    word_for_test,
)
from grader.core.text import inert, joined, listed, one_line, sentence

GROUPS = 3
"""sentences that are shown for one test before "and 2 more\""""

EVIDENCE_LINES = 40
"""lines of tests, behind which what programs wrote is left to the report files"""

REMARKS = 5
"""remarks that cost nothing before "and 2 more\""""

SCREEN_LOG_LINES = 12
"""lines of the build's log"""

TESTS_IN_FULL = 3
"""tests that are shown in full to their author"""

CHANGED_NAMES = 6
"""names of cases that lose points now, or no more, before "and 2 more\""""

_STYLES = {
    FULL_MARKS: "green",
    "right": "green",
    PART_OF_POINTS: "yellow",
    "partly right": "yellow",
    Verdict.SKIPPED: "dim",
    EXCUSED: "dim",
    Verdict.NOT_READABLE: "magenta",
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
    report = describe_once(report, after_due=after_due)
    parts: list[RenderableType] = [
        Text(inert(sentence(report.spec.title)), style="bold"),
        Text(),
        _table_of_tests(report, after_due=after_due),
        Text(),
        Text(inert(headline(report), anywhere=True), style=f"bold {_style(word_for_report(report))}"),
    ]
    warnings = [sentence(warning) for warning in report.sandbox.warnings]
    if report.sandbox.level == "none":
        warnings.insert(0, "The programs ran without a sandbox.")
    parts += [Barred(_plain_text(warning, "yellow")) for warning in warnings]
    if sentences := describe_work(report):
        parts += [Text(), Text("The work as a whole", style="bold"), Barred(*map(_plain_text, sentences))]
    if after := describe_after_grading(report):
        parts += [Text(), Text("After the grading", style="bold"), Barred(*map(_plain_text, after))]
    if problem := build_problem(report, after_due=after_due):
        log = excerpt(report.build.log.encode(), most=SCREEN_LOG_LINES)
        parts += [Text(), Text(title_of_problem(report.verdict), style="bold red")]
        parts.append(Barred(_plain_text(problem), *(_plain_text(line, "dim") for line in log)))
    shown_tests = [test for test in report.tests if is_shown(test, after_due=after_due)]
    parts += _every_failure(shown_tests)
    right = grouped(case for test in shown_tests for case in test.cases if case.verdict is Verdict.PASSED)
    remarks = [f"{names(group)}: {case_summary(group[0])}" for group in right]
    remarks += [finding.message for finding in findings_for_student(report)]
    if remarks:
        parts += [Text(), Text("Noticed as well", style="bold")]
        parts.append(Barred(*(_plain_text(sentence(remark)) for remark in remarks[:REMARKS])))
    if len(remarks) > REMARKS:
        parts.append(Text(f"  and {len(remarks) - REMARKS} more in the report files"))
    return Group(*parts)


def _table_of_tests(report: Report, *, after_due: bool) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("test", overflow="fold")
    table.add_column("verdict")
    table.add_column("points", justify="right", no_wrap=True)
    for test in report.tests:
        shown = is_shown(test, after_due=after_due)
        word = word_for_test(test)
        verdict = Text(word, style=_style(word)) if shown else Text("hidden", style="dim")
        table.add_row(Text(inert(sentence(test.name), anywhere=True)), verdict, Text(test_points(test)))
    return table


def _every_failure(tests: Sequence[ReportedTest]) -> Iterator[RenderableType]:
    """Lay out what failed: the first in full, the rest in sentences, and a repeated problem in one line."""
    lines = 0
    elsewhere: dict[str, list[str]] = {}
    for test in tests:
        if place := description_in(test):
            elsewhere.setdefault(place, []).append(test.name)
            continue
        parts = list(test_parts(test, EVIDENCE_LINES - lines))
        lines += sum(len(part.lines) for part in parts if isinstance(part, Barred))
        yield from parts
    for place, others in elsewhere.items():
        sentence = f"The same as in {place}: {joined([one_line(name, NAME_LIMIT) for name in others])}"
        yield from (Text(), _plain_text(sentence, "bold", anywhere=True))
    if lines >= EVIDENCE_LINES:
        yield from (Text(), Text("The report files show more of what the programs wrote."))


def test_parts(test: ReportedTest, most: int) -> Iterator[RenderableType]:
    """Lay out what failed in one test; nothing when nothing did. Callers check `is_shown` first.

    Behind so many lines, at `most`, what programs wrote is left out.
    """
    groups = [group for group in describe_groups(test) if group[0].verdict is not Verdict.PASSED]
    if not groups:
        return
    yield from (
        Text(),
        Text(f"{inert(sentence(test.name), anywhere=True)}: {test_points(test)}", style="bold"),
    )
    shown = 0
    for group in groups[:GROUPS]:
        first = group[0]
        word = word_for_case(first, test)
        heading = Text(f"{inert(names(group), anywhere=True)}: {word}", style=_style(word))
        yield Padding(heading, (0, 0, 0, 2), expand=False)
        lines = [_plain_text(describe_group(group, test)), *(_plain_text(f"  {line}") for line in drawings(first))]
        if can_repeat(first):
            lines.append(_plain_text(f"$ {one_line(first.command, COMMAND_LIMIT)}", "dim"))
        for part in evidence(first) if shown < most else ():
            lines.append(_plain_text(f"{part.title}:", "dim"))
            lines.extend(_plain_text(line, _LINE_STYLES.get(line[0], "")) for line in part.lines)
        shown += len(lines)
        yield Barred(*lines)
    if len(groups) > GROUPS:
        yield Text(f"  and {len(groups) - GROUPS} more in the report files")
    if test.hint:
        yield Barred(*(_plain_text(line, "italic") for line in hint_lines(test.hint)))


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
    if problem := build_problem(report, after_due=after_due):
        log = excerpt(report.build.log.encode(), most=SCREEN_LOG_LINES)
        parts += [
            _plain_text("The build failed", "bold red", anywhere=True),
            Barred(*(Text(inert(line)) for line in (problem, *log))),
        ]
    else:
        wrong = [test for test in report.tests if test.verdict is not Verdict.PASSED]
        in_full = [test for test in wrong if is_shown(test, after_due=after_due)][:TESTS_IN_FULL]
        for test in in_full:
            parts += test_parts(test, EVIDENCE_LINES)
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
