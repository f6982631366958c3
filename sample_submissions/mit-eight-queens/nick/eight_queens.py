def noConflicts(board, current):
    for i in range(current):
        if board[i] == board[current]:
            return False
        if current - i == abs(board[current] - board[i]):
            return False
    return True


def eightQueens(n=8):
    board = [-1] * n
    for a in range(n):
        board[0] = a
        for b in range(n):
            board[1] = b
            if not noConflicts(board, 1):
                continue
            for c in range(n):
                board[2] = c
                if not noConflicts(board, 2):
                    continue
                for d in range(n):
                    board[3] = d
                    if not noConflicts(board, 3):
                        continue
                    for e in range(n):
                        board[4] = e
                        if not noConflicts(board, 4):
                            continue
                        for f in range(n):
                            board[5] = f
                            if not noConflicts(board, 5):
                                continue
                            for g in range(n):
                                board[6] = g
                                if not noConflicts(board, 6):
                                    continue
                                for h in range(n):
                                    board[7] = h
                                    if noConflicts(board, 7):
                                        print([row + 1 for row in board])


eightQueens()
