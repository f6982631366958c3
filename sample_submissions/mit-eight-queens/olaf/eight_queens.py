def noConflicts(board, current):
    here = board[current]
    for column, row in enumerate(board[:current]):
        if row == here or abs(row - here) == current - column:
            return False
    return True


def search(board, column):
    if column == len(board):
        print(board)
    else:
        for row in range(len(board)):
            board[column] = row
            if noConflicts(board, column):
                search(board, column + 1)


if __name__ == "__main__":
    search([-1] * 8, 0)
