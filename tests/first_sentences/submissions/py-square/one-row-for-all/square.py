n = int(input())
square = []
for i in range(n):
    square.append([int(word) for word in input().split()])

turned = [[0] * n] * n
for i in range(n):
    for j in range(n):
        turned[i][j] = square[n - 1 - j][i]

print("Turned:")
for row in turned:
    print(" ".join(str(number) for number in row))

rows = [sum(row) for row in square]
columns = [sum(row[j] for row in square) for j in range(n)]
first = 0
second = 0
for i in range(n):
    first += square[i][i]
    second += square[i][n - 1 - i]

print("Rows:", " ".join(str(number) for number in rows))
print("Columns:", " ".join(str(number) for number in columns))
print("Diagonals:", first, second)
if len(set(rows + columns + [first, second])) == 1:
    print("Magic:", first)
else:
    print("Not magic")
