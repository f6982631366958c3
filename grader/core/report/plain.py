"""A document in lines: for a terminal, for platforms that show text as it is, and for logs.

Every line that a student's text may start has a bar before it, because CI systems take commands from logs (`::error::`)
even behind blanks. No library lays it out: rich takes longer to import than a small program takes to run.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

from grader.core.lazy import lazy_call
from grader.core.model.report import Report, ReportedTest, Verdict
from grader.core.report import view
from grader.core.report.document import to_document
from grader.core.report.view import Block, Heading, Lines, Text, TextTable, blocks_of_test, describe_decided, is_shown
from grader.core.text import inert, listed, one_line, sentence

ATTRIBUTES: Mapping[str, str] = {"bold": "1", "dim": "2", "italic": "3"}  # words -> parameters of ECMA-48, SGR
COLOURS: Mapping[str, str] = {"red": "31", "green": "32", "yellow": "33", "magenta": "35", "cyan": "36"}

MAX_COLUMN = 40  # cells of a terminal; what is longer does not widen its column
_STYLES = {
    "green": (view.FULL_MARKS, "right", "+"),
    "yellow": (view.PART_OF_POINTS, "partly right", "warning"),
    "dim": (Verdict.SKIPPED, view.EXCUSED, "hidden", "title", "command", "quiet", "The messages"),
    "italic": ("hint", "Code"),
    "magenta": (Verdict.NOT_READABLE, Verdict.UNGRADED, "ours"),
    "cyan": ("@",),
    "red": ("-",),
}
_STYLE_OF = {word: style for style, words in _STYLES.items() for word in words}
_segment, _width = lazy_call("rich.segment", "Segment"), lazy_call("unicodedata", "east_asian_width")
_wrap = lazy_call("textwrap", "wrap")


def to_lines(blocks: Iterable[Block]) -> Iterator[tuple[str, str, int]]:
    """Render blocks as lines: the text, its word, role or first sign, and its level: 1 for a case, 2 below it."""
    for block in blocks:
        match block:
            case Heading():
                text = ": ".join(filter(None, (block.text, block.points or block.word)))
                yield text, block.word, block.level - 2
            case Text():
                label = {"command": "$ "}.get(block.role, f"{block.label}: " if block.label else "")
                yield f"{label}{sentence(block.text)}".strip(), block.role, 2
            case TextTable():
                yield from ((line, "hint", 2) for line in columns(block))
            case Lines():
                yield from ((f"{block.title}:", "title", 2),) if block.title else ()
                yield from ((block.indent + line, block.label or line[:1], 2) for line in block.lines)


def columns(table: TextTable) -> list[str]:
    """Lay a table out; a long cell moves what is behind it. With a title, the last column is aligned at the right."""
    rows = [[*map(spread, table.head)], *([spread(cell.text) for cell in row] for row in table.rows)]
    widths = [
        max((len(cell) for cell in column if len(cell) <= MAX_COLUMN), default=0)
        for column in zip_longest(*rows, fillvalue="")
    ]
    sides = [*["<"] * (len(widths) - 1), ">" if table.title else "<"]
    lines = ["  ".join(map("{:{}{}}".format, row, sides, widths)) for row in rows]
    return [line.rstrip().replace("\0", "") for line in lines[not table.head :]]


def spread(text: str) -> str:
    """Put a filler behind each character that takes two cells of a terminal, so that the length is the width."""
    return text if text.isascii() else "".join(char + "\0" * (_width(char) in "WF") for char in text)


def plain_lines(blocks: Iterable[Block]) -> list[str]:
    """Render blocks in lines, all as far in."""
    return [text for text, _, _ in to_lines(blocks)]


def to_text(blocks: Iterable[Block]) -> str:
    """Render blocks as a text, with a bar before all but headings."""
    lines = ((text, level) for text, _, level in to_lines(blocks))
    return "\n".join(f"│ {inert(text)}" if level > 1 else inert(text, anywhere=True) for text, level in lines)


def test_text(test: ReportedTest) -> str:
    """Describe one test: what is wrong and how to reproduce it; empty when there is nothing to report."""
    blocks = [block for block in blocks_of_test(test) if not (isinstance(block, Text) and block.role == "about")]
    return to_text(blocks[1:]) or inert(describe_decided(test), anywhere=True)


def report_text(report: Report, *, after_due: bool = False) -> str:
    """Describe the submission as a whole: what was noticed, and why it could not be built."""
    return to_text(to_document(report, after_due=after_due).of("ours", "cause", "findings", "after", "work"))


def in_short(report: Report, *, after_due: bool = False) -> list[str]:
    """Summarise a report in a few sentences: the points, and what is wrong in every test."""
    blocks = to_document(report, after_due=after_due).of("cause", "after", "work", "tests")
    rows = (row for row in to_lines(blocks) if row[1] in {"", "sentence", "item"})
    lines = "".join((". " if kind == "sentence" else "\n") + text for text, kind, _ in rows).split("\n")[1:]
    score = "Excused." if report.is_excused else f"{view.out_of_points(report.counted, report.max_score)}."
    lost = (f"{sentence(test.name)}: {view.test_points(test)}" for test in report.tests if test.score != test.points)
    return [score, *lines, *(f"{loss}." for loss in lost if not any(line.startswith(loss) for line in lines))]


# ---------------------------------------------------------------- on a terminal


class TextLine(NamedTuple):
    """A printable text in one style, with something before each of its rows."""

    text: str = ""
    style: str = ""
    before: str = ""

    def rows(self, width: int) -> Iterator[str]:
        """Wrap it between words, or within one that is too long."""
        text = spread(self.text)
        if len(text) > width and not self.before:  # a row of a table gives up its columns
            text = re.sub(" {3,}", "  ", text)
        # A wide character may be torn from its filler, and then takes one cell more.
        room = max(width - len(self.before) - (not text.isascii()), 3)
        indent = "  " * self.before.endswith("│ ")
        is_row = len(text) <= room and text.isprintable() and not text.endswith(" ")
        for row in [text] if is_row else _wrap(text, room, subsequent_indent=indent, break_on_hyphens=False) or [""]:
            yield row.replace("\0", "")

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        """Let rich print it."""
        for row in self.rows(options.max_width):
            yield from (_segment(self.before), _segment(row, console.get_style(self.style)), _segment("\n"))


def to_terminal(lines: Iterable[TextLine], width: int, codes: Mapping[str, str]) -> str:
    """Write lines for a width in cells, with those words of their styles that `codes` has."""
    written = ""
    for line in lines:
        parameters = ";".join(codes[word] for word in line.style.split() if word in codes)
        for row in line.rows(width):
            shown = f"\x1b[{parameters}m{row}\x1b[0m" if parameters and row else row
            written += f"{line.before}{shown}\n"
    return written


def to_renderable(report: Report, *, after_due: bool = False) -> list[TextLine]:
    """Lay a report out for any width from 40 columns; tests that students may not see have their points only."""
    document = to_document(report, after_due=after_due, brief=True)
    behind = _lines(document.of("warnings", "work", "after", "tests", "left_out", "findings"))
    return [*_lines(document.of("head", "cause", "table")), TextLine(), _total(report), *behind][1:]


def to_renderable_changes(report: Report, before: Report | None, *, after_due: bool = False) -> list[TextLine]:
    """Lay out what is wrong now, the first of it last, what changed since the report `before`, and the score."""
    document = to_document(report, after_due=after_due, brief=True)
    tests = [block for test in reversed(document.tests) for block in test]
    shown = _lines([*document.of("table", "left_out"), *tests, *document.of("cause")])
    return [*shown, TextLine(), *_changes(report, before, after_due=after_due), _total(report)]


def _changes(report: Report, before: Report | None, *, after_due: bool) -> Iterator[TextLine]:
    """Say which cases lose points now and did not before, and the reverse; nothing the first time."""
    was, now = (
        [case.id for test in one.tests if is_shown(test, after_due=after_due) for case in test.cases if case.credit < 1]
        for one in (before or report, report)
    )
    for turn, style, old, new in ((f"with {view.FULL_MARKS}", "green", was, now), ("losing points", "red", now, was)):
        if names := [name for name in old if name not in new]:
            yield _line(f"Now {turn}: {listed([*map(one_line, names)], most=6)}", style)
    if before and was == now:
        yield TextLine("What loses points is as before.", "dim")


def line_of_test(test: ReportedTest, *, after_due: bool) -> TextLine:
    """`count: full marks, 36 of 36`; of a hidden test only its points."""
    word = view.word_for_test(test) if is_shown(test, after_due=after_due) else "hidden"
    return _line(f"{sentence(test.name)}: {word}, {view.test_points(test)}", _STYLE_OF.get(word, "red"))


def _total(report: Report) -> TextLine:
    return _line(view.headline(report), f"bold {_STYLE_OF.get(view.word_for_report(report), 'red')}")


def _line(text: str, style: str, before: str = "") -> TextLine:
    return TextLine(inert(text, anywhere=True), style, before)


def _lines(blocks: Iterable[Block]) -> Iterator[TextLine]:
    """Render blocks: a blank line before a heading, a bar before what students may have written."""
    for block in blocks:
        if isinstance(block, TextTable) and block.title:
            styles = ["bold", *(_STYLE_OF.get(row[1].text, "red") for row in block.rows)]
            head, *rows = columns(block)
            yield from (TextLine(), *map(_line, [head.lower(), *rows], styles))
            continue
        for text, kind, level in to_lines([block]):
            if level < 1:
                yield from (TextLine(), _line(text, "bold"))
            elif level == 1 or kind == "quiet":
                yield _line(text, _STYLE_OF.get(kind, "red"), "  ")
            else:
                yield TextLine(inert(text), _STYLE_OF.get(kind, ""), "  │ ")
