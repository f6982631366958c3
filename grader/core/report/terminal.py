"""A document on a terminal: a table, a total, and for what lost points one sentence and a short difference.

While somebody is at work on a submission, it is what changed since the last grading, and of the rest less.

Texts are printable, and never markup. Every line that a student's text may start has a bar before it, because
CI systems take commands from logs (`::error::`) even behind blanks. Without colours the words carry it all.
"""

from collections.abc import Iterable, Iterator, Sequence

from grader.core.model.judgement import Verdict
from grader.core.model.report import Report, ReportedTest
from grader.core.report.blocks import Block, Document, Heading, TableCell, Text, TextTable
from grader.core.report.document import to_document
from grader.core.report.plain import to_lines
from grader.core.report.screen import ScreenBlock, ScreenTable, Stack, TextLine, barred
from grader.core.report.view import (
    EXCUSED,
    FULL_MARKS,
    NAME_LIMIT,
    PART_OF_POINTS,
    is_shown,
    test_points,
    word_for_test,
)
from grader.core.text import inert, listed, one_line, sentence

_BEFORE_TOTAL = ("cause", "table")
_AFTER_TOTAL = ("warnings", "work", "after", "tests", "signs", "findings")

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
    "hidden": "dim",
    Verdict.NOT_READABLE: "magenta",
    Verdict.UNGRADED: "magenta",
}
# The expected line is the good one, so the colours are not those of a patch.
_KIND_STYLES = {
    "-": "green",
    "+": "red",
    "@": "cyan",
    "title": "dim",
    "command": "dim",
    "quiet": "dim",
    "hint": "italic",
    "Code": "italic",
    "The messages": "dim",
    "warning": "yellow",
    "ours": "magenta",
}


def to_renderable(report: Report, *, after_due: bool = False) -> ScreenBlock:
    """Lay a report out for any width from 40 columns; tests that students may not see have their points only."""
    return to_screen(to_document(report, after_due=after_due, brief=True))


def to_screen(document: Document) -> ScreenBlock:
    """Render a document for any width from 40 columns."""
    total = _headline(document)
    return Stack(
        _line(document.title, "bold"),
        *_screen_blocks(document.of(*_BEFORE_TOTAL)),
        TextLine(),
        total,
        *_screen_blocks(document.of(*_AFTER_TOTAL)),
    )


def _headline(document: Document) -> TextLine:
    """`alice  87.5 of 100  part of the points`."""
    text = "  ".join(filter(None, (document.student, document.score, document.word)))
    return _line(text, f"bold {_style(document.word)}")


def _screen_blocks(blocks: Iterable[Block]) -> Iterator[ScreenBlock]:
    """Render blocks: a blank line before a heading, a bar before what students may have written."""
    for block in blocks:
        if isinstance(block, TextTable) and block.title:
            yield TextLine()
            yield ScreenTable(
                [(name.lower(), "bold") for name in block.head], *([*map(_cell, row)] for row in block.rows)
            )
            continue
        for line in to_lines([block]):
            if line.level == 0:
                yield from (TextLine(), _line(line.text, "bold"))
            elif line.level == 1:
                yield TextLine(inert(line.text, anywhere=True), _style(line.kind), "  ", "  ")
            elif line.kind == "quiet":
                yield TextLine(line.text, "dim", "  ", "  ")
            else:
                yield barred(inert(line.text), _KIND_STYLES.get(line.kind, ""))


def _cell(cell: TableCell) -> tuple[str, str]:
    return inert(cell.text, anywhere=True), _style(cell.text) if cell.is_word else ""


def _line(text: str, style: str) -> TextLine:
    return TextLine(inert(text, anywhere=True), style)


def _style(word: str) -> str:
    return _STYLES.get(word, "red")


# ---------------------------------------------------------------- at work on a submission


def line_of_test(test: ReportedTest, *, after_due: bool) -> TextLine:
    """`count: full marks, 36 of 36`; of a hidden test only its points."""
    word = f"{word_for_test(test)}, " if is_shown(test, after_due=after_due) else ""
    return _line(f"{sentence(test.name)}: {word}{test_points(test)}", "green" if test.score == test.points else "red")


def to_renderable_changes(
    report: Report, before: Report | None, *, after_due: bool = False, reserved: int = 0
) -> ScreenBlock:
    """Lay out what is wrong now, what changed since the report `before`, the score, and the first sentence last.

    On a terminal all of it fits on the screen, beside `reserved` lines; what matters least comes first, and is cut.
    """
    document = to_document(report, after_due=after_due, brief=True)
    cause = document.of("cause")
    in_full = [] if cause else [*document.tests[:TESTS_IN_FULL]]
    focus = cause or (in_full[0] if in_full else [])
    first = next((block for block in focus if isinstance(block, Text) and block.role == "sentence"), None)
    known = {block.text for test in in_full for block in test[:1] if isinstance(block, Heading)}
    parts: list[ScreenBlock] = [
        line_of_test(test, after_due=after_due)
        for test in report.tests
        if test.verdict is not Verdict.PASSED and sentence(test.name) not in known
    ]
    for test in reversed(in_full):
        parts += _screen_blocks(block for block in test if block is not first)
    parts += [TextLine(), *_changes(report, before, after_due=after_due), _headline(document)]
    parts += _screen_blocks(block for block in cause[1:] if block is not first)
    if first and isinstance(focus[0], Heading):
        title = f"{'' if cause else 'First, '}{focus[0].text}:"
        parts += [_line(title, "bold red" if cause else "bold"), barred(inert(first.text))]
    return Stack(*parts, reserved=reserved)


def _changes(report: Report, before: Report | None, *, after_due: bool) -> Iterator[ScreenBlock]:
    """Say what loses points now and did not before, and the reverse; nothing the first time."""
    if before is None:
        return
    was, now = (_failing(one, after_due=after_due) for one in (before, report))
    passing, failing = [name for name in was if name not in now], [name for name in now if name not in was]
    for cases, turn, style in ((passing, f"with {FULL_MARKS}", "green"), (failing, "losing points", "red")):
        if cases:
            shown = listed([one_line(name, NAME_LIMIT) for name in cases], most=CHANGED_NAMES)
            yield _line(f"Now {turn}: {shown}", style)
    if not passing and not failing:
        yield TextLine("What loses points is as before.", "dim")


def _failing(report: Report, *, after_due: bool) -> Sequence[str]:
    """Return the names of the cases that do not pass; of a hidden test that loses points, the test's."""
    failing: dict[str, None] = {}
    for test in report.tests:
        if is_shown(test, after_due=after_due):
            failing |= dict.fromkeys(case.id for case in test.cases if case.verdict is not Verdict.PASSED)
        elif test.score != test.points:
            failing[test.name] = None
    return list(failing)
