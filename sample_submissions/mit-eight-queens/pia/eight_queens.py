def noConflicts(board, current):
    for i in range(current):
        if board[i] == board[current] or current - i == abs(board[current] - board[i]):
            return False
    return True


def EightQueens(n=8):
    board = [-1] * n
    column = 0
    while column >= 0:
        board[column] += 1
        if board[column] == n:
            board[column] = -1
            column -= 1
        elif noConflicts(board, column):
            if column == n - 1:
                print(board)
            else:
                column += 1


# EightQueens()   takes a while
