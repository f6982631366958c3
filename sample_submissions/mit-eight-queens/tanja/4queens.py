def noConflicts(board, current, qindex, n):
    for j in range(current):
        if board[qindex][j] == 1:
            return False
    k = 1
    while qindex - k >= 0 and current - k >= 0:
        if board[qindex - k][current - k] == 1:
            return False
        k += 1
    k = 1
    while qindex + k < n and current - k >= 0:
        if board[qindex + k][current - k] == 1:
            return False
        k += 1
    return True


def fourQueens(n=4):
    board = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    for a in range(n):
        board[a][0] = 1
        for b in range(n):
            board[b][1] = 1
            if noConflicts(board, 1, b, n):
                for c in range(n):
                    board[c][2] = 1
                    if noConflicts(board, 2, c, n):
                        for d in range(n):
                            board[d][3] = 1
                            if noConflicts(board, 3, d, n):
                                print(board)
                            board[d][3] = 0
                    board[c][2] = 0
            board[b][1] = 0
        board[a][0] = 0


fourQueens()
