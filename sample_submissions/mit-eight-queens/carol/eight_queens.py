def noConflicts(board, current):
    row = board[current]
    left = board[:current]
    for distance, other in enumerate(reversed(left), 1):
        if other in (row, row - distance, row + distance):
            return False
    return True


# Goes back and forth over the columns, without recursion.
board = [-1] * 8
column = 0
found = 0
while column >= 0:
    board[column] += 1
    if board[column] == 8:
        board[column] = -1
        column -= 1
    elif noConflicts(board, column):
        if column == 7:
            found += 1
            print(f"{found}: {board}")
        else:
            column += 1
print("There are", found, "solutions.")
