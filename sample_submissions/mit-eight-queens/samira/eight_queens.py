def noConflicts(board, current):
    rows = board[:current]
    q = board[current]
    return q not in rows and all(abs(q - r) != current - c for c, r in enumerate(rows))


def place(board, column):
    if column == len(board):
        print(tuple(board))
        return
    for row in range(len(board)):
        board[column] = row
        if noConflicts(board, column):
            place(board, column + 1)
    board[column] = -1


if __name__ == "__main__":
    place([-1] * 8, 0)
