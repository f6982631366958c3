import sys
xs = sorted(map(int, sys.stdin.read().split()))
if not xs:
    print("No grades")
else:
    print(*xs)
    n = len(xs)
    print(f"Median: {(xs[(n - 1) // 2] + xs[n // 2]) / 2:.1f}")
    print("Passed:", sum(x >= 50 for x in xs))
