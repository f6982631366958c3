"""Blocks fit any width, in colour, whatever the characters, and rich prints them as they are."""

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from grader.core.report.plain import ATTRIBUTES, COLOURS, MAX_COLUMN, TextLine, columns, spread, to_terminal
from grader.core.report.view import TableCell, TextTable
from grader.core.text import sentence, show
from tests.support.rows import each_row

BAR = "  │ "
STYLES = ("", "bold", "dim", "italic", "green", "bold red", "bold magenta", "cyan", "yellow")
TEXTS = st.text(alphabet=st.sampled_from("ab,-. ä·→⏎…│日本е́e\u0301👍🏽👩\u200d🚀☕\ufe0f\U0001f1e8"), max_size=120)


def by_rich(shown: list[TextLine], width: int, *, no_color: bool = False) -> str:
    file = StringIO()
    plain = Console(file=file, width=width, no_color=no_color, force_terminal=True, color_system="standard")
    plain.print(*shown)
    return file.getvalue()


def by_ourselves(lines: list[TextLine], width: int) -> str:
    return to_terminal(lines, width, {**ATTRIBUTES, **COLOURS})


@given(text=TEXTS.map(lambda text: sentence(show(text))), width=st.integers(7, 60))
def test_a_line_fits_and_loses_nothing_but_blanks_where_it_is_broken(text: str, width: int) -> None:
    rows = list(TextLine(text, before="│").rows(width + 1))
    assert max(map(cell_len, rows)) <= width
    assert "".join("".join(rows).split()) == "".join(text.split())
    assert rows == [text] or len(spread(text)) >= width


@each_row
def test_a_line_is_broken_between_words_or_within_a_long_one(text: str, rows: list[str]) -> None:
    assert [row.rstrip() for row in TextLine(text, before="│").rows(9)] == rows


@given(text=TEXTS.map(show), width=st.integers(13, 60), style=st.sampled_from(STYLES))
def test_rich_prints_a_block_as_it_is(text: str, width: int, style: str) -> None:
    block = [TextLine(text, style, BAR), TextLine(before=BAR), TextLine("word " * 20, "green", BAR)]
    assert by_rich(block, width) == by_ourselves(block, width)


@given(
    names=st.lists(st.text(alphabet="abc -ä日", min_size=1, max_size=60).map(sentence), min_size=1, max_size=4),
    word=st.sampled_from(["full marks", "part of the points", "crashed", "cannot be read"]),
    points=st.sampled_from(["1 of 1", "87.25 of 100", "0.5 of 10 (bonus)", "1234.25 of 1234.5"]),
    width=st.integers(40, 130),
)
def test_a_table_fits_in_columns_or_without_them(names: list[str], word: str, points: str, width: int) -> None:
    table = TextTable(("test", "verdict", "points"), [[*map(TableCell, (one, word, points))] for one in names], "Tests")
    rows = columns(table)
    lines = by_ourselves([TextLine(row) for row in rows], width).splitlines()
    assert max(map(cell_len, lines)) <= width
    if max(map(cell_len, rows)) < width:  # a wide character may take a cell more
        assert lines == rows
        aligned = [line for line, name in zip(lines, ["", *names], strict=True) if len(spread(name)) <= MAX_COLUMN]
        assert {cell_len(line) for line in aligned} == {cell_len(lines[0])}
    assert "".join("".join(lines).split()).count("".join(points.split())) >= len(names)


@pytest.mark.parametrize("width", range(1, 40))
def test_no_width_is_too_small(width: int) -> None:
    assert "a" in by_ourselves([TextLine("a long name", before=BAR)], width)


def test_every_character_is_as_wide_as_rich_knows_it() -> None:
    characters = [
        chr(code)
        for code in (*range(0x20, 0x2600), *range(0x3000, 0x4DC0), *range(0x4E00, 0xD7A4))
        if chr(code).isprintable()
    ]
    assert [character for character in characters if cell_len(character) > len(spread(character))] == []
    assert len(spread("日本👍")) == 6


def test_without_colours_attributes_stay() -> None:
    line = [TextLine("a", "bold red")]
    assert to_terminal(line, 9, ATTRIBUTES) == by_rich(line, 9, no_color=True) == "\x1b[1ma\x1b[0m\n"
    assert to_terminal(line, 9, {}) == "a\n"
