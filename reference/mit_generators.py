"""Boards on which to ask `noConflicts` of the eight-queens lecture, with queens in the first columns."""

from collections.abc import Iterator
from random import Random

SIZES = (4, 8)
MANY = 2


def matrices(random: Random) -> Iterator[list[object]]:
    """Yield a board as a list of lists, the column of the last queen, its row, and the size of the board."""
    while True:
        n, rows = _queens(random)
        squares = [[int(row == queen) for queen in rows] + [0] * (n - len(rows)) for row in range(n)]
        yield [squares, len(rows) - 1, rows[-1], n]


def lists(random: Random) -> Iterator[list[object]]:
    """Yield a board as a list of rows, -1 for an empty column, and the column of the last queen."""
    while True:
        n, rows = _queens(random)
        yield [rows + [-1] * (n - len(rows)), len(rows) - 1]


def _queens(random: Random) -> tuple[int, list[int]]:
    """Return the size of a board and the rows of two or more queens, of which only the last may be attacked."""
    n = random.choice(SIZES)
    rows = [random.randrange(n)]
    for _ in range(random.randrange(n - 1)):
        free = [row for row in range(n) if not _attacked_along(rows, row)]
        if free:
            rows.append(random.choice(free))
    alike: dict[frozenset[int], list[int]] = {}
    for row in range(n):
        alike.setdefault(_attacked_along(rows, row), []).append(row)
    # One line at most where there is a choice: of two, a function that sees but one of them would do.
    telling = [places for lines, places in alike.items() if len(lines) < MANY] or list(alike.values())
    return n, [*rows, random.choice(random.choice(telling))]


def _attacked_along(rows: list[int], row: int) -> frozenset[int]:
    """Return the lines on which a queen in the next column is attacked: 0 for its row, 1 and -1 for the diagonals."""
    column = len(rows)
    return frozenset(
        line for line in (-1, 0, 1) if any(row - other == line * (column - at) for at, other in enumerate(rows))
    )
