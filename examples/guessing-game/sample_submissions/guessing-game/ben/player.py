import sys

low, high = (int(word) for word in sys.stdin.readline().split())
for line in iter(lambda: (print((low + high) // 2), sys.stdout.flush(), sys.stdin.readline())[2].strip(), "right"):
    middle = (low + high) // 2
    low, high = (middle + 1, high) if line == "higher" else (low, middle - 1)
