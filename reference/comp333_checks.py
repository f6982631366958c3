"""Whether the programs of COMP 333 tell what they should, however they lay it out.

The hand-out fixes no format, so a solution is any line with one number for each column, whatever stands before or
between them, or a board that is drawn square by square. A board of the trace is any run of rows with their numbers in
front, whatever stands for an empty square.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest

from boards import SMALLEST, Board, attack, draw, drawings, require_solution
from comp333_queens_java import listing, placements
from queens import Placement

from grader import Wrong

LABEL_END = re.compile(rb"[:=({\[]")
NUMBER = re.compile(rb"-?[0-9]+")
LONGEST_NUMBER = 4
MOST_DRAWN = 2**20
"""bytes of boards: the 724 for ten queens, with blanks and rules between the squares, are less"""

QUEEN = re.compile(rb"[Qq]")
HEADING = re.compile(rb"(?i)curcol\W*([0-9]{1,3})\b")
ROW = re.compile(rb"\s*([0-9]{1,3})\s*[:|]")


def solutions(output: bytes, n: str) -> None:
    """Ask for all solutions for `n`, each once, in any order; rows may count from 1."""
    size = int(n)
    expected = list(listing(size))
    printed = (rows for line in output.splitlines() if (rows := _rows(line, size)) is not None)
    found = list(islice(printed, len(expected) + 1))  # of one more, some are alike, or some are wrong
    if size >= SMALLEST and all({0, 1}.issuperset(rows) for rows in found):  # none at all, or the rows of boards
        found = list(_drawn(output, size))
    if not found:
        raise Wrong(f"No solution is printed: no line has {n} numbers, one for each column.")
    if not any(0 in rows for rows in found):
        found = [tuple(row - 1 for row in rows) for rows in found]
    seen: set[Placement] = set()
    for rows in found:
        _ask_peaceful(rows)
        if rows in seen:
            raise Wrong(f"The solution {_shown(rows)} is printed more than once.")
        seen.add(rows)
    missing = [rows for rows in expected if rows not in seen]
    if missing:
        have = f"{len(expected)} solutions are asked for, and {len(seen)} of them printed"
        raise Wrong(f"{have}; {_shown(missing[0])} is missing.")


def ordered(output: bytes, n: str) -> None:
    """Ask for all solutions for `n` in the order of the search, one on each line, and for their number on the last."""
    size = int(n)
    expected = list(listing(size))
    *lines, last = [line for line in output.splitlines() if line.strip()] or [b""]
    for number, (line, rows) in enumerate(zip_longest(lines, expected), start=1):
        if rows is None:
            raise Wrong(f"There is more than the {len(expected)} solutions and a last line with their number.")
        if line is None or _numbers(line, size) != rows:
            raise Wrong(f"Solution {number} should be {_shown(rows)}, in the order of the search.")
    told = NUMBER.findall(last)
    if not told or told[-1] != b"%d" % len(expected):
        raise Wrong(f"The last line should tell how many solutions there are: {len(expected)}.")


def trace(output: bytes, n: str) -> None:
    """Ask for a board after each placement up to the first solution for `n`; that one may be drawn once more."""
    expected = list(placements(int(n)))
    found = list(islice(_boards(output, int(n)), len(expected) + 2))
    if found[len(expected) :] and found[len(expected)][1] == expected[-1]:
        found.pop(len(expected))
    for number, (rows, board) in enumerate(zip_longest(expected, found), start=1):
        if board is None:
            raise Wrong(f"The trace ends after {len(found)} snapshots, the search after {len(expected)} placements.")
        if rows is None:
            raise Wrong(
                f"The trace goes on after placement {len(expected)}, with which the search for one solution ends."
            )
        _ask_step(number, rows, *board)


def snapshot(output: bytes, rows: str) -> None:
    """Ask that a text has the numbers in `rows` in their order, whatever it has between them."""
    numbers = iter(NUMBER.findall(output))
    for column, row in enumerate(rows.split()):
        if row.encode() not in numbers:  # goes on behind the number that was found last
            raise Wrong(f"The text should show the positions {rows}, and that of column {column} is not there.")


def _drawn(output: bytes, size: int) -> Iterator[Placement]:
    """Yield the rows of the queens, from left to right, of the boards that are drawn square by square."""
    for number, board in enumerate(drawings(output[:MOST_DRAWN], size), start=1):
        require_solution(board, f"Board {number}")
        yield tuple(row - 1 for row, _ in sorted(board.queens, key=lambda queen: queen[1]))


def _rows(line: bytes, size: int) -> Placement | None:
    """Read a line with `size` numbers behind its label; the numbers above a drawn board are none."""
    rows = _numbers(line, size)
    return None if rows == tuple(range(size)) else rows


def _numbers(line: bytes, size: int) -> Placement | None:
    numbers = NUMBER.findall(LABEL_END.split(line)[-1])
    if len(numbers) != size or any(len(number) > LONGEST_NUMBER for number in numbers):
        return None
    return tuple(map(int, numbers))


def _ask_peaceful(rows: Placement) -> None:
    size = len(rows)
    outside = [row for row in rows if not 0 <= row < size]
    if outside:
        raise Wrong(f"The line {_shown(rows)} has a row that is not on the board: rows go from 0 to {size - 1}.")
    board = Board(n=size, queens=tuple((row + 1, column + 1) for column, row in enumerate(rows)))
    if pair := attack(board.queens):
        (_, a), (_, b) = pair
        drawing = draw(board, pair)
        raise Wrong(f"In {_shown(rows)} the queens in columns {a - 1} and {b - 1} attack each other.\n{drawing}")


def _boards(output: bytes, size: int) -> Iterator[tuple[int | None, Placement]]:
    """Read each board that is drawn: the number in the heading above it, its queens' rows from left to right."""
    heading: int | None = None
    queens: list[tuple[int, int]] = []
    for line in output.splitlines():
        if match := HEADING.search(line):
            heading = int(match[1])
        elif match := ROW.match(line):
            row = int(match[1])
            room = size + 1 - len(queens)
            queens += [(queen.start() - match.end(), row) for queen in islice(QUEEN.finditer(line, match.end()), room)]
            if row == size - 1:
                yield heading, tuple(row for _, row in sorted(queens))
                heading, queens = None, []


def _ask_step(number: int, rows: Placement, heading: int | None, board: Placement) -> None:
    column = len(rows) - 1
    if board != rows:
        wanted = f"the queens in the rows {_shown(rows)}, column by column"
        raise Wrong(f"Snapshot {number} should have {wanted}, and has {_shown(board) or 'no queens'}.")
    if heading != column:
        stands = "has no curcol" if heading is None else f"says curcol = {heading}"
        raise Wrong(f"Snapshot {number} {stands}, and the queen that was placed is in column {column}.")


def _shown(rows: Sequence[int]) -> str:
    return " ".join(map(str, rows))
