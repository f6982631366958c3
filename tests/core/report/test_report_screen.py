"""Blocks are laid out as rich lays out the same texts: in any width, in colour, and whatever the characters."""

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.core.report.screen import (
    ATTRIBUTES,
    COLOURS,
    Barred,
    Fitted,
    ScreenBlock,
    ScreenTable,
    TextLine,
    cells,
    to_terminal,
)
from grader.core.text import sentence, show

STYLES = ("", "bold", "dim", "italic", "green", "bold red", "bold magenta", "cyan", "yellow")
TEXTS = st.text(alphabet=st.sampled_from("ab,-. ä·→⏎…│日本е́e\u0301👍🏽👩\u200d🚀☕\ufe0f\U0001f1e8"), max_size=120)


def by_rich(shown: RenderableType, width: int, *, no_color: bool = False) -> str:
    file = StringIO()
    plain = Console(
        file=file,
        width=width,
        markup=False,
        emoji=False,
        highlight=False,
        no_color=no_color,
        force_terminal=True,
        color_system="standard",
    )
    plain.print(shown)
    return file.getvalue()


def by_ourselves(block: ScreenBlock, width: int) -> str:
    return to_terminal(block.rows(width), {**ATTRIBUTES, **COLOURS})


@given(text=TEXTS.map(lambda text: sentence(show(text))), width=st.integers(7, 60), style=st.sampled_from(STYLES))
def test_a_line_is_wrapped_as_by_rich(text: str, width: int, style: str) -> None:
    line = TextLine(text, style)
    assert by_ourselves(line, width) == by_rich(Text(text, style, overflow="fold"), width)
    name = f"a{text}"
    padding = Padding(Text(name, style), (0, 0, 0, 2), expand=False)
    assert by_ourselves(TextLine(name, style, indent=2), width) == by_rich(padding, width)


@given(text=st.text(alphabet="ab ä日\t", max_size=60).map(sentence), width=st.integers(7, 60))
def test_tabs_are_expanded_as_by_rich(text: str, width: int) -> None:
    assert by_ourselves(TextLine(text), width) == by_rich(Text(text, overflow="fold"), width)


@given(text=TEXTS.map(show), width=st.integers(13, 60), style=st.sampled_from(STYLES))
def test_rich_prints_a_block_as_it_is(text: str, width: int, style: str) -> None:
    block = Barred(TextLine(text, style), TextLine(), TextLine("word " * 20, "green"))
    assert by_rich(block, width) == by_ourselves(block, width)


@given(
    names=st.lists(st.text(alphabet="abc -ä日", min_size=1, max_size=60).map(sentence), min_size=1, max_size=4),
    word=st.sampled_from(["full marks", "part of the points", "crashed", "cannot be read"]),
    points=st.sampled_from(["1 of 1", "87.25 of 100", "0.5 of 10 (bonus)", "1234.25 of 1234.5"]),
    width=st.integers(40, 130),
)
def test_a_table_is_as_wide_as_by_rich(names: list[str], word: str, points: str, width: int) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("test", overflow="fold")
    table.add_column("verdict")
    table.add_column("points", justify="right", no_wrap=True)
    for name in names:
        table.add_row(Text(name), Text(word, style="green"), Text(points))
    block = ScreenTable(["test", "verdict", "points"], [[(name, ""), (word, "green"), (points, "")] for name in names])
    assert by_ourselves(block, width) == by_rich(table, width)


@pytest.mark.parametrize("width", range(1, 40))
def test_no_width_is_too_small(width: int) -> None:
    block = ScreenTable(["test", "verdict", "points"], [[("a long name", ""), ("full marks", "green"), ("1 of 1", "")]])
    assert "1 of 1" in by_ourselves(block, width)
    assert "a" in by_ourselves(Barred(TextLine("a long name")), width)


def test_a_character_that_is_not_looked_up_is_one_cell_wide() -> None:
    short = [chr(code) for code in range(0x20, 0x3000) if chr(code).isprintable() and cells(chr(code)) == 1]
    assert [character for character in short if cell_len(character) != 1] == []
    assert cells("日本") == 4


def test_a_terminal_shows_the_last_rows_and_nothing_else_is_cut() -> None:
    block = Fitted(*(TextLine(str(number)) for number in range(9)), reserved=2)
    assert [row[0][0] for row in block.rows(80, height=6)] == ["…", "6", "7", "8"]
    assert len(list(block.rows(80))) == len(list(block.rows(80, height=11))) == 9


def test_without_colours_attributes_stay() -> None:
    line = TextLine("a", "bold red")
    assert (
        to_terminal(line.rows(9), ATTRIBUTES) == by_rich(Text("a", "bold red"), 9, no_color=True) == "\x1b[1ma\x1b[0m\n"
    )
    assert to_terminal(line.rows(9), {}) == "a\n"
