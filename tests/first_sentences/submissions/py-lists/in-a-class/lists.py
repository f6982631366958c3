class Lists:
    def row_sums(self, matrix):
        return [sum(row) for row in matrix]

    def transpose(self, matrix):
        rows = len(matrix)
        columns = len(matrix[0])
        result = []
        for j in range(columns):
            row = []
            for i in range(rows):
                row.append(matrix[i][j])
            result.append(row)
        return result

    def depth(self, nested):
        if not isinstance(nested, list):
            return 0
        deepest = 0
        for element in nested:
            deepest = max(deepest, self.depth(element))
        return 1 + deepest

    def add_mark(self, mark, marks=None):
        if marks is None:
            marks = []
        marks.append(mark)
        return marks
