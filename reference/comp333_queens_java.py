"""What `NQueens` of COMP 333 has to do: `comp333_queens_java.py number [trace]`.

A placement has the row of the queen in each column, both counted from 0. Columns are filled from the left, and in each
the rows are tried from the top. Without `trace` every solution is printed in that order, then how many there are. With
it the board is drawn after each placement up to the first solution, and once more when that is found.
"""

import sys
from collections.abc import Generator, Iterator, Sequence

from queens import Placement, solutions

USAGE = "Usage: NQueens number [trace]"

queenPos: list[int] = []  # noqa: N816  the assignment's name
"""The row of the queen in each column, for `nc`."""


def nc(a: int, b: int) -> bool:
    """Whether the queens in the columns `a` and `b` do not attack each other, as `queenPos` has them."""
    apart = abs(queenPos[a] - queenPos[b])
    return apart not in {0, abs(a - b)}


def listing(n: int) -> Iterator[Placement]:
    """Find every solution, in the order of the search: a board turned over its diagonal keeps its queens peaceful."""
    return (tuple(row - 1 for row in solution) for solution in solutions(n))


def placements(n: int) -> Iterator[Placement]:
    """Follow the search to its first solution, or to its end: what is on the board after each queen that is placed."""

    def further(rows: Placement) -> Generator[Placement, None, bool]:
        for row in range(n):
            if all(abs(row - other) not in {0, len(rows) - column} for column, other in enumerate(rows)):
                placed = (*rows, row)
                yield placed
                if len(placed) == n or (yield from further(placed)):
                    return True
        return False

    return further(())


def snapshot(rows: Placement, n: int) -> str:
    """Draw the board with the queens placed so far."""
    across = " ".join(map(str, range(n)))
    board = [f"{row}: " + " ".join("Q" if row == other else " " for other in rows) for row in range(n)]
    return "\n".join(["Snapshot", f"   {across}", f"   {'-' * len(across)}", *(line.rstrip() for line in board)])


def main(args: Sequence[str]) -> int:
    """Do what `args` ask for; returns the exit status."""
    match args:
        case [number, "trace"] if number.isdecimal():
            trace(int(number))
        case [number] if number.isdecimal():
            found = list(listing(int(number)))
            print(*(" ".join(map(str, rows)) for rows in found), f"Solutions: {len(found)}", sep="\n")
        case _:
            print(USAGE, file=sys.stderr)
            return 2
    return 0


def trace(n: int) -> None:
    """Draw the board after each placement up to the first solution, and that once more."""
    rows: Placement = ()
    for rows in placements(n):
        print(f"curcol = {len(rows) - 1}", snapshot(rows, n), sep="\n")
    if len(rows) == n:
        print(snapshot(rows, n))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
