"""Lines in colour for a terminal, wrapped to its width, and a small table, without a library.

rich takes longer to import than a small program takes to run, and a student waits for it. Where rich prints other
things, it prints these blocks as well.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from grader.core.lazy import lazy_call

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

StyledText = tuple[str, str]
"""a text and its style, such as `bold green`; empty for none"""
ScreenRow = Sequence[StyledText]
"""what stands in one row of a terminal"""

ATTRIBUTES: Mapping[str, str] = {"bold": "1", "dim": "2", "italic": "3"}
COLOURS: Mapping[str, str] = {"red": "31", "green": "32", "yellow": "33", "magenta": "35", "cyan": "36"}
"""words of a style -> the parameter of the terminal's sequence (ECMA-48, SGR)"""

_segment = lazy_call("rich.segment", "Segment")
_category, _width = lazy_call("unicodedata", "category"), lazy_call("unicodedata", "east_asian_width")


def to_terminal(rows: Iterable[ScreenRow], codes: Mapping[str, str]) -> str:
    """Write rows, with those words of the styles that `codes` has."""
    return "".join("".join(_in_style(*span, codes) for span in row) + "\n" for row in rows)


def _in_style(text: str, style: str, codes: Mapping[str, str]) -> str:
    parameters = ";".join(codes[word] for word in style.split() if word in codes)
    return f"\x1b[{parameters}m{text}\x1b[0m" if parameters and text else text


class ScreenBlock:
    """What is laid out in rows."""

    def rows(self, width: int, height: int | None = None) -> Iterator[ScreenRow]:
        """Lay it out for a width in cells; `height` is that of a terminal, and None of anything else."""
        raise NotImplementedError

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        """Let rich print it."""
        for row in self.rows(options.max_width, console.size.height if console.is_terminal else None):
            yield from (_segment(text, console.get_style(style)) for text, style in row)
            yield _segment("\n")


class TextLine(ScreenBlock):
    """A text in one style, wrapped between words, with something before its first row and before the others."""

    def __init__(self, text: str = "", style: str = "", first: str = "", rest: str = "") -> None:
        """Take a printable text."""
        self.text, self.style, self.first, self.rest = text, style, first, rest

    def rows(self, width: int, height: int | None = None) -> Iterator[ScreenRow]:  # noqa: ARG002 - the same everywhere
        """Lay it out."""
        before = self.first
        for row in wrap(self.text, max(width - len(self.rest), 1)):
            yield [(before, ""), (row, self.style)]
            before = self.rest


def barred(text: str = "", style: str = "") -> TextLine:
    """Put a bar before a text; what is wrapped is indented behind the bar."""
    return TextLine(text, style, "  │ ", "  │   ")


class Stack(ScreenBlock):
    """Blocks below each other; with `reserved` rows for others, a terminal shows the last ones that fit."""

    def __init__(self, *parts: ScreenBlock, reserved: int | None = None) -> None:
        """Take the blocks, and the number of rows that are printed besides."""
        self.parts, self.reserved = parts, reserved

    def rows(self, width: int, height: int | None = None) -> Iterator[ScreenRow]:
        """Lay them out."""
        rows = [row for part in self.parts for row in part.rows(width)]
        most = len(rows) if height is None or self.reserved is None else max(height - self.reserved, 1)
        if len(rows) > most:
            yield [("…", "")]
            rows = rows[len(rows) - most + 1 :]
        yield from rows


class ScreenTable(ScreenBlock):
    """Columns of texts, two blanks apart. The last one is aligned right and never wrapped."""

    def __init__(self, *lines: ScreenRow) -> None:
        """Take rows of as many cells, the headings first."""
        self.lines = lines

    def rows(self, width: int, height: int | None = None) -> Iterator[ScreenRow]:  # noqa: ARG002 - the same everywhere
        """Lay it out; the widest columns are made narrower until all fit."""
        *rooms, last = (max(cells(text) for text, _ in column) for column in zip(*self.lines, strict=True))
        while sum(rooms) + 2 * len(rooms) + last > width and max(rooms) > 1:
            rooms[rooms.index(max(rooms))] -= 1
        for *line, (points, style) in self.lines:
            wrapped = [list(wrap(text, room)) for (text, _), room in zip(line, rooms, strict=True)]
            for place in range(max(map(len, wrapped))):
                row: list[StyledText] = []
                for parts, (_, of_cell), room in zip(wrapped, line, rooms, strict=True):
                    text = parts[place] if place < len(parts) else ""
                    row += [(text, of_cell), (" " * (room - cells(text) + 2), "")]
                yield [*row, (" " * (last - cells(points)), ""), (points, style)] if place == 0 else row[:-1]


def wrap(text: str, width: int) -> Iterator[str]:
    """Yield the rows of a text: each is broken between words, or within one that is too long."""
    for line in text.expandtabs().split("\n"):
        rest = line
        while cells(rest) > width:
            end = width if rest.isascii() else max(1, _fitting(rest, width))
            blank = rest.rfind(" ", 0, end + 1) + 1
            end = blank if rest[:blank].strip() else end
            yield rest[:end].rstrip(" ")
            rest = rest[end:]
        yield rest


def _fitting(text: str, width: int) -> int:
    """Return how many characters fit."""
    used = 0
    for place, character in enumerate(text):
        used += cells(character)
        if used > width:
            return place
    return len(text)


def cells(text: str) -> int:
    """Return how wide a printable text is on a terminal."""
    if text.isascii():
        return len(text)
    return sum(2 if _width(one) in "WF" else _category(one) not in {"Mn", "Me"} for one in text)
