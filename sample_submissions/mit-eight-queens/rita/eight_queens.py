def noConflicts(board, current):
    for i in range(current):
	if board[i] == board[current]:
	    return False
        if abs(board[i] - board[current]) == current - i:
            return False
    return True


def queens(board, current, n):
    if current == n:
        print(board)
        return
    for row in range(n):
        board[current] = row
        if noConflicts(board, current):
            queens(board, current + 1, n)


if __name__ == "__main__":
    queens([-1] * 8, 0, 8)
