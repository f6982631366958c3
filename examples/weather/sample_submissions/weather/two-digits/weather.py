import sys
from collections import defaultdict

sums, counts, bad = defaultdict(float), defaultdict(int), 0
for words in map(str.split, sys.stdin):
    try:
        name, value = words
        degrees = float(value)
    except ValueError:
        bad += 1
        continue
    sums[name] += degrees
    counts[name] += 1
print(f"I left out {bad} of the lines.")
open("means.txt", "w").writelines(f"{name} {sums[name] / counts[name]:.2f}\n" for name in sorted(counts))
