"""The four queens, drawn."""

SIZE = 4


def noConflicts(board, current, qindex, n=SIZE):
    """Whether the queen at row qindex, column current, is safe from the columns before it."""
    for column in range(current):
        distance = current - column
        for row in (qindex - distance, qindex, qindex + distance):
            if 0 <= row < n and board[row][column]:
                return False
    return True


def solve(board, column):
    if column == SIZE:
        yield [list(row) for row in board]
        return
    for row in range(SIZE):
        board[row][column] = 1
        if noConflicts(board, column, row):
            yield from solve(board, column + 1)
        board[row][column] = 0


def draw(board):
    for row in board:
        for square in row:
            print("Q" if square else ".", end=" ")
        print()
    print()


if __name__ == "__main__":
    for solution in solve([[0] * SIZE for _ in range(SIZE)], 0):
        draw(solution)
