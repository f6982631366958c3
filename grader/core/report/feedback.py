"""A document in Markdown, `feedback.md`, and the quoting of Markdown.

Nothing can break out of the Markdown: inline text has every character escaped that Markdown or HTML could take for its
own, and blocks stand in fences longer than any run of backticks in them.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from grader.core.lazy import lazy_regex
from grader.core.report.blocks import Block, Document, Heading, Text, TextTable, is_item
from grader.core.report.prose import prose_pieces
from grader.core.report.view import COMMAND_LIMIT
from grader.core.text import capital, one_line, sentence

_PARTS = ("ours", "cause", "findings", "after", "work", "table", "signs", "tests")
_MARKUP = lazy_regex(r"([\\`*_\[<&|~$]|:(?=//)|^[-+=>#])")


def to_markdown(document: Document) -> bytes:
    """Render a document in Markdown."""
    points = f"**{document.score} {document.unit}** for " if document.score else ""
    head = [f"# {inline(document.title)}", "", f"{points}{inline(document.student)}: {document.word}.", ""]
    lines: list[str] = []
    for is_list, group in groupby(document.of(*_PARTS), is_item):
        lines += [line for block in group for line in _lines_of(block)] + [""] * is_list
    return ("\n".join([*head, *lines]).rstrip("\n") + "\n").encode()


def _lines_of(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            text = ": ".join(filter(None, (inline(block.text), block.points, block.word)))
            yield from (f"{'#' * block.level} {text}", "")
        case Text(role="item"):
            yield "- " + "  \n  ".join(map(inline, block.text.split("\n")))  # two blanks break a line
        case Text(role="command"):
            yield from (f"{block.label}: {code(block.text)}", "")
        case Text(role="hint"):
            label = f"**{block.label}:** " if block.label else ""
            yield from (f"{label}{_with_code(block.text)}".strip(), "")
        case Text():
            yield from (inline(block.text), "")
        case TextTable():
            yield from (*_table(block), "")
        case _:
            title = [f"{capital(block.title)}:", ""] if block.title else []
            yield from (*title, *fenced(block.lines, "text"), "")


def _table(table: TextTable) -> Iterator[str]:
    rows = [[_with_code(cell.text) if table.is_wide else inline(cell.text) for cell in row] for row in table.rows]
    columns = max([len(table.head), *map(len, rows)])
    yield f"| {' | '.join(map(_with_code, table.head or [''] * columns))} |"
    yield f"|{':--|' * (columns - table.last_right)}{'--:|' * table.last_right}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _with_code(text: str) -> str:
    """Write what an instructor wrote, with its code and its addresses."""
    write: dict[str, Callable[[str], str]] = {"text": _escaped, "code": code, "link": "<{}>".format}
    return "".join(write[kind](piece) for kind, piece in prose_pieces(text))


def inline(text: str) -> str:
    """Escape what Markdown or HTML could take for its own, on one line."""
    return _escaped(sentence(text))


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)


def code(text: str) -> str:
    """Write a text as code within a line."""
    shown = one_line(text, COMMAND_LIMIT)
    fence = "`" * (_longest_run(shown) + 1)
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown}{fence}"


def fenced(lines: Iterable[str], language: str = "") -> list[str]:
    """Write lines as a block of code, between fences that none of them can end."""
    text = list(lines)
    fence = "`" * max(3, _longest_run("\n".join(text)) + 1)
    return [f"{fence}{language}", *text, fence]


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
