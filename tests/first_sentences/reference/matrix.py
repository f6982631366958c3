from functools import cache

n, *numbers = [int(word) for word in open(0).read().split()]
rows = [numbers[n * row : n * row + n] for row in range(n)]


@cache
def best(row, column):
    ways = [best(*to) for to in ((row, column + 1), (row + 1, column)) if max(to) < n]
    return rows[row][column] + max(ways, default=0)


if n == 0:
    print("Empty")
else:
    for column in range(n):
        print(*[row[column] for row in rows])
    print("Trace:", sum(rows[i][i] for i in range(n)))
    print("Symmetric:", "yes" if rows == [list(column) for column in zip(*rows)] else "no")
    print("Best path:", best(0, 0))
