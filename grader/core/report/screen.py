"""Lines in colour for a terminal, wrapped to its width, and a small table, without a library.

rich lays the same texts out in the same way (`tests/core/report/test_report_screen.py` compares), but takes longer to
import than a small program takes to run, and a student waits for it. Where rich prints other things, it prints these
blocks as well. Only the widths of characters that are not Western are looked up in its tables.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from grader.core.lazy import lazy_call, lazy_regex

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

StyledText = tuple[str, str]
"""a text and its style, such as `bold green`; empty for none"""
ScreenRow = Sequence[StyledText]
"""what stands in one row of a terminal"""

ATTRIBUTES: Mapping[str, str] = {"bold": "1", "dim": "2", "italic": "3"}
COLOURS: Mapping[str, str] = {"red": "31", "green": "32", "yellow": "33", "magenta": "35", "cyan": "36"}
"""words of a style -> the parameter of the terminal's sequence (ECMA-48, SGR)"""

_WORD = lazy_regex(r"\s*\S+\s*")
_TAB = 8
_RANGES = ((0x20, 0x7F), (0xA1, 0xAD), (0xAE, 0x300), (0x2010, 0x2028), (0x2190, 0x2194), (0x2500, 0x254B))
_ONE_CELL = frozenset(chr(code) for first, end in _RANGES for code in range(first, end)) | {"⏎"}
"""characters that are one cell wide: Latin ones, dashes and quotes, and the signs of `differences.py`"""

_measure, _chop = lazy_call("rich.cells", "cell_len"), lazy_call("rich.cells", "chop_cells")
_segment = lazy_call("rich.segment", "Segment")


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
    """A text in one style. It is wrapped between words, and a word that is too long anywhere."""

    def __init__(self, text: str = "", style: str = "", indent: int = 0) -> None:
        """Take a printable text, and the blanks before each of its rows."""
        self.plain, self.style, self.indent = text, style, indent

    def rows(self, width: int, height: int | None = None) -> Iterator[ScreenRow]:  # noqa: ARG002 - the same everywhere
        """Lay it out; the rows of an indented one are equally long."""
        if not self.indent:
            yield from ([(row, self.style)] for row in wrap(self.plain, width))
            return
        inner = max(min(cells(self.plain), width - self.indent), 1)
        for row in wrap(self.plain, inner):
            yield [(" " * self.indent, ""), (row, self.style), (" " * (inner - cells(row)), "")]


class Barred(ScreenBlock):
    """Lines of text, each with a bar before it; what is wrapped is indented behind the bar."""

    def __init__(self, *lines: TextLine) -> None:
        """Take the lines without their bars."""
        self.lines = lines

    def rows(self, width: int, height: int | None = None) -> Iterator[ScreenRow]:  # noqa: ARG002 - the same everywhere
        """Lay them out."""
        for line in self.lines:
            bar = "  │ "
            for row in wrap(line.plain, max(width - 6, 1)):
                yield [(bar, ""), (row, line.style)]
                bar = "  │   "


class Stack(ScreenBlock):
    """Blocks below each other."""

    def __init__(self, *parts: ScreenBlock) -> None:
        """Take the blocks."""
        self.parts = parts

    def rows(self, width: int, height: int | None = None) -> Iterator[ScreenRow]:
        """Lay them out."""
        for part in self.parts:
            yield from part.rows(width, height)


class Fitted(Stack):
    """Blocks of which a terminal shows as many rows as fit, the last ones; all of them elsewhere."""

    def __init__(self, *parts: ScreenBlock, reserved: int) -> None:
        """Take the blocks, and the number of rows that are printed besides."""
        super().__init__(*parts)
        self.reserved = reserved

    def rows(self, width: int, height: int | None = None) -> Iterator[ScreenRow]:
        """Lay them out."""
        rows = list(super().rows(width))
        most = len(rows) if height is None else max(height - self.reserved, 1)
        if len(rows) > most:
            yield [("…", "")]
            rows = rows[len(rows) - most + 1 :]
        yield from rows


