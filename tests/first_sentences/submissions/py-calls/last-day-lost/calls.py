import sys


def price(seconds):
    if seconds < 6:
        return 0
    return (seconds + 59) // 60 * 9


current = None
calls_of_day = 0
cost_of_day = 0
total = 0
seconds_sum = 0
number = 0
capped = 0
dearest_day = None
dearest_cost = -1

for line in sys.stdin:
    day, seconds = line.split()
    day = int(day)
    seconds = int(seconds)
    if current is not None and day != current:
        if cost_of_day > 90:
            capped += 1
            cost_of_day = 90
        print("Day " + str(current) + ": " + str(calls_of_day) + " calls, " + str(cost_of_day) + " cents")
        total += cost_of_day
        if cost_of_day > dearest_cost:
            dearest_cost = cost_of_day
            dearest_day = current
        calls_of_day = 0
        cost_of_day = 0
    current = day
    calls_of_day += 1
    cost_of_day += price(seconds)
    seconds_sum += seconds
    number += 1

if number == 0:
    print("No calls")
else:
    print("Total:", total, "cents")
    print("Mean:", round(seconds_sum / number, 1), "seconds")
    print("Dearest: day", dearest_day)
    print("Capped:", capped)
