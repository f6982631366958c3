import sys

board = [-1] * 8


def noConflicts(current):
    for i in range(current):
        if board[i] == board[current] or abs(board[i] - board[current]) == current - i:
            return False
    return True


def search(current, n):
    if current > n:
        print(board[:n])
        return
    for row in range(n):
        board[current] = row
        if noConflicts(current):
            search(current + 1, n)


search(0, int(sys.argv[1]))
