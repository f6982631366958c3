"""A document in plain lines: for a terminal, for platforms that show text as it is, and for logs."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from grader.core.report.blocks import Block, Heading, Lines, Table, Text
from grader.core.text import sentence


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
            case Table():
                yield from (PlainLine(line, "hint") for line in _columns(block))
            case _:
                if block.title:
                    yield PlainLine(f"{block.title}:", "title")
                indent = block.indent if isinstance(block, Lines) else ""
                kind = block.label if isinstance(block, Lines) else ""
                yield from (PlainLine(indent + line, kind or line[:1]) for line in block.lines)


def _columns(table: Table) -> Iterator[str]:
    rows = [[cell.text for cell in row] for row in table.rows]
    rows = [list(table.head), *rows] if table.head else rows
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def plain(blocks: Iterable[Block]) -> list[str]:
    """Render blocks in lines, all as far in."""
    return [line.text for line in to_lines(blocks)]
