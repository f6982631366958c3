N = int(input("How many queens? "))


def noConflicts(board, current):
    for i in range(current):
        if board[i] == board[current]:
            return False
        if abs(board[i] - board[current]) == current - i:
            return False
    return True


def go(board):
    if len(board) == N:
        print(board)
        return
    for row in range(N):
        if noConflicts(board + [row], len(board)):
            go(board + [row])


go([])
