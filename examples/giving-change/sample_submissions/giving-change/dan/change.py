import sys

for word in sys.argv[1:] or sys.stdin:
    print(*[20] * (int(word) // 20), *[1] * (int(word) % 20))
