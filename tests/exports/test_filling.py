from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from grader.exports.platforms import CsvTable, decimal_mark, read_table, to_number
from grader.exports.request import Template
from tests.support.rows import each_row

CELL = st.text(st.sampled_from('ab ,;"\n\r\t=é'), max_size=8)


def table(text: str) -> CsvTable:
    return read_table(Template(name="x.csv", content=text.encode()))


def quoted(cells: list[str]) -> str:
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)


@given(st.lists(st.lists(CELL, min_size=1, max_size=4), min_size=1, max_size=4), st.sampled_from(["\n", "\r\n", ""]))
def test_a_table_comes_back_as_it_was(rows: list[list[str]], end: str) -> None:
    text = "\n".join(quoted(row) for row in [["a", "b", "c"], *rows]) + end
    read = table(text)
    assert read.filled({}) == text.encode()
    assert [read.values(number) for number in range(len(read.rows))] == [["a", "b", "c"], *rows]


@given(CELL)
def test_a_filled_cell_says_what_was_put_there(value: str) -> None:
    for text in ("a,b\n1,2\n", 'a,b\n"1","2"\n', "a,b\n1\n"):
        content = table(text).filled({(1, 1): value})
        assert table(content.decode()).value(1, 1) == value


@each_row
def test_how_a_file_is_read(text: str, delimiter: str, rows: list[list[str]]) -> None:
    read = table(text)
    assert read.delimiter == delimiter
    assert [read.values(number) for number in range(len(read.rows))] == rows


@each_row
def test_numbers_are_read_with_either_mark(text: str, number: Fraction | None) -> None:
    assert to_number(text) == number


@each_row
def test_the_decimal_mark_is_the_files_own(text: str, mark: str) -> None:
    assert decimal_mark(table(text), [0, 1]) == mark
