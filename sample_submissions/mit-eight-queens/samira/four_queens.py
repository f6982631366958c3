def noConflicts(board, current, qindex, n):
    up = down = qindex
    for column in range(current - 1, -1, -1):
        up -= 1
        down += 1
        if board[qindex][column]:
            return False
        if up >= 0 and board[up][column]:
            return False
        if down < n and board[down][column]:
            return False
    return True


def show(board):
    for row in board:
        print(" ".join("Q" if square else "." for square in row))
    print()


def place(board, column=0):
    n = len(board)
    if column == n:
        show(board)
    for row in range(n if column < n else 0):
        if noConflicts(board, column, row, n):
            board[row][column] = 1
            place(board, column + 1)
            board[row][column] = 0


if __name__ == "__main__":
    place([[0] * 4 for _ in range(4)])
