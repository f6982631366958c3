import sys

MAXIMUM = 90


def cost_of_call(seconds):
    if seconds < 6:
        return 0
    minutes = seconds // 60
    if seconds % 60 > 0:
        minutes += 1
    return minutes * 9


costs = {}
counts = {}
total_seconds = 0
calls = 0
for line in sys.stdin:
    parts = line.split()
    day = int(parts[0])
    seconds = parts[1]
    if day not in costs:
        costs[day] = 0
        counts[day] = 0
    costs[day] += cost_of_call(seconds)
    counts[day] += 1
    total_seconds += seconds
    calls += 1

if calls == 0:
    print("No calls")
else:
    total = 0
    capped = 0
    dearest = None
    highest = -1
    for day in costs:
        cost = costs[day]
        if cost > MAXIMUM:
            cost = MAXIMUM
            capped += 1
        print(f"Day {day}: {counts[day]} calls, {cost} cents")
        total += cost
        if cost > highest:
            highest = cost
            dearest = day
    print(f"Total: {total} cents")
    print(f"Mean: {total_seconds / calls:.1f} seconds")
    print(f"Dearest: day {dearest}")
    print(f"Capped: {capped}")
