def row_sums(matrix):
    return [sum(row) for row in matrix]


def transpose(matrix):
    rows = len(matrix)
    columns = len(matrix[0])
    result = []
    for j in range(columns):
        row = []
        for i in range(rows):
            row.append(matrix[i][j])
        result.append(row)
    return result


def depth(nested):
    if not isinstance(nested, list):
        return 0
    deepest = 0
    for element in nested:
        deepest = max(deepest, depth(element))
    return 1 + deepest


def add_mark(mark, marks=None):
    if marks is None:
        marks = []
    marks.append(mark)
    return marks


n = int(input("How many rows? "))
matrix = [[int(x) for x in input().split()] for _ in range(n)]
print(row_sums(matrix))
