"""The ten functions of COMP 333 against the sentences of the hand-out, and a whole search made of them alone."""

import comp333_queens_functions as functions
import pytest
from comp333_queens_java import listing

from tests.support.rows import each_row

EXAMPLE = (7, 3, 0, 2, 5, 1, 6)
"""The hand-out's example of positions; its last column has no queen yet."""


@pytest.fixture(autouse=True)
def an_empty_board() -> None:
    functions.initQueensPositions()
    functions.initStates()


def place(rows: tuple[int, ...]) -> None:
    for column, row in enumerate(rows):
        functions.setQueenPosition(column, row)


def test_positions_are_kept() -> None:
    place(EXAMPLE)
    assert [functions.getQueenPosition(column) for column in range(8)] == [*EXAMPLE, -1]
    assert functions.getPositionsSnapshot() == "7 3 0 2 5 1 6 -1"
    functions.initQueensPositions()
    assert functions.getPositionsSnapshot() == "-1 -1 -1 -1 -1 -1 -1 -1"


@each_row
def test_two_queens_attack_each_other_in_a_row_and_on_both_diagonals(
    a: int, pos: int, b: int, conflicts: set[int]
) -> None:
    functions.setQueenPosition(a, pos)
    assert {row for row in range(8) if functions.hasConflict(a, b, row)} == conflicts


def test_conflicts_are_with_the_columns_before_only() -> None:
    place(EXAMPLE)
    assert [row for row in range(8) if not functions.hasConflictCumulative(7, row)] == [4]
    assert [row for row in range(8) if not functions.hasConflictCumulative(3, row)] == [2, 6]
    assert not any(functions.hasConflictCumulative(0, row) for row in range(8))


def test_rows_are_tried_one_after_the_other() -> None:
    for row in range(8):
        assert functions.getUntriedPosition(3) == row
        functions.setPositionTried(3)
    assert functions.getUntriedPosition(3) == -1
    assert functions.getUntriedPosition(2) == 0
    functions.setAllPositionsUntried(3)
    assert functions.getUntriedPosition(3) == 0


def test_a_search_made_of_them_finds_all_solutions() -> None:
    found = []
    column = 0
    while column >= 0:
        if column == 8:
            found.append(tuple(map(functions.getQueenPosition, range(8))))
            column -= 1
        elif (row := functions.getUntriedPosition(column)) == -1:
            functions.setAllPositionsUntried(column)
            column -= 1
        else:
            functions.setPositionTried(column)
            if not functions.hasConflictCumulative(column, row):
                functions.setQueenPosition(column, row)
                column += 1
    assert found == list(listing(8))
