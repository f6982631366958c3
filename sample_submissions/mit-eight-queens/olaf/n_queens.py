import sys
from eight_queens import search

n = int(sys.argv[1])
print "Solutions for", n, "queens:"
search([-1] * n, 0)
