"""Four queens on a board of four rows, each a list."""


def noConflicts(board, current, qindex, n):
    for column in range(current):
        away = current - column
        for row in (qindex, qindex - away, qindex + away):
            if 0 <= row < n and board[row][column]:
                return False
    return True


def search(board, column, n):
    if column == n:
        for row in board:
            print(*row)
        print()
        return
    for row in range(n):
        if noConflicts(board, column, row, n):
            board[row][column] = 1
            search(board, column + 1, n)
            board[row][column] = 0


if __name__ == "__main__":
    search([[0] * 4 for _ in range(4)], 0, 4)
