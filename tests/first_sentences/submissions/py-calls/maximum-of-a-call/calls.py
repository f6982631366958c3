import sys

days = []
calls = {}
costs = {}
uncapped = {}
all_seconds = []

for line in sys.stdin:
    day, seconds = map(int, line.split())
    if day not in days:
        days.append(day)
        calls[day] = 0
        costs[day] = 0
        uncapped[day] = 0
    minutes = (seconds + 59) // 60
    cost = 9 * minutes
    if seconds < 6:
        cost = 0
    uncapped[day] += cost
    costs[day] += min(cost, 90)
    calls[day] += 1
    all_seconds.append(seconds)

if not days:
    print("No calls")
else:
    best = days[0]
    for day in days:
        print(f"Day {day}: {calls[day]} calls, {costs[day]} cents")
        if costs[day] > costs[best]:
            best = day
    print(f"Total: {sum(costs.values())} cents")
    print(f"Mean: {sum(all_seconds) / len(all_seconds):.1f} seconds")
    print(f"Dearest: day {best}")
    print(f"Capped: {len([d for d in days if uncapped[d] > 90])}")
