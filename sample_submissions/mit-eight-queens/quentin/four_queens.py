N = int(input("How many queens? "))


def noConflicts(board, current, qindex, n):
    for j in range(current):
        for i in range(n):
            if board[i][j] and (i == qindex or i + j == qindex + current or i - j == qindex - current):
                return False
    return True


def go(board, column):
    if column == N:
        print(board)
        return
    for row in range(N):
        if noConflicts(board, column, row, N):
            board[row][column] = 1
            go(board, column + 1)
            board[row][column] = 0


go([[0] * N for _ in range(N)], 0)
