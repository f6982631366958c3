"""Whether the scripts of the eight-queens lecture print the right boards, in whichever of the usual ways.

A board is a list such as [1, 3, 0, 2], which has the row of the queen in each column, or a list of lists, or a drawing
with a line for each row. What else is printed, a heading or a number of solutions, is passed over. A queen is 1, Q, X
or *, an empty square 0, a dot, a dash or an underscore; the rows in a list count from 0 or from 1.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from boards import Board, draw, require_solution
from queens import count

from grader import Wrong

LISTED = re.compile(r"[\[(]([^\[\]()]*)[\])]")
BETWEEN = re.compile(r"[\s,;|'\"]+")
LABEL = re.compile(r"\s*\d+\s*[:|)]", re.ASCII)
RULE = re.compile(r"[-_=+|\s]*")
NUMBER = re.compile(r"-?\d{1,9}", re.ASCII)
QUEENS = frozenset("1QqXx#*♛♕")
SQUARES = QUEENS | frozenset("0.-_·")
OTHER_SIZES = range(4, 13)
"""boards that are looked for where there should be none"""

Row = Sequence[str]
"""A word for each square of a row, or for each column of a list."""


def valid(output: bytes, n: str) -> None:
    """Ask for at least one board with `n` queens, and that on none of them two queens attack each other."""
    solutions(output, int(n))


def every(output: bytes, n: str) -> None:
    """Ask for all solutions and nothing else, each as often as you like."""
    found, total = solutions(output, int(n)), count(int(n))
    if len(set(found)) < total:
        raise Wrong(f"{_number(found)}; for {n} queens there are {total}.")


def once(output: bytes, n: str) -> None:
    """Ask that no board is printed twice."""
    found = solutions(output, int(n))
    seen: dict[Board, int] = {}
    for number, board in enumerate(found, start=1):
        earlier = seen.setdefault(board, number)
        if earlier != number:
            raise Wrong(f"{_number(found)}: board {number} is board {earlier} again.\n{draw(board)}")


def none(output: bytes, n: str) -> None:
    """Ask that no board is printed, nor the solution for another number of queens."""
    found = next(_boards(output, int(n)), None)
    if found:
        raise Wrong(f"A board is printed, and for {n} queens there is none.\n{draw(found)}")
    for other in OTHER_SIZES:
        with suppress(Wrong):  # what is no solution need not be a board
            found = solutions(output, other)[0]
            break
    if found:
        raise Wrong(f"A board for {found.n} queens is printed, and for {n} queens there is none.\n{draw(found)}")


def solutions(output: bytes, n: int) -> list[Board]:
    """Read the boards that are printed. Wrong when there are none, or one is no solution."""
    found = list(_boards(output, n))
    if not found:
        raise Wrong(f"No board is printed: nothing has {n} rows of {n} squares, and no list has {n} numbers.")
    for number, board in enumerate(found, start=1):
        require_solution(board, f"Board {number}")
    return found


def _boards(output: bytes, n: int) -> Iterator[Board]:
    """Put the rows of drawings together, `n` by `n`; a list of numbers is a board by itself."""
    gathered: list[Row] = []
    for row in _rows(output.decode(errors="replace"), n):
        if _is_list(row):
            yield _listed(row)
            continue
        gathered.append(row)
        if len(gathered) == n:
            yield _drawn(gathered)
            gathered = []
    if gathered:
        raise Wrong(f"The last board that is printed has {len(gathered)} of {n} rows.")


def _rows(text: str, n: int) -> Iterator[Row]:
    """Find what has `n` words: the innermost lists, and the lines without one."""
    for found in LISTED.finditer(text):
        words = _words(found[1])
        if len(words) == n and all(len(word) == n for word in words):  # a text for each row
            yield from map(list, words)
        elif len(words) == n:
            yield words
    columns = [[str(start + at) for at in range(n)] for start in (0, 1)]  # their numbers, above a drawing
    for line in LISTED.sub("", text).splitlines():
        label = LABEL.match(line)  # at its beginning alone: to look for one everywhere takes the square of a long line
        words = _words(line[label.end() :] if label else line)
        words = list(words[0]) if len(words) == 1 else words
        if len(words) == n and words not in columns and not RULE.fullmatch(line) and _is_row(words):
            yield words


def _words(text: str) -> list[str]:
    return [word for word in BETWEEN.split(text) if word]


def _is_row(row: Row) -> bool:
    return SQUARES.issuperset(row) or all(map(NUMBER.fullmatch, row))


def _is_list(row: Row) -> bool:
    """Whether these are the rows of queens; the only one that could be both is that of a single queen, [0]."""
    return not SQUARES.issuperset(row) or list(row) == ["0"]


def _listed(row: Row) -> Board:
    n, shown = len(row), f"[{', '.join(row)}]"
    if not all(map(NUMBER.fullmatch, row)):
        raise Wrong(f"{shown} is neither a list of rows nor a row of a board.")
    rows = [int(word) for word in row]
    if 0 in rows:
        rows = [number + 1 for number in rows]
    if not all(1 <= number <= n for number in rows):
        raise Wrong(f"{shown} puts a queen beside a board of {n} rows.")
    return Board(n=n, queens=tuple(sorted((number, column) for column, number in enumerate(rows, start=1))))


def _drawn(rows: Sequence[Row]) -> Board:
    queens = ((r, c) for r, row in enumerate(rows, 1) for c, square in enumerate(row, 1) if square in QUEENS)
    return Board(n=len(rows), queens=tuple(queens))


def _number(found: Sequence[Board]) -> str:
    different = len(set(found))
    printed = "1 board is printed" if len(found) == 1 else f"{len(found)} boards are printed"
    return printed if different == len(found) else f"{printed}, of which {different} differ"
