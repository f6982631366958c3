"""A document in plain lines: for a terminal, for platforms that show text as it is, and for logs."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from grader.core.lazy import lazy_call
from grader.core.model.report import Report, ReportedCase, ReportedTest
from grader.core.report.blocks import Block, Heading, Lines, Text, TextTable
from grader.core.report.document import blocks_of_test, case_blocks, cause_blocks, describe_decided, to_document
from grader.core.report.view import case_summary, describe_cause, out_of_points, test_points
from grader.core.text import inert, sentence

_width = lazy_call("unicodedata", "east_asian_width")


PlainLine = tuple[str, str, int]
"""A line; the word or role of it, or how it starts; how far in it stands: a case's heading at 1, what is below at 2."""


def to_lines(blocks: Iterable[Block]) -> Iterator[PlainLine]:
    """Render blocks in lines."""
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
    """Lay a table out; with a title, its last column is aligned at the right."""
    rows = [[*map(spread, table.head)], *([spread(cell.text) for cell in row] for row in table.rows)]
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    sides = [*["<"] * (len(widths) - 1), ">" if table.title else "<"]
    lines = ["  ".join(map("{:{}{}}".format, row, sides, widths)) for row in rows]
    return [line.rstrip().replace("\0", "") for line in lines[not table.head :]]


def spread(text: str) -> str:
    """Put a filler behind each character that takes two cells of a terminal, so that the length is the width."""
    return text if text.isascii() else "".join(one + "\0" * (_width(one) in "WF") for one in text)


def plain_lines(blocks: Iterable[Block]) -> list[str]:
    """Render blocks in lines, all as far in."""
    return [text for text, _, _ in to_lines(blocks)]


def test_text(test: ReportedTest) -> str:
    """Describe one test: what is wrong and how to reproduce it; empty when there is nothing to report."""
    told = ((text, level) for text, kind, level in to_lines(blocks_of_test(test)) if level and kind != "about")
    return inert("\n".join("  " * (level - 1) + text for text, level in told) or describe_decided(test))


def case_text(case: ReportedCase, broken: Report | None = None) -> str:
    """Describe one case that has something to report: the sentence first, a bar before all else; also a broken build.

    It may go into a log, and CI systems take commands from logs at the start of a line, even behind blanks.
    """
    cause = cause_blocks(describe_cause(broken, after_due=True) if broken else None)
    lines = plain_lines([*case_blocks(case), *cause])
    return inert("\n".join([f"{case.verdict}: {case_summary(case)}", *(f"│ {line}" for line in lines)]))


def report_text(report: Report, *, after_due: bool = False) -> str:
    """Describe the submission as a whole: what was noticed, and why it could not be built."""
    document = to_document(report, after_due=after_due)
    return inert("\n".join(plain_lines(document.of("ours", "cause", "findings", "after", "work"))))


def in_short(report: Report, *, after_due: bool = False) -> list[str]:
    """Summarise a report in a few sentences: the points, and what is wrong in every test."""
    document = to_document(report, after_due=after_due)
    told = to_lines(document.of("cause", "after", "work", "tests"))
    lines = [text for text, kind, _ in told if kind in {"", "sentence", "item"}]
    lost = (f"{sentence(test.name)}: {test_points(test)}" for test in report.tests if test.score != test.points)
    score = "Excused." if report.is_excused else f"{out_of_points(report.counted, report.max_score)}."
    return [score, *lines, *(line for line in lost if line not in lines)]
