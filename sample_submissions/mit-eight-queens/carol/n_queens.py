import sys


def queens(n, column=0, rows=frozenset(), up=frozenset(), down=frozenset(), board=()):
    if column == n:
        yield board
    for row in range(n):
        if row in rows or row + column in up or row - column in down:
            continue
        yield from queens(
            n, column + 1, rows | {row}, up | {row + column}, down | {row - column}, board + (row + 1,)
        )


for board in queens(int(sys.argv[1])):
    print(board)
