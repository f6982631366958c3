import sys


def noConflicts(board, current):
    for i in range(current):
        if board[i] == board[current]:
            return False
        if current - i == abs(board[current] - board[i]):
            return False
    return True


def place(board, current):
    if current == len(board):
        print(board)
        return
    for row in range(len(board)):
        board[current] = row
        if noConflicts(board, current):
            place(board, current + 1)


n = int(sys.argv[1])
place([-1] * n, 0)
