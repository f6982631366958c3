"""A competition of ski jumpers: their points, and their ranks, which equal points share."""

import sys

jumps = []
for line in sys.stdin:
    name, distance, *marks = line.split()
    middle = sorted(float(mark) for mark in marks)[1:-1]
    jumps.append((name, max(0.0, 60 + 2 * (float(distance) - 90) + sum(middle))))
for name, points in jumps:
    print(f"{name}: {points:.1f}")
ranking = sorted(jumps, key=lambda jump: -jump[1])
for name, points in ranking:
    rank = 1 + sum(other > points for _, other in jumps)
    print(f"{rank}. {name}")
if len(ranking) > 1:
    print(f"Margin: {ranking[0][1] - ranking[1][1]:.1f}")
