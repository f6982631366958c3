def noConflicts(board, current, qindex, n):
    return not any(
        board[row][column] == 1 and (row == qindex or abs(row - qindex) == current - column)
        for column in range(current)
        for row in range(n)
    )


def FourQueens():
    n = 4
    board = [[0 for i in range(n)] for j in range(n)]
    for i in range(n):
        board[i][0] = 1
        for j in range(n):
            if not noConflicts(board, 1, j, n):
                continue
            board[j][1] = 1
            for k in range(n):
                if not noConflicts(board, 2, k, n):
                    continue
                board[k][2] = 1
                for m in range(n):
                    if noConflicts(board, 3, m, n):
                        board[m][3] = 1
                        print(board)
                        board[m][3] = 0
                board[k][2] = 0
            board[j][1] = 0
        board[i][0] = 0


FourQueens()
