"""A document on a terminal, in lines of its width; where rich prints other things, it prints these as well.

rich takes longer to import than a small program takes to run, and a student waits for it. Every line that a student's
text may start has a bar before it, because CI systems take commands from logs (`::error::`) even behind blanks.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any, NamedTuple

from grader.core.lazy import lazy_call
from grader.core.model.judgement import Verdict
from grader.core.model.report import Report, ReportedTest
from grader.core.report import view
from grader.core.report.blocks import Block, TextTable
from grader.core.report.document import to_document
from grader.core.report.plain import columns, spread, to_lines
from grader.core.report.view import is_shown
from grader.core.text import inert, listed, one_line, sentence

ScreenRow = tuple[str, str, str]
"""what stands before a text, the text, and its style, such as `bold green`"""

ATTRIBUTES: Mapping[str, str] = {"bold": "1", "dim": "2", "italic": "3"}
COLOURS: Mapping[str, str] = {"red": "31", "green": "32", "yellow": "33", "magenta": "35", "cyan": "36"}
"""words of a style -> the parameter of the terminal's sequence (ECMA-48, SGR)"""

_STYLES = {
    "green": (view.FULL_MARKS, "right", "-"),  # the expected line is the good one: not the colours of a patch
    "yellow": (view.PART_OF_POINTS, "partly right", "warning"),
    "dim": (Verdict.SKIPPED, view.EXCUSED, "hidden", "title", "command", "quiet", "The messages"),
    "italic": ("hint", "Code"),
    "magenta": (Verdict.NOT_READABLE, Verdict.UNGRADED, "ours"),
    "cyan": ("@",),
    "red": ("+",),
}
_STYLE_OF = {word: style for style, words in _STYLES.items() for word in words}
_BAR = "  │ "
_segment = lazy_call("rich.segment", "Segment")


def to_terminal(rows: Iterable[ScreenRow], codes: Mapping[str, str]) -> str:
    """Write rows, with those words of the styles that `codes` has."""
    lines = []
    for before, text, style in rows:
        parameters = ";".join(codes[word] for word in style.split() if word in codes)
        lines.append(f"{before}\x1b[{parameters}m{text}\x1b[0m\n" if parameters and text else f"{before}{text}\n")
    return "".join(lines)


class TextLine(NamedTuple):
    """A printable text in one style, with something before each of its rows."""

    text: str = ""
    style: str = ""
    before: str = ""

    def rows(self, width: int) -> Iterator[ScreenRow]:
        """Wrap it between words, or within one that is too long."""
        text = spread(self.text)
        if len(text) > width and not self.before:  # a row of a table gives up its columns
            text = re.sub(" {3,}", "  ", text)
        # A wide character may be torn from its filler, and then takes one cell more.
        room, indent = max(width - len(self.before) - (not text.isascii()), 3), "  " * (self.before == _BAR)
        for row in wrap(text, room, subsequent_indent=indent, break_on_hyphens=False) or [""]:
            yield self.before, row.replace("\0", ""), self.style


def barred(text: str = "", style: str = "") -> TextLine:
    """Put a bar before a text; what is wrapped is indented behind the bar."""
    return TextLine(text, style, _BAR)


class Screen(NamedTuple):
    """Lines below each other; with `reserved` rows for others, a terminal shows the first ones that fit."""

    lines: Sequence[TextLine]
    reserved: int | None = None

    def rows(self, width: int, height: int | None = None) -> list[ScreenRow]:
        """Lay them out for a width in cells; `height` is that of a terminal, and None of anything else."""
        rows = [row for line in self.lines for row in line.rows(width)]
        most = len(rows) if height is None or self.reserved is None else max(height - self.reserved, 1)
        return rows if len(rows) <= most else [*rows[: most - 1], ("", "…", "")]

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        """Let rich print it."""
        for before, text, style in self.rows(options.max_width, console.size.height if console.is_terminal else None):
            yield from (_segment(before), _segment(text, console.get_style(style)), _segment("\n"))


def to_renderable(
    report: Report, *, after_due: bool = False, before: Report | None = None, reserved: int | None = None
) -> Screen:
    """Lay a report out for any width from 40 columns; tests that students may not see have their points only.

    With `reserved` lines for others, what changed since the report `before` and what is wrong come first.
    """
    document = to_document(report, after_due=after_due, brief=True)
    total = _line(view.headline(report), f"bold {_STYLE_OF.get(view.word_for_report(report), 'red')}")
    table, tests = document.of("table"), document.of("tests", "signs")
    if reserved is not None:
        changes = _changes(report, before, after_due=after_due)
        return Screen([total, *changes, *_lines([*document.of("cause"), *tests, *table])], reserved)
    head = _lines([*document.of("head", "cause"), *table])
    behind = _lines([*document.of("warnings", "work", "after"), *tests, *document.of("findings")])
    return Screen([*head, TextLine(), total, *behind][1:])


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


def line_of_test(test: ReportedTest, *, after_due: bool) -> Screen:
    """`count: full marks, 36 of 36`; of a hidden test only its points."""
    word = view.word_for_test(test) if is_shown(test, after_due=after_due) else "hidden"
    return Screen([_line(f"{sentence(test.name)}: {word}, {view.test_points(test)}", _STYLE_OF.get(word, "red"))])


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
                yield barred(inert(text), _STYLE_OF.get(kind, ""))
