import sys

sums = {}
for line in sys.stdin:
    name, value = line.split()
    total, count = sums.get(name, (0, 0))
    sums[name] = total + float(value), count + 1
for name, (total, count) in sorted(sums.items()):
    print(name, total / count)
