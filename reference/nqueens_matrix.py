"""One solution of the n-queens problem as a matrix: `nqueens_matrix.py n`.

Prints the first solution in lexicographic order, a row on a line, 1 where a queen is: `{ 0,  1,  0,  0}`. For n = 2 and
n = 3, which have none, it says so. Without an argument n comes on standard input.
"""

import sys
from collections.abc import Sequence

from queens import Placement, solutions


def main(args: Sequence[str]) -> None:
    """Print a solution for the number in `args`, or on standard input."""
    n = int(args[0] if args else sys.stdin.readline())
    solution = next(solutions(n), None)
    print("Solution does not exist" if solution is None else matrix(solution))


def matrix(solution: Placement) -> str:
    """Write a placement as a matrix of 0 and 1."""
    columns = range(1, len(solution) + 1)
    return "\n".join(f"{{{', '.join(f' {int(column == queen)}' for column in columns)}}}" for queen in solution)


if __name__ == "__main__":
    main(sys.argv[1:])
