"""The n-queens problem: how many solutions, which ones, and which of them are really different.

A solution is a tuple of columns, one for each row, counted from 1: `(2, 4, 1, 3)` has the queen of row 1 in column 2.
The rows are filled from the top and the columns tried from the left, so solutions come in lexicographic order.

Three bit masks hold what the queens above attack in the row at hand: the columns, and the diagonals that fall to the
left and to the right, which move by one bit a row. A free square is then one bit that none of them has set.

The numbers are published: all solutions are https://oeis.org/A000170, those that are different when the board may be
turned and mirrored are https://oeis.org/A002562. For n = 8 they are 92 and 12.
"""

from collections.abc import Iterator, Sequence

Placement = tuple[int, ...]
"""The column of the queen in each row, counted from 1."""


def count(n: int) -> int:
    """Count the solutions for `n` >= 1 queens.

    A solution mirrored left to right is another one, so the first queen is tried in the left half only and the result
    doubled; the middle column of an odd board is its own mirror image.
    """
    full = (1 << n) - 1

    def below(columns: int, left: int, right: int) -> int:
        if columns == full:
            return 1
        total = 0
        free = full & ~(columns | left | right)
        while free:
            queen = free & -free
            free ^= queen
            total += below(columns | queen, (left | queen) << 1, (right | queen) >> 1)
        return total

    half, odd = divmod(n, 2)
    first_row = [below(1 << column, 2 << column, 1 << column >> 1) for column in range(half + odd)]
    return 2 * sum(first_row[:half]) + sum(first_row[half:])


def solutions(n: int) -> Iterator[Placement]:
    """Find every solution for `n` >= 1 queens, in lexicographic order."""
    full = (1 << n) - 1
    placed: list[int] = []

    def below(columns: int, left: int, right: int) -> Iterator[Placement]:
        if columns == full:
            yield tuple(placed)
        free = full & ~(columns | left | right)
        while free:
            queen = free & -free
            free ^= queen
            placed.append(queen.bit_length())
            yield from below(columns | queen, (left | queen) << 1, (right | queen) >> 1)
            placed.pop()

    return below(0, 0, 0)


def is_solution(columns: Sequence[int]) -> bool:
    """Whether `columns` has one queen in each row and column, and no two on a diagonal."""
    n = len(columns)
    falling = {column - row for row, column in enumerate(columns)}
    rising = {column + row for row, column in enumerate(columns)}
    return sorted(columns) == list(range(1, n + 1)) and len(falling) == len(rising) == n


def images(solution: Placement) -> set[Placement]:
    """Turn and mirror a solution in every way: itself and what it becomes, 1, 2, 4 or 8 placements."""
    n = len(solution)
    found: set[Placement] = set()
    for _ in range(4):
        found |= {solution, solution[::-1]}
        solution = _turned(solution, n)
    return found


def fundamental(n: int) -> Iterator[Placement]:
    """Find the solutions that differ even when the board may be turned and mirrored: the first of each class."""
    return (solution for solution in solutions(n) if solution == min(images(solution)))


def _turned(solution: Placement, n: int) -> Placement:
    """Turn the board a quarter clockwise: row r, column c goes to row c, column n + 1 - r."""
    turned = [0] * n
    for row, column in enumerate(solution, start=1):
        turned[column - 1] = n + 1 - row
    return tuple(turned)
