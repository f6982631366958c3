n = int(input())
square = []
for i in range(n):
    square.append([int(word) for word in input().split()])

turned = []
for i in range(n):
    row = []
    for j in range(n):
        row.append(square[n - 1 - j][i])
    turned.append(row)

print("Turned:")
for row in turned:
    print(row)

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
