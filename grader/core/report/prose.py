"""What an instructor wrote for people in a hint: paragraphs, code, tables, and addresses in them.

Of Markdown that is all there is, so that every other character stays as it was written: `B[i][0] * 2` is no markup.
Like all that is shown, the text is printable already; a format adds its own quoting.
"""

import re
from collections.abc import Iterator
from itertools import groupby, zip_longest
from typing import Literal

import msgspec

from grader.core.lazy import lazy_regex

_FENCE = "```"
_CODE_INDENT = " " * 4
_RULE = lazy_regex(r"[\s|:-]*-[\s|:-]*")
"""the line below the head of a table"""
_PIECES = lazy_regex(r"(?P<code>`[^`]+`)|(?P<link>https?://[^\s<>\"`|]*[^\s<>\"`|.,;:!?'*)\]])")


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
    for (kind, _), group in groupby(_labelled(text), key=lambda labelled: labelled[0]):
        lines = [line for _, line in group]
        if kind == "code":
            yield Block(kind="code", rows=tuple(((Piece(text=line, kind="code"),),) for line in lines))
        elif kind == "table":
            has_head = len(lines) > 1 and _RULE.fullmatch(lines[1]) is not None
            rows = [line.strip("|").split("|") for line in lines if not _RULE.fullmatch(line)]
            cells = tuple(tuple(_pieces(cell.strip()) for cell in row) for row in rows)
            yield Block(kind="table", rows=cells, has_head=has_head)
        else:
            yield Block(kind="text", rows=((_pieces(" ".join(lines)),),))


def _labelled(text: str) -> Iterator[tuple[tuple[Literal["text", "code", "table"], int], str]]:
    """Say of each line which block it is in. A hyphen at its start begins a paragraph, as a blank line does."""
    number, is_fenced = 0, False
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith(_FENCE):
            number, is_fenced = number + 1, not is_fenced
        elif is_fenced or (bare and line.startswith(_CODE_INDENT)):
            yield ("code", number), line if is_fenced else line.removeprefix(_CODE_INDENT)
        elif bare.startswith("|"):
            yield ("table", number), bare
        else:
            number += not bare or bare.startswith("- ")
            if bare:
                yield ("text", number), bare


def _pieces(text: str) -> Pieces:
    """Tell code and addresses from what stands around them."""
    found: list[Piece] = []
    end = 0
    for match in _PIECES.finditer(text):
        found += [Piece(text=text[end : match.start()]), _marked(match)]
        end = match.end()
    return tuple(piece for piece in (*found, Piece(text=text[end:])) if piece.text)


def _marked(match: re.Match[str]) -> Piece:
    return Piece(text=match[0].strip("`"), kind="code") if match["code"] else Piece(text=match[0], kind="link")


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
