"""What the programs of the eight-queens lecture of MIT 6.S095 have to do: `mit_eight_queens.py n`.

Prints every solution for n queens as a list that has the row of the queen in each column, counted from 0. The lecture
goes from a board that is a list of lists to one that is a list of rows; its `noConflicts` is here for both.
"""

import sys
from collections.abc import Sequence

from queens import solutions

Board = Sequence[int | Sequence[int]]
"""The row of the queen in each column, -1 for none; or rows of squares, 1 for a queen."""


def main(args: Sequence[str]) -> None:
    """Print the solutions for the number of queens in `args`."""
    for solution in solutions(int(args[0])):
        print([row - 1 for row in solution])


def no_conflicts(board: Board, current: int, *place: int) -> bool:
    """Whether the queen in column `current` is attacked by none in the columns before it.

    `place`, which goes with squares, is the row of the queen in question and the size of the board.
    """
    row = place[0] if place else _rows(board, current)[0]
    return not any(
        abs(row - other) in {0, current - column} for column in range(current) for other in _rows(board, column)
    )


def _rows(board: Board, column: int) -> list[int]:
    """Return the rows of the queens in a column."""
    squares = board[column]
    if isinstance(squares, int):
        return [] if squares < 0 else [squares]
    return [at for at, row in enumerate(board) if not isinstance(row, int) and row[column] == 1]


if __name__ == "__main__":
    main(sys.argv[1:])
