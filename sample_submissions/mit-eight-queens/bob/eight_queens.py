"""The eight queens, drawn."""
from itertools import permutations


def noConflicts(board, current):
    return all(
        board[i] == -1 or board[i] != board[current] and abs(board[i] - board[current]) != current - i
        for i in range(current)
    )


def draw(board):
    for row in range(len(board)):
        print(" ".join("Q" if queen == row else "." for queen in board) + " ")
    print()


if __name__ == "__main__":
    for rows in permutations(range(8)):
        if all(noConflicts(rows, column) for column in range(1, 8)):
            draw(rows)
