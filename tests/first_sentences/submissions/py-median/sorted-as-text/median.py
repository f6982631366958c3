import sys

numbers = []
for line in sys.stdin:
    line = line.strip()
    if line.lstrip('-').isdigit():
        numbers.append(line)
    else:
        print("Not a number: " + line, file=sys.stderr)
        sys.exit(1)

numbers.sort()
n = len(numbers)
if n % 2 == 1:
    median = int(numbers[n // 2])
else:
    median = (int(numbers[n // 2 - 1]) + int(numbers[n // 2])) / 2
print("Sorted:", " ".join(str(x) for x in numbers))
print(f"Median: {median:.1f}")
