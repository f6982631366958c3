"""What checks are made of: boards and placements read from what a student printed, and what can be wrong with them.

A reader is generous about how something is written (braces, commas, a prompt in front) and exact about what it says.
What does not hold raises `Wrong` with a sentence and, where it helps, the board drawn below it. Output can be megabytes
of anything: every reader is linear in it, and no number has more digits than fit a board.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, pairwise

from queens import Placement, images

from grader import Wrong

Square = tuple[int, int]
"""Row and column, both counted from 1."""

SMALLEST = 4
"""queens, besides a single one, that can be placed so that none attacks another"""
DRAWN = 20
"""the largest board that is drawn"""
QUOTED = 40
"""characters of a line that are quoted"""

_SEPARATORS = " \t,;|{}[]()"
_REMOVED = dict.fromkeys(map(ord, _SEPARATORS))
_PLACEMENT = re.compile(rb"\(([\d, \t]{1,999})\)|\[([\d, \t]{1,999})\]")
_NUMBER = re.compile(rb"\d+")
_DIGITS = 6
_LABEL = re.compile(r"\s*\d{1,3}\s*[:|)]", re.ASCII)
_RULE = re.compile(r"[-_=+|\s]*")
_SQUARE = re.compile(rb"(?<![\d.])(\d{1,3})\s*[,:]\s*(\d{1,3})(?![\d.])")
LONGEST_ROW = 1000
"""characters of a line that may be the row of a board"""
MOST_READ = 2**16
"""bytes in which another form of a board is looked for"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board of `n` x `n` squares and the queens on it, from the top and from the left."""

    n: int
    queens: tuple[Square, ...]


def from_placement(placement: Sequence[int]) -> Board:
    """Make a board of the columns of the queens in its rows, counted from 1; Wrong for a column that it has not."""
    n = len(placement)
    for row, column in enumerate(placement, 1):
        if not 1 <= column <= n:
            raise Wrong(f"{tuple(placement)} puts the queen of row {row} in column {column} of a board of {n}.")
    return Board(n=n, queens=tuple(enumerate(placement, 1)))


# ---------------------------------------------------------------- reading


def matrices(output: bytes, n: int, *, queen: str = "1", empty: str = "0") -> tuple[Board, ...]:
    """Find the boards that are drawn square by square, each row on a line: `{ 0, 1, 0 }`, `0 1 0`, `.Q.`.

    Other lines are left aside, but where a row is missing, it may stand behind a prompt: `Enter n: 0 0 1 0`. Wrong when
    the rows are not those of whole boards of `n` x `n`.
    """
    lines = output.decode(errors="replace").splitlines()
    rows: list[tuple[int, str]] = []
    prompted: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        before = line.rstrip(_SEPARATORS + queen + empty)
        row = line[len(before) :].translate(_REMOVED)
        if not before and 1 < len(row) != n:
            raise Wrong(f"Line {number}, `{_quoted(line)}`, is a row of {len(row)} squares instead of {n}.")
        if len(row) == n:
            (prompted if before else rows).append((number, row))
    if len(rows) % n or not rows:
        rows = sorted(rows + prompted)
    if len(rows) % n:
        raise Wrong(f"It printed {_count(len(rows), 'row')}, and a board for n = {n} has {n}.")
    return tuple(_board([row for _, row in rows[start : start + n]], queen) for start in range(0, len(rows), n))


def _board(rows: Sequence[str], queen: str) -> Board:
    queens = [(r, c) for r, row in enumerate(rows, 1) for c, square in enumerate(row, 1) if square in queen]
    return Board(n=len(rows), queens=tuple(queens))


def drawings(output: bytes, n: int) -> tuple[Board, ...]:
    """Find the boards that are drawn with any two signs, of which one stands once in each row: `.Q..`, `1 0 1 1`.

    A number may stand in front of a row, bars between the squares. None where the rows are not those of whole boards,
    or the board is so small that either sign may be the queen.
    """
    rows = [row for line in output.decode(errors="replace").splitlines() if (row := _drawn_row(line, n))]
    if n < SMALLEST or len(rows) % n:
        return ()
    found = []
    for start in range(0, len(rows), n):
        board = rows[start : start + n]
        queen = next((sign for sign in board[0] if all(row.count(sign) == 1 for row in board)), "")
        if not queen:
            return ()
        found.append(_board(board, queen))
    return tuple(found)


def _drawn_row(line: str, n: int) -> str:
    if len(line) > LONGEST_ROW or _RULE.fullmatch(line):
        return ""
    line = _LABEL.sub("", line, count=1)
    squares = line.strip().strip("|").split("|")
    row = "".join(square.strip() or "." for square in squares) if len(squares) == n else line.translate(_REMOVED)
    return row if len(row) == n and len(set(row)) == len("Q.") else ""


