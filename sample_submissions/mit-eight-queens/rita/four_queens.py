def noConflicts(board, current, qindex, n):
    for j in range(current):
        if board[qindex][j] == 1:
            return False
    for d in range(1, current + 1):
        if qindex - d >= 0 and board[qindex - d][current - d] == 1:
            return False
        if qindex + d < n and board[qindex + d][current - d] == 1:
            return False
    return True


def four(n=4):
    board = [[0] * n for _ in range(n)]
    rows = [-1] * n
    column = 0
    while True:
        if rows[column] >= 0:
            board[rows[column]][column] = 0
        rows[column] += 1
        if rows[column] == n:
            rows[column] = -1
            column = max(column - 1, 0)
        elif noConflicts(board, column, rows[column], n):
            board[rows[column]][column] = 1
            if column == n - 1:
                print(board)
            else:
                column += 1


if __name__ == "__main__":
    four()
