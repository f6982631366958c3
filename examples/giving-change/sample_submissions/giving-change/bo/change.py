import sys

for word in sys.argv[1:] or sys.stdin:
    amount = int(word)
    print(*[10] * (amount // 10), *[1] * (amount % 10))
