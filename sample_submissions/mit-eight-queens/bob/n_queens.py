"""N queens: python3 n_queens.py N"""
import sys

from eight_queens import draw, noConflicts


def queens(n):
    boards = [[]]
    for column in range(n):
        longer = [board + [row] for board in boards for row in range(n)]
        boards = [board for board in longer if noConflicts(board, column)]
    return boards


if __name__ == "__main__":
    solutions = queens(int(sys.argv[1]))
    for solution in solutions:
        draw(solution)
    print(len(solutions), "solutions")
