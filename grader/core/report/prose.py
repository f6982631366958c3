"""What an instructor wrote for people in a hint: paragraphs, code, tables, and addresses in them.

Of Markdown that is all there is, so that every other character stays as it was written: `B[i][0] * 2` is no markup.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import groupby
from typing import Any

from grader.core.lazy import lazy_regex
from grader.core.report.blocks import Block, Lines, TableCell, Text, TextTable

_RULES = ("fence", "code", "table", "list", "backticks")
_parser = cache(lambda: import_module("markdown_it").MarkdownIt("zero").enable(_RULES))
_CODE_INDENT = " " * 4
_INLINE = lazy_regex(
    r"(?<!`)(?P<fence>`+)(?!`)(?P<code>.+?)(?<!`)(?P=fence)(?!`)|(?P<link>https?://[^\s<>\"`|]*[^\s<>\"`|.,;:!?'*)\]])"
)


def prose_pieces(text: str) -> Iterator[tuple[str, str]]:
    """Take a paragraph or a cell apart: what each piece is, `text`, `code` or `link`, and the piece."""
    end = 0
    for found in _INLINE.finditer(text):
        yield "text", text[end : found.start()]
        yield ("link", found["link"]) if found["link"] else ("code", found["code"])
        end = found.end()
    yield "text", text[end:]


def hint_blocks(hint: str) -> Iterator[Block]:
    """Take a hint apart, with the word for it before it; nothing when there is none."""
    for number, block in enumerate(_blocks_in(read_hint(hint)) if hint else ()):
        if number == 0:
            yield Text(block.text if isinstance(block, Text) else "", "hint", label="Hint")
        if number or not isinstance(block, Text):
            yield block


def read_hint(text: str) -> Any:
    """Parse a hint; the first time, this imports the parser."""
    return import_module("markdown_it.tree").SyntaxTreeNode(_parser().parse(text))


def _blocks_in(node: Any, marker: str = "") -> Iterator[Block]:
    """Yield what is in a document or in an item of a list, which begins with its marker."""
    for child in node.children:
        if child.type == "paragraph":
            yield from _of_lines(f"{marker}{child.children[0].content}".split("\n"))
        elif child.type == "table":
            rows = (row for part in child.children for row in part.children)
            head, *others = ([TableCell(cell.children[0].content) for cell in row.children] for row in rows)
            yield TextTable([cell.text for cell in head], others, is_wide=True)
        elif child.type not in {"fence", "code_block"}:
            for item in child.children:
                mark = f"{item.info}{item.markup} "
                yield from _blocks_in(item, mark) if item.children else _of_lines([mark])
        elif child.content:
            yield Lines(child.content.removesuffix("\n").split("\n"), label="Code", indent=_CODE_INDENT)
        marker = ""


def _of_lines(lines: Sequence[str]) -> Iterator[Block]:
    """Yield what Markdown takes for one paragraph: lines further in are code for us, and a table needs no head."""
    kinds = groupby(lines, key=lambda line: (line.startswith(_CODE_INDENT), line.lstrip().startswith("|")))
    for (is_code, is_row), group in kinds:
        if is_code:
            yield Lines([line.removeprefix(_CODE_INDENT) for line in group], label="Code", indent=_CODE_INDENT)
        elif is_row:
            rows = [[TableCell(cell.strip()) for cell in line.strip().strip("|").split("|")] for line in group]
            yield TextTable((), rows, is_wide=True)
        elif text := " ".join(line.strip() for line in group).strip():
            yield Text(text, "hint")