class ScreenTable(ScreenBlock):
    """Columns of texts, two blanks apart. The last one is aligned right and never wrapped; only the first is folded."""

    def __init__(self, head: Sequence[str], body: Iterable[ScreenRow]) -> None:
        """Take the headings, and rows of as many cells."""
        self.lines = [[(text, "bold") for text in head], *body]

    def rows(self, width: int, height: int | None = None) -> Iterator[ScreenRow]:  # noqa: ARG002 - the same everywhere
        """Lay it out."""
        widths = self._fit_columns(width)
        for number, line in enumerate(self.lines):
            *texts, last = (
                list(wrap(text, room, fold=column == 0) if column < len(widths) - 1 else [text])
                for column, ((text, _), room) in enumerate(zip(line, widths, strict=True))
            )
            gap = (" ", "" if number else "bold")
            for at in range(max(map(len, [*texts, last]))):
                row: list[StyledText] = []
                for rows, (_, style), room in zip(texts, line, widths, strict=False):
                    text = rows[at] if at < len(rows) else ""
                    row += [(text + " " * (room - cells(text)), style if at < len(rows) else ""), gap, gap]
                text = last[at] if at < len(last) else ""
                yield [*row, (" " * (widths[-1] - cells(text)) + text, line[-1][1])]

    def _fit_columns(self, width: int) -> list[int]:
        """Return the width of each column without the blanks between: the widest columns are made narrower."""
        columns = list(zip(*self.lines, strict=True))
        gaps = [1, *[2] * (len(columns) - 2), 1]  # between two columns, each has one of the blanks
        whole = [max(cells(text) for text, _ in column) + gap for column, gap in zip(columns, gaps, strict=True)]
        while (excess := sum(whole) - width) > 0 and (widest := max(whole[:-1])) > 1:
            shrinking = [column for column, room in enumerate(whole[:-1]) if room == widest]
            step = widest - max((room for room in whole[:-1] if room != widest), default=0)
            for place, column in enumerate(shrinking):
                share = min(step, round(excess / (len(shrinking) - place)))
                whole[column] -= share
                excess -= share
        return [max(room - gap, 1) for room, gap in zip(whole, gaps, strict=True)]


def wrap(text: str, width: int, *, fold: bool = True) -> Iterator[str]:
    """Yield the rows of a text; words that are longer than the width are folded, or else end with `…`."""
    for line in text.split("\n"):
        for row in _break(_expand_tabs(line), width, fold=fold):
            kept = row[: max(len(row.rstrip()), width)]
            over = cells(kept) - width
            if over > 0:
                kept = kept[:-over] if fold else f"{kept[: width - 1]}…"
            yield kept


def _break(line: str, width: int, *, fold: bool) -> Iterator[str]:
    """Break a line where it is too long; the blanks behind a word stay with it, and may stand beyond the width."""
    row, used = "", 0
    for word in _WORD.findall(line):
        room = cells(word.rstrip())
        if used + room <= width:
            row, used = row + word, used + cells(word)
            continue
        if row:
            yield row
        row = word
        if fold and room > width:
            *pieces, last = _fold(word, width)
            yield from pieces
            row = word[sum(map(len, pieces)) :] if pieces else last
        used = cells(row)
    yield row or line


def _fold(word: str, width: int) -> list[str]:
    if _is_narrow(word):
        return [word[start : start + width] for start in range(0, len(word), width)]
    pieces: list[str] = _chop(word, width)
    return pieces


def _expand_tabs(line: str) -> str:
    before, tab, after = line.partition("\t")
    while tab:
        before += " " * (_TAB - cells(before) % _TAB)
        part, tab, after = after.partition("\t")
        before += part
    return before


def cells(text: str) -> int:
    """Return how wide a printable text is on a terminal."""
    width: int = len(text) if _is_narrow(text) else _measure(text)
    return width


def _is_narrow(text: str) -> bool:
    return text.isascii() or _ONE_CELL.issuperset(text)
