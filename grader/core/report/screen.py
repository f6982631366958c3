"""Lines in colour for a terminal, wrapped to its width, without a library.

rich takes longer to import than a small program takes to run, and a student waits for it. Where rich prints other
things, it prints these lines as well.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from grader.core.lazy import lazy_call

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

ScreenRow = tuple[str, str, str]
"""what stands before a text, the text, and its style, such as `bold green`"""

ATTRIBUTES: Mapping[str, str] = {"bold": "1", "dim": "2", "italic": "3"}
COLOURS: Mapping[str, str] = {"red": "31", "green": "32", "yellow": "33", "magenta": "35", "cyan": "36"}
"""words of a style -> the parameter of the terminal's sequence (ECMA-48, SGR)"""

_segment, _width = lazy_call("rich.segment", "Segment"), lazy_call("unicodedata", "east_asian_width")


def to_terminal(rows: Iterable[ScreenRow], codes: Mapping[str, str]) -> str:
    """Write rows, with those words of the styles that `codes` has."""
    lines = []
    for before, text, style in rows:
        parameters = ";".join(codes[word] for word in style.split() if word in codes)
        lines.append(f"{before}\x1b[{parameters}m{text}\x1b[0m\n" if parameters and text else f"{before}{text}\n")
    return "".join(lines)


class TextLine(NamedTuple):
    """A printable text in one style, with something before its first row and before the others."""

    text: str = ""
    style: str = ""
    first: str = ""
    rest: str = ""

    def rows(self, width: int) -> Iterator[ScreenRow]:
        """Wrap it between words, or within one that is too long."""
        text = spread(self.text)
        if len(text) > width and not self.rest:  # a row of a table gives up its columns
            text = re.sub(" {3,}", "  ", text)
        # A wide character may be torn from its filler, and then takes one cell more.
        room = max(width - len(self.rest) - (not text.isascii()), 1)
        for number, row in enumerate(wrap(text, room, break_on_hyphens=False) or [""]):
            yield self.rest if number else self.first, row.replace("\0", ""), self.style


def barred(text: str = "", style: str = "") -> TextLine:
    """Put a bar before a text; what is wrapped is indented behind the bar."""
    return TextLine(text, style, "  │ ", "  │   ")


class Screen(NamedTuple):
    """Lines below each other; with `reserved` rows for others, a terminal shows the first ones that fit."""

    lines: Sequence[TextLine]
    reserved: int | None = None

    def rows(self, width: int, height: int | None = None) -> list[ScreenRow]:
        """Lay them out for a width in cells; `height` is that of a terminal, and None of anything else."""
        rows = [row for line in self.lines for row in line.rows(width)]
        most = len(rows) if height is None or self.reserved is None else max(height - self.reserved, 1)
        return rows if len(rows) <= most else [*rows[: most - 1], ("", "…", "")]

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        """Let rich print it."""
        for before, text, style in self.rows(options.max_width, console.size.height if console.is_terminal else None):
            yield from (_segment(before), _segment(text, console.get_style(style)), _segment("\n"))


def spread(text: str) -> str:
    """Put a filler behind each character that takes two cells of a terminal, so that the length is the width."""
    return text if text.isascii() else "".join(one + "\0" * (_width(one) in "WF") for one in text)
