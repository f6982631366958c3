"""The check of CMPS 12B's boards, against those of the hand-out and those that programs make of them."""

import json
from typing import Any

import pytest
from cmps12b_checks import board
from cmps12b_pa2 import placeQueen, removeQueen

from tests.support.rows import each_row
from tests.support.wrong import complaint

ONE = [[0, 0, 0, 0, 0], [2, 0, 1, 0, 0], [0, -1, -1, -1, 0], [0, 0, -1, 0, -1], [0, 0, -1, 0, 0]]
TWO = [[0, 0, 0, 0, 0], [2, 0, 1, 0, 0], [4, -1, -1, -1, 1], [0, 0, -1, -1, -2], [0, 0, -2, 0, -1]]
NONE = [[0] * 5 for _ in range(5)]
ROW_0_USED = [[7, 1, -3, 0, 12], *TWO[1:]]
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


@each_row
def test_another_board_is_told(squares: Any, sentence: str) -> None:
    assert complaint(board, squares, "4", "1,2 2,4") == sentence
