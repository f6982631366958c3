board = [-1] * 8


def search(column):
    if column == 8:
        print(board)
        return
    for row in range(8):
        safe = True
        for i in range(column):
            if board[i] == row or abs(board[i] - row) == column - i:
                safe = False
        if safe:
            board[column] = row
            search(column + 1)


search(0)
