import sys

from eight_queens import EightQueens

EightQueens(int(sys.argv[1]))
