"""What `Queens` of CMPS 12B, programming assignment 2, has to do: `cmps12b_pa2.py [-v] number`.

Prints the number of solutions, with `-v` all of them first. Anything but `-v` and a number gets the usage message on
standard error. The assignment fixes no exit status and leaves 0 open: here they are 1 and no number.

The functions that the assignment prescribes are here to be called one by one; the program has quicker ways. Their board
`B` has a row 0 and a column 0 more. `B[i][j]` is 1 for a queen, and -k for a square that k queens above attack;
`B[i][0]` is the column of the queen in row i, 0 when it has none.
"""

import sys
from collections.abc import Sequence

from queens import count, solutions

USAGE = """\
Usage: Queens [-v] number
Option: -v  verbose output, print all solutions
"""


def main(args: Sequence[str]) -> int:
    """Do what `args` ask for; returns the exit status."""
    verbose = args[:1] == ["-v"]
    n = number(args[1:] if verbose else args)
    if n is None:
        sys.stderr.write(USAGE)
        return 1
    total = listing(n) if verbose else count(n)
    print(f"{n}-Queens has {total} solutions")
    return 0


def number(args: Sequence[str]) -> int | None:
    """Read the only argument; None when it is no number from 1, or not the only one."""
    text = args[0] if len(args) == 1 else ""
    digits = text.isascii() and text.isdecimal()
    return (int(text) or None) if digits else None


def listing(n: int) -> int:
    """Print the solutions, one a line; returns how many there are."""
    total = 0
    for solution in solutions(n):
        print(f"({', '.join(map(str, solution))})")
        total += 1
    return total


# ruff: noqa: N802, N803  the names are the assignment's


def placeQueen(B: list[list[int]], i: int, j: int) -> None:
    """Put a queen on row `i`, column `j`."""
    B[i][j] += 1
    B[i][0] = j
    _attack(B, i, j, -1)


def removeQueen(B: list[list[int]], i: int, j: int) -> None:
    """Undo `placeQueen`."""
    B[i][j] -= 1
    B[i][0] = 0
    _attack(B, i, j, 1)


def _attack(board: list[list[int]], i: int, j: int, change: int) -> None:
    for k in range(i + 1, len(board)):
        for column in (j - (k - i), j, j + (k - i)):
            if 1 <= column < len(board):
                board[k][column] += change


def printBoard(B: list[list[int]]) -> None:
    """Print the solution on the board."""
    print(f"({', '.join(str(row[0]) for row in B[1:])})")


def findSolutions(B: list[list[int]], i: int, mode: str) -> int:
    """Count the solutions with the queens that are on the rows above `i`, and print them if `mode` is "verbose"."""
    if i == len(B):
        if mode == "verbose":
            printBoard(B)
        return 1
    total = 0
    for j in range(1, len(B)):
        if B[i][j] == 0:
            placeQueen(B, i, j)
            total += findSolutions(B, i + 1, mode)
            removeQueen(B, i, j)
    return total


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
