"""A document in plain lines: for a terminal, for platforms that show text as it is, and for logs."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from grader.core.model.judgement import Verdict
from grader.core.model.report import Report, ReportedCase, ReportedTest
from grader.core.report.blocks import Block, Heading, Lines, Text, TextTable
from grader.core.report.document import blocks_of_test, case_blocks, cause_blocks, describe_decided, to_document
from grader.core.report.view import (
    build_problem,
    case_summary,
    describe_cause,
    out_of_points,
    test_points,
)
from grader.core.text import inert, sentence


class PlainLine(NamedTuple):
    """A line, what it is, and how far in it stands: a heading at 0, that of a case at 1, all else at 2."""

    text: str
    kind: str = ""
    """a word for what came of a case, the role of a text, how a line of a difference starts, or what else it is"""
    level: int = 2


def to_lines(blocks: Iterable[Block]) -> Iterator[PlainLine]:
    """Render blocks in lines."""
    for block in blocks:
        match block:
            case Heading():
                text = ": ".join(filter(None, (block.text, block.points or block.word)))
                yield PlainLine(text, block.word, block.level - 2)
            case Text(role="command"):
                yield PlainLine(f"$ {block.text}", block.role)
            case Text():
                label = f"{block.label}: " if block.label else ""
                yield PlainLine(f"{label}{sentence(block.text)}".strip(), block.role)
            case TextTable():
                yield from (PlainLine(line, "hint") for line in _columns(block))
            case _:
                if block.title:
                    yield PlainLine(f"{block.title}:", "title")
                indent = block.indent if isinstance(block, Lines) else ""
                kind = block.label if isinstance(block, Lines) else ""
                yield from (PlainLine(indent + line, kind or line[:1]) for line in block.lines)


def _columns(table: TextTable) -> Iterator[str]:
    rows = [[cell.text for cell in row] for row in table.rows]
    rows = [list(table.head), *rows] if table.head else rows
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def plain_lines(blocks: Iterable[Block]) -> list[str]:
    """Render blocks in lines, all as far in."""
    return [line.text for line in to_lines(blocks)]


# ---------------------------------------------------------------- what is said of a report, of a test or of a case


def test_text(test: ReportedTest) -> str:
    """Describe one test: what is wrong and how to reproduce it; empty when there is nothing to report."""
    lines = [line for line in to_lines(blocks_of_test(test)) if line.level and line.kind != "about"]
    return inert("\n".join(f"{'  ' * (line.level > 1)}{line.text}" for line in lines) or describe_decided(test))


def case_text(case: ReportedCase) -> str:
    """Describe one case that has something to report: the sentence first, a bar before all else.

    It may go into a log, and CI systems take commands from logs at the start of a line, even behind blanks.
    """
    return _with_bars(f"{case.verdict}: {case_summary(case)}", case_blocks(case))


def build_text(report: Report) -> str:
    """Say in the same way why a submission could not be built."""
    cause = cause_blocks(describe_cause(report, after_due=True))
    behind = (block for block in cause[1:] if not isinstance(block, Text) or block.role)
    return _with_bars(f"{Verdict.BUILD_FAILED}: {build_problem(report)}", behind)


def _with_bars(first: str, blocks: Iterable[Block]) -> str:
    return inert("\n".join([first, *(f"│ {line}" for line in plain_lines(blocks))]))


def report_text(report: Report, *, after_due: bool = False) -> str:
    """Describe the submission as a whole: what was noticed, and why it could not be built."""
    document = to_document(report, after_due=after_due)
    return inert("\n".join(plain_lines(document.of("ours", "cause", "findings", "after", "work"))))


def in_short(report: Report, *, after_due: bool = False) -> list[str]:
    """Summarise a report in a few sentences: the points, and the first problem of every test that lost some."""
    document = to_document(report, after_due=after_due)
    lines = ["Excused." if report.is_excused else f"{out_of_points(report.counted, report.max_score)}."]
    if cause := describe_cause(report, after_due=after_due):
        lines += filter(None, (f"{cause.title}: {cause.sentence}", cause.tests))
    lines += [block.text for block in document.of("after", "work") if isinstance(block, Text)]
    firsts: dict[str, str] = {}
    for name, *blocks in document.tests:
        told = (block.text for block in blocks if isinstance(block, Text) and block.role == "sentence")
        firsts[name.text if isinstance(name, Heading) else ""] = next(told, "")
    for test in report.tests:
        first = firsts.get(sentence(test.name), "")
        if first or test.score != test.points:
            lines.append(f"{sentence(test.name)}: {test_points(test)}. {first}".strip())
    return lines
