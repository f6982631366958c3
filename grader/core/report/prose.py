"""What an instructor wrote for people in a hint: paragraphs, code, tables, and addresses in them.

Of Markdown that is all there is, so that every other character stays as it was written: `B[i][0] * 2` is no markup.
markdown-it reads it, with the rules for just that; nothing of what it could render is used. Like all that is shown, the
text is printable already; a format adds its own quoting.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import groupby, zip_longest
from typing import Any, Literal

import msgspec

from grader.core.lazy import lazy_regex

_RULES = ("fence", "code", "table", "list", "backticks")
_CODE_INDENT = " " * 4
_LINK = lazy_regex(r"https?://[^\s<>\"`|]*[^\s<>\"`|.,;:!?'*)\]]")


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a paragraph or a cell; an address is a link."""

    text: str
    kind: Literal["", "code", "link"] = ""


Pieces = tuple[Piece, ...]


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """A paragraph, which is one row of one cell; lines of code, each a row of one cell; or the rows of a table."""

    kind: Literal["text", "code", "table"]
    rows: tuple[tuple[Pieces, ...], ...]
    has_head: bool = False
    """whether the first row of a table names its columns"""


def blocks(text: str) -> Iterator[Block]:
    """Take a text apart."""
    if text:
        tree = import_module("markdown_it.tree").SyntaxTreeNode(_markdown().parse(text))
        yield from _blocks_in(tree)


@cache
def _markdown() -> Any:
    return import_module("markdown_it").MarkdownIt("zero").enable(_RULES)


def _blocks_in(node: Any, marker: str = "") -> Iterator[Block]:
    """Yield what is in a document or in an item of a list, which begins with its marker."""
    for child in node.children:
        if child.type == "paragraph":
            yield from _of_lines(f"{marker}{child.children[0].content}".split("\n"))
        elif child.type == "table":
            rows = (row for part in child.children for row in part.children)
            cells = tuple(tuple(_pieces(cell.children[0].content) for cell in row.children) for row in rows)
            yield Block(kind="table", rows=cells, has_head=True)
        elif child.type in {"fence", "code_block"}:
            lines = child.content.removesuffix("\n").split("\n") if child.content else ()
            yield from _code(lines)
        else:
            for item in child.children:
                mark = f"{item.info}{item.markup} "
                yield from _blocks_in(item, mark) if item.children else _of_lines([mark])
        marker = ""


def _of_lines(lines: Sequence[str]) -> Iterator[Block]:
    """Yield what Markdown takes for one paragraph: lines further in are code for us, and a table needs no head."""
    for kind, group in groupby(lines, key=_kind_of_line):
        if kind == "code":
            yield from _code([line.removeprefix(_CODE_INDENT) for line in group])
        elif kind == "table":
            rows = (line.strip().strip("|").split("|") for line in group)
            yield Block(kind="table", rows=tuple(tuple(_pieces(cell.strip()) for cell in row) for row in rows))
        else:
            yield Block(kind="text", rows=((_pieces(" ".join(line.strip() for line in group)),),))


def _kind_of_line(line: str) -> Literal["text", "code", "table"]:
    if line.startswith(_CODE_INDENT):
        return "code"
    return "table" if line.lstrip().startswith("|") else "text"


def _code(lines: Iterable[str]) -> Iterator[Block]:
    if rows := tuple(((Piece(text=line, kind="code"),),) for line in lines):
        yield Block(kind="code", rows=rows)


def _pieces(text: str) -> Pieces:
    """Separate code and addresses from the text around them."""
    found: list[Piece] = []
    for token in _markdown().parseInline(text)[0].children:
        if token.type == "code_inline":
            found.append(Piece(text=token.content, kind="code"))
            continue
        end = 0
        for match in _LINK.finditer(token.content):
            found += [Piece(text=token.content[end : match.start()]), Piece(text=match[0], kind="link")]
            end = match.end()
        found.append(Piece(text=token.content[end:]))
    return tuple(piece for piece in found if piece.text)


def plain_lines(text: str) -> list[str]:
    """Write a text in lines for where nothing is drawn: code indented, a table in columns."""
    lines: list[str] = []
    for block in blocks(text):
        if block.kind == "code":
            lines += [_CODE_INDENT + row[0][0].text for row in block.rows]
            continue
        cells = [["".join(map(_in_plain, cell)) for cell in row] for row in block.rows]
        widths = [max(map(len, column)) for column in zip_longest(*cells, fillvalue="")]
        lines += ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
    return lines


def _in_plain(piece: Piece) -> str:
    return f"`{piece.text}`" if piece.kind == "code" else piece.text


def hint_lines(hint: str) -> list[str]:
    """Write a hint in lines, with the word for it; none when there is no hint."""
    first, *rest = plain_lines(hint) or [""]
    if not first:
        return []
    return ["Hint:", first, *rest] if first.startswith(_CODE_INDENT) else [f"Hint: {first}", *rest]
