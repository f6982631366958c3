import sys

from eight_queens import noConflicts


def place(board, column):
    if column == len(board):
        print(board)
    for row in range(len(board)):
        board[column % len(board)] = row
        if noConflicts(board, column % len(board)):
            place(board, column + 1)


place([-1] * int(sys.argv[1]), 0)
