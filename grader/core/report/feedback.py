"""A document in Markdown, `feedback.md`, and the quoting of Markdown.

Nothing can break out of the Markdown: inline text has every character escaped that Markdown or HTML could take for its
own, and blocks stand in fences longer than any run of backticks in them.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from grader.core.lazy import lazy_regex
from grader.core.report.blocks import Block, Document, Heading, Text, TextTable
from grader.core.report.prose import prose_pieces
from grader.core.report.view import COMMAND_LIMIT
from grader.core.text import capital, one_line, sentence

_PARTS = ("head", "total", "ours", "cause", "findings", "after", "work", "table", "signs", "tests")
_MARKUP = lazy_regex(r"([\\`*_\[<&|~$]|:(?=//)|^[-+=>#])")


def to_markdown(document: Document) -> bytes:
    """Render a document in Markdown."""
    return ("\n\n".join(map(_block, document.of(*_PARTS))) + "\n").encode()


def _block(block: Block) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} " + ": ".join(filter(None, (inline(block.text), block.points, block.word)))
        case Text(role="item"):
            return "- " + "  \n  ".join(map(inline, block.text.split("\n")))  # two blanks break a line
        case Text():
            write = {"hint": _prose, "command": code}.get(block.role, inline)
            return f"{f'**{block.label}:**' if block.label else ''} {write(block.text)}".strip()
        case TextTable():
            return "\n".join(_table(block))
    title = f"{capital(block.title)}:\n\n" if block.title else ""
    return title + "\n".join(fenced(block.lines, "text"))


def _table(table: TextTable) -> Iterator[str]:
    write = inline if table.title else _prose
    columns = max([len(table.head), *map(len, table.rows)])
    yield f"| {' | '.join(map(write, table.head or [''] * columns))} |"
    yield f"|{':--|' * (columns - 1)}{'--:|' if table.title else ':--|'}"
    yield from (f"| {' | '.join(write(cell.text) for cell in row)} |" for row in table.rows)


def _prose(text: str) -> str:
    """Write what an instructor wrote, with its code and its addresses."""
    write: dict[str, Callable[[str], str]] = {
        "text": partial(_MARKUP.sub, r"\\\1"),
        "code": code,
        "link": "<{}>".format,
    }
    return "".join(write[kind](piece) for kind, piece in prose_pieces(text))


def inline(text: str) -> str:
    """Escape what Markdown or HTML could take for its own, on one line."""
    return _MARKUP.sub(r"\\\1", sentence(text))


def code(text: str) -> str:
    """Write a text as code within a line."""
    shown = one_line(text, COMMAND_LIMIT)
    fence = _fence(shown)
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown}{fence}"


def fenced(lines: Iterable[str], language: str = "") -> list[str]:
    """Write lines as a block of code, between fences that none of them can end."""
    text = list(lines)
    fence = _fence("\n".join(text), 3)
    return [f"{fence}{language}", *text, fence]


def _fence(text: str, least: int = 1) -> str:
    return "`" * max(least, *(len(run) + 1 for run in re.findall("`+", text)), 0)
