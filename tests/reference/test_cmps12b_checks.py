"""The check of CMPS 12B's boards, against those of the hand-out and those that programs make of them."""

import json

import pytest
from cmps12b_checks import board
from cmps12b_pa2 import placeQueen, removeQueen

from grader import Wrong
from tests.support.rows import each_row

ONE = [[0, 0, 0, 0, 0], [2, 0, 1, 0, 0], [0, -1, -1, -1, 0], [0, 0, -1, 0, -1], [0, 0, -1, 0, 0]]
TWO = [[0, 0, 0, 0, 0], [2, 0, 1, 0, 0], [4, -1, -1, -1, 1], [0, 0, -1, -1, -2], [0, 0, -2, 0, -1]]
NONE = [[0] * 5 for _ in range(5)]
ROW_0_USED = [[7, 1, -3, 0, 12], *TWO[1:]]
EARLIER = [[0, 1, 0, 0, 0], [-1, -1, -1, 1, 0], [0, -1, -1, -2, -1], [0, -2, 0, -1, -1], [-1, -1, 0, -1, 0]]
BOTH = " The queens stand one row and one column earlier, as if both counted from 0."
OWN_ROWS_USED = [TWO[0], [2, -1, 1, -1, -1], [4, 0, -2, 0, 1], *TWO[3:]]


@each_row
def test_a_board_of_the_hand_out_is_right(squares: list[list[int]], queens: str) -> None:
    board(squares, "4", queens)
    board(json.dumps(squares).encode(), "4", queens)


@pytest.mark.parametrize("queens", [[(1, 1)], [(3, 6)], [(8, 8)], [(1, 5), (2, 3), (3, 1), (4, 7), (5, 2), (6, 8)]])
def test_what_the_reference_places_is_right(queens: list[tuple[int, int]]) -> None:
    squares = [[0] * 9 for _ in range(9)]
    for row, column in queens:
        placeQueen(squares, row, column)
    board(squares, "8", " ".join(f"{row},{column}" for row, column in queens))
    for row, column in queens:
        removeQueen(squares, row, column)
    board(squares, "8")


def changed(row: int, column: int, value: int) -> list[list[int]]:
    """The board with two queens, but for one square."""
    squares = [list(line) for line in TWO]
    squares[row][column] = value
    return squares


@pytest.mark.parametrize(
    ("squares", "sentence"),
    [
        (changed(3, 4, -1), "`B[3][4]` is -1; -2 is expected: the queens on (1, 2) and (2, 4) above it attack it."),
        (changed(3, 2, 0), "`B[3][2]` is 0; -1 is expected: the queen on (1, 2) above it attacks it."),
        (changed(4, 3, -1), "`B[4][3]` is -1; 0 is expected: no queen above attacks it."),
        (changed(2, 4, 0), "`B[2][4]` is 0; 1 is expected: a queen is there."),
        (changed(2, 0, 3), "`B[2][0]` is 3; 4 is expected: the queen of row 2 is in column 4."),
        (
            changed(3, 0, -1),
            "`B[3][0]` is -1; 0 is expected: row 3 has no queen. Column 0 is no square: columns count from 1.",
        ),
        (EARLIER, f"`B[1][0]` is -1; 2 is expected: the queen of row 1 is in column 2.{BOTH}"),
        ([[], *EARLIER[1:]], "`B[1][0]` is -1; 2 is expected: the queen of row 1 is in column 2."),
        ([None, *EARLIER[1:]], "`B[1][0]` is -1; 2 is expected: the queen of row 1 is in column 2."),
        (changed(3, 0, 1), "`B[3][0]` is 1; 0 is expected: row 3 has no queen."),
        (TWO[:4], "The board should have 5 rows and columns as before, and has other ones."),
        ([*TWO[:4], None], "The board should have 5 rows and columns as before, and has other ones."),
        ([*TWO[:4], [0, 0]], "The board should have 5 rows and columns as before, and has other ones."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_another_board_is_told(squares: list[list[int]], sentence: str) -> None:
    with pytest.raises(Wrong) as told:
        board(squares, "4", "1,2 2,4")
    assert str(told.value) == sentence
