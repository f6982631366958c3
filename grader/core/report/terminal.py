"""A document on a terminal: a table, a total, and for what lost points one sentence and a short difference.

While somebody is at work on a submission, it is what changed since the last grading, and of the rest less.

Texts are printable, and never markup. Every line that a student's text may start has a bar before it, because
CI systems take commands from logs (`::error::`) even behind blanks. Without colours the words carry it all.
"""

from collections.abc import Iterable, Iterator

from grader.core.model.judgement import Verdict
from grader.core.model.report import Report, ReportedTest
from grader.core.report.blocks import Block, Document, TextTable
from grader.core.report.document import to_document
from grader.core.report.plain import columns, to_lines
from grader.core.report.screen import Screen, TextLine, barred
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

CHANGED_NAMES = 6
"""names of cases that lose points now, or no more, before "and 2 more\""""

_STYLES = {
    "bold": ("Verdict",),
    "green": (FULL_MARKS, "right", "-"),  # the expected line is the good one: not the colours of a patch
    "yellow": (PART_OF_POINTS, "partly right", "warning"),
    "dim": (Verdict.SKIPPED, EXCUSED, "hidden", "title", "command", "quiet", "The messages"),
    "italic": ("hint", "Code"),
    "magenta": (Verdict.NOT_READABLE, Verdict.UNGRADED, "ours"),
    "cyan": ("@",),
    "red": ("+",),
}
_STYLE_OF = {word: style for style, words in _STYLES.items() for word in words}


def to_renderable(report: Report, *, after_due: bool = False) -> Screen:
    """Lay a report out for any width from 40 columns; tests that students may not see have their points only."""
    document = to_document(report, after_due=after_due, brief=True)
    behind = document.of("warnings", "work", "after", "tests", "signs", "findings")
    head = [_line(document.title, "bold"), *_lines(document.of("cause", "table"))]
    return Screen([*head, TextLine(), _headline(document), *_lines(behind)])


def _headline(document: Document) -> TextLine:
    """`alice  87.5 of 100  part of the points`."""
    text = "  ".join(filter(None, (document.student, document.score, document.word)))
    return _line(text, f"bold {_STYLE_OF.get(document.word, 'red')}")


def _lines(blocks: Iterable[Block]) -> Iterator[TextLine]:
    """Render blocks: a blank line before a heading, a bar before what students may have written."""
    for block in blocks:
        if isinstance(block, TextTable) and block.title:
            head, *rows = columns(block)
            yield from (TextLine(), _line(head.lower(), "bold"))
            yield from (_line(row, _style(cells[1].text)) for cells, row in zip(block.rows, rows, strict=True))
            continue
        for line in to_lines([block]):
            if line.level == 0:
                yield from (TextLine(), _line(line.text, "bold"))
            elif line.level == 1 or line.kind == "quiet":
                yield _line(line.text, _style(line.kind), "  ")
            else:
                yield barred(inert(line.text), _STYLE_OF.get(line.kind, ""))


def _line(text: str, style: str, before: str = "") -> TextLine:
    return TextLine(inert(text, anywhere=True), style, before, before)


def _style(word: str) -> str:
    return _STYLE_OF.get(word, "red")


# ---------------------------------------------------------------- at work on a submission


def line_of_test(test: ReportedTest, *, after_due: bool) -> Screen:
    """`count: full marks, 36 of 36`; of a hidden test only its points."""
    word = word_for_test(test) if is_shown(test, after_due=after_due) else "hidden"
    return Screen([_line(f"{sentence(test.name)}: {word}, {test_points(test)}", _style(word))])


def to_renderable_changes(
    report: Report, before: Report | None, *, after_due: bool = False, reserved: int = 0
) -> Screen:
    """Lay out the score, what changed since the report `before`, and what is wrong now, the first of it first.

    On a terminal all of it fits on the screen, beside `reserved` lines; what matters least comes last, and is cut.
    """
    document = to_document(report, after_due=after_due, brief=True)
    head = [_headline(document), *_changes(report, before, after_due=after_due)]
    return Screen([*head, *_lines(document.of("cause", "tests", "signs", "table"))], reserved)


def _changes(report: Report, before: Report | None, *, after_due: bool) -> Iterator[TextLine]:
    """Say which cases lose points now and did not before, and the reverse; nothing the first time."""
    if before is None:
        return
    was, now = (
        [one_line(case.id, NAME_LIMIT) for test in shown for case in test.cases if case.verdict is not Verdict.PASSED]
        for shown in ([test for test in one.tests if is_shown(test, after_due=after_due)] for one in (before, report))
    )
    for turn, style, old, new in ((f"with {FULL_MARKS}", "green", was, now), ("losing points", "red", now, was)):
        if names := [name for name in old if name not in new]:
            yield _line(f"Now {turn}: {listed(names, most=CHANGED_NAMES)}", style)
    if was == now:
        yield TextLine("What loses points is as before.", "dim")
