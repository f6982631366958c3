#!/usr/bin/env python3
import sys


def queens(n, placed=()):
    if len(placed) == n:
        yield placed
        return
    for row in range(n):
        if all(row != other and abs(row - other) != len(placed) - column for column, other in enumerate(placed)):
            yield from queens(n, placed + (row,))


for solution in queens(int(sys.argv[1])):
    print(list(solution))
