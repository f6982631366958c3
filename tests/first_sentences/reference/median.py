"""Print the numbers of standard input in their order, and the median."""

import sys

numbers = []
for line in sys.stdin.read().splitlines():
    try:
        numbers.append(int(line))
    except ValueError:
        print(f"Not a number: {line}", file=sys.stderr)
        sys.exit(1)
numbers.sort()
middle = len(numbers) // 2
print("Sorted:", *numbers)
print(f"Median: {(numbers[middle] + numbers[-middle - 1]) / 2:.1f}")
