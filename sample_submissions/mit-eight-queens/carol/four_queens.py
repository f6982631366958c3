import itertools


def noConflicts(board, current, qindex, n):
    queens = [(r, c) for r in range(n) for c in range(current + 1) if board[r][c] == 1]
    for r, c in queens:
        if (r, c) != (qindex, current):
            if r == qindex or c == current or abs(r - qindex) == abs(c - current):
                return False
    return True


number = 0
for rows in itertools.product(range(4), repeat=4):
    board = [[0] * 4 for _ in range(4)]
    safe = True
    for column, row in enumerate(rows):
        board[row][column] = 1
        safe = safe and noConflicts(board, column, row, 4)
    if safe:
        number += 1
        print("Solution", number)
        for line in board:
            print(*line)
