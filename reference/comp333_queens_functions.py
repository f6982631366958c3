"""The ten functions of COMP 333, project 1, part 1, under the names that the assignment gives them.

For each column they keep the row of its queen, and the first row that has not been tried there. Both are counted from
0; a column without a queen has -1.
"""
# ruff: noqa: N802, N816  the names are the assignment's

n = 8
queensPositions: list[int] = []
firstUntried: list[int] = []


def initQueensPositions() -> None:
    """Take the queens off the board."""
    queensPositions[:] = [-1] * n


def hasConflict(a: int, b: int, bpos: int) -> bool:
    """Whether a queen in column `b`, row `bpos`, and that of column `a` attack each other; `a` < `b`."""
    return abs(bpos - queensPositions[a]) in {0, b - a}


def hasConflictCumulative(b: int, bpos: int) -> bool:
    """Whether a queen in column `b`, row `bpos`, and that of any column before attack each other."""
    return any(hasConflict(a, b, bpos) for a in range(b))


def setQueenPosition(col: int, pos: int) -> None:
    """Put the queen of column `col` into row `pos`."""
    queensPositions[col] = pos


def getQueenPosition(col: int) -> int:
    """Return the row of the queen of column `col`; -1 when it has none."""
    return queensPositions[col]


def getPositionsSnapshot() -> str:
    """Tell the row of the queen in each column."""
    return " ".join(map(str, queensPositions))


def initStates() -> None:
    """Forget in all columns which rows have been tried."""
    firstUntried[:] = [0] * n


def getUntriedPosition(col: int) -> int:
    """Return the first row of column `col` that has not been tried; -1 when there is none."""
    return firstUntried[col] if firstUntried[col] < n else -1


def setPositionTried(col: int) -> None:
    """Note that the first untried row of column `col` has been tried."""
    firstUntried[col] += 1


def setAllPositionsUntried(col: int) -> None:
    """Forget which rows of column `col` have been tried."""
    firstUntried[col] = 0