def form_of_solution(output: bytes, n: int) -> str:
    """Say in which other form a right board is printed: drawn, as a list or as squares; "" when there is none."""
    text = output[:MOST_READ]
    drawn = drawings(text, n)
    if drawn and all(attack(board.queens) is None for board in drawn) and not _has_matrix(text, n):
        return "drawn with other signs"
    every = text.decode(errors="replace").splitlines()
    for numbers in ([int(number) for number in _NUMBER.findall(line.encode())] for line in every):
        for first in (0, 1):
            if _is_solution([number + 1 - first for number in numbers], n):
                return f"as a list of {n} numbers, counted from {first}"
    squares = _SQUARE.findall(text)[: n * n]
    for start in range(len(squares) - n + 1):
        pairs = sorted((int(row), int(column)) for row, column in squares[start : start + n])
        for first in (0, 1):
            is_each_row = [row for row, _ in pairs] == list(range(first, n + first))
            if is_each_row and _is_solution([column + 1 - first for _, column in pairs], n):
                return f"as {n} squares, counted from {first}"
    return ""


def _has_matrix(output: bytes, n: int) -> bool:
    with suppress(Wrong):
        return any(board.queens and attack(board.queens) is None for board in matrices(output, n))
    return False


def _is_solution(columns: Sequence[int], n: int) -> bool:
    return n >= SMALLEST and sorted(columns) == list(range(1, n + 1)) and attackers(tuple(columns)) is None


def placements(output: bytes, n: int | None = None) -> tuple[Placement, ...]:
    """Find the lists of numbers in brackets, `(2, 4, 1, 3)` or `[2,4,1,3]`; with `n` only those of that length."""
    found = (_NUMBER.findall(one or other) for one, other in _PLACEMENT.findall(output))
    return tuple(tuple(int(word[:_DIGITS]) for word in words) for words in found if n is None or len(words) == n)


# ---------------------------------------------------------------- judging


def attack(queens: Iterable[Square]) -> tuple[Square, Square] | None:
    """Find the first two queens, in the order given, that attack each other."""
    for one, other in combinations(queens, 2):
        down, across = other[0] - one[0], other[1] - one[1]
        if not down or not across or abs(down) == abs(across):
            return one, other
    return None


def attackers(columns: Placement) -> tuple[int, int] | None:
    """Find the first two queens of a placement that attack each other, counted from 1."""
    pair = attack(enumerate(columns, 1))
    return pair and (pair[0][0], pair[1][0])


def require_solution(board: Board, name: str = "The board") -> None:
    """Ask that no two queens attack each other, and that there are as many as rows."""
    if not board.queens:
        raise Wrong(f"{name} is empty: it needs {_count(board.n, 'queen')}.{_below(board)}")
    if pair := attack(board.queens[: board.n + 1]):
        (row, column), (other_row, other_column) = pair
        if row == other_row:
            line = f"row {row}"
        elif column == other_column:
            line = f"column {column}"
        else:
            line = "a diagonal"
        where = f"row {row}, column {column} and row {other_row}, column {other_column}"
        raise Wrong(f"{name} has two queens (X) on {line}: {where}.{_below(board, pair)}")
    if len(board.queens) < board.n:
        raise Wrong(f"{name} has {_count(len(board.queens), 'queen')} instead of {board.n}.{_below(board)}")


def require_all_different(found: Sequence[Placement]) -> None:
    """Ask that no solution comes twice."""
    first: dict[Placement, int] = {}
    for number, placement in enumerate(found, 1):
        if first.setdefault(placement, number) != number:
            raise Wrong(
                f"Solution {number}, {placement}, is the same as solution {first[placement]}: "
                f"{len(set(found))} of the {len(found)} solutions are different."
            )


def require_order(found: Sequence[Placement]) -> None:
    """Ask that each solution is followed by a greater one, the first numbers compared first."""
    for number, (one, other) in enumerate(pairwise(found), 2):
        if one > other:
            raise Wrong(f"Solution {number}, {other}, belongs before solution {number - 1}, {one}.")


def require_symmetry(found: Sequence[Placement]) -> None:
    """Ask that with each solution there are all that it becomes when the board is turned or mirrored."""
    every = set(found)
    for placement in found:
        for image in sorted(images(placement) - every):
            raise Wrong(f"{placement} is among the solutions, and {image}, the same one turned or mirrored, is not.")


def draw(board: Board, marked: Iterable[Square] = ()) -> str:
    """Draw a board line by line: dots, queens as Q, those that are `marked` as X; "" when it is too large."""
    if board.n > DRAWN:
        return ""
    squares = dict.fromkeys(board.queens, "Q") | dict.fromkeys(marked, "X")
    rows = range(1, board.n + 1)
    return "\n".join(" ".join(squares.get((row, column), ".") for column in rows) for row in rows)


def drawing(columns: Placement, marked: Iterable[int] = ()) -> str:
    """Draw a placement as `draw` does; `marked` are queens counted from 1."""
    return draw(from_placement(columns), [(queen, columns[queen - 1]) for queen in marked])


def _below(board: Board, marked: Iterable[Square] = ()) -> str:
    drawn = draw(board, marked)
    return f"\n{drawn}" if drawn else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _quoted(line: str) -> str:
    return line if len(line) <= QUOTED else f"{line[:QUOTED]}…"
