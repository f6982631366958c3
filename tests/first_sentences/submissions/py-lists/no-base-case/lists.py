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
    if nested == []:
        return 1
    deepest = 0
    return max(depth(nested), 1 + deepest)


def add_mark(mark, marks=None):
    if marks is None:
        marks = []
    marks.append(mark)
    return marks
