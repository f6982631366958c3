a, b = map(int, input().split())
print(a + b if a in (1, 11) else 0)
