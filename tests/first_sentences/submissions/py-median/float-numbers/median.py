import sys

numbers = []
for line in sys.stdin:
    line = line.strip()
    try:
        numbers.append(float(line))
    except ValueError:
        print("Not a number: " + line, file=sys.stderr)
        sys.exit(1)

numbers.sort()
n = len(numbers)
if n % 2 == 1:
    median = numbers[n // 2]
else:
    median = (numbers[n // 2 - 1] + numbers[n // 2]) / 2
print("Sorted:", " ".join(str(x) for x in numbers))
print(f"Median: {median:.1f}")
