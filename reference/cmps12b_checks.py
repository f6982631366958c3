"""Whether a board `B` of CMPS 12B shows its queens as the hand-out says.

B[i][j], from 1 to n, is 1 for a queen and -k for a square that k queens above attack; B[i][0] is the column of the
queen in row i, or 0. What is in row 0 is not specified, and a program may keep there what it likes; so it may beside
a queen in the queen's own row, which nothing reads while that is there. Whether a square is counted up to 1 or set to
it, and whether a queen attacks beyond another one, shows on no board whose queens leave each other in peace, so that
either will do.
"""

import json
import re
from collections.abc import Sequence

from grader import Wrong

Square = tuple[int, int]
"""row and column; told here, since a check goes to students with all that it imports"""

SQUARE = re.compile(r"(\d+),(\d+)")


def board(squares: Sequence[Sequence[int]] | bytes, n: str, queens: str = "") -> None:
    """Ask for the board of `n` by `n` with `queens`, such as "1,2 2,4": row and column of each, from 1."""
    rows = json.loads(squares) if isinstance(squares, bytes) else squares
    size = int(n)
    # A program may also leave null where a row was.
    if [len(row or ()) for row in rows[1:]] != [size + 1] * size:
        raise Wrong(f"The board should have {size + 1} rows and columns as before, and has other ones.")
    placed = [(int(row), int(column)) for row, column in SQUARE.findall(queens)]
    for row in range(1, size + 1):
        own = next((column for line, column in placed if line == row), None)
        for column in range(size + 1) if own is None else (0, own):
            wanted, why = _square((row, column), placed)
            if rows[row][column] != wanted:
                raise Wrong(
                    f"`B[{row}][{column}]` is {rows[row][column]}; {wanted} is expected: {why}.{_from_0(rows, placed)}"
                )


def _from_0(rows: Sequence[Sequence[int]], placed: Sequence[Square]) -> str:
    """Say that columns are counted from 0, where attacks on column 0 are marked, or both, where the queens stand so."""
    attacked = [row for row in range(1, len(rows)) for line, own in placed if row > line and own in (0, row - line)]
    if attacked and all(rows[row][0] < 0 for row in attacked):
        return " Column 0 is no square: columns count from 1."
    earlier = [(rows[row - 1] or ())[column - 1 : column] for row, column in placed]
    if placed and all(list(one) == [1] for one in earlier) and all(rows[row][column] != 1 for row, column in placed):
        return " The queens stand one row and one column earlier, as if both counted from 0."
    return ""


def _square(at: Square, queens: Sequence[Square]) -> tuple[int, str]:
    """Return what a square of the board holds, and the reason."""
    row, column = at
    if column == 0:
        there = next((other for line, other in queens if line == row), 0)
        return there, f"the queen of row {row} is in column {there}" if there else f"row {row} has no queen"
    if at in queens:
        return 1, "a queen is there"
    above = [queen for queen in queens if queen[0] < row and abs(queen[1] - column) in (0, row - queen[0])]
    if not above:
        return 0, "no queen above attacks it"
    named = " and ".join(f"({line}, {other})" for line, other in above)
    attack = f"queen on {named} above it attacks" if len(above) == 1 else f"queens on {named} above it attack"
    return -len(above), f"the {attack} it"
