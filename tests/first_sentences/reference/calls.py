"""The calls of a month: what each day costs, with a maximum of 90 cents a day."""

import sys

COSTS = {}
CALLS = {}
SECONDS = []
for line in sys.stdin:
    day, seconds = (int(word) for word in line.split())
    cost = 0 if seconds < 6 else 9 * -(-seconds // 60)
    COSTS[day] = COSTS.get(day, 0) + cost
    CALLS[day] = CALLS.get(day, 0) + 1
    SECONDS.append(seconds)
for day, cost in COSTS.items():
    print(f"Day {day}: {CALLS[day]} calls, {min(cost, 90)} cents")
if SECONDS:
    billed = {day: min(cost, 90) for day, cost in COSTS.items()}
    print(f"Total: {sum(billed.values())} cents")
    print(f"Mean: {sum(SECONDS) / len(SECONDS):.1f} seconds")
    print(f"Dearest: day {max(billed, key=billed.get)}")
    print(f"Capped: {sum(cost > 90 for cost in COSTS.values())}")
else:
    print("No calls")
