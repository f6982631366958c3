import sys
days = [line.split() for line in sys.stdin if line.strip()]
if not days:
    print("No data")
else:
    temps = [float(t) for _, t in days]
    for word, pick in (("Coldest", min), ("Warmest", max)):
        at = temps.index(pick(temps))
        print(f"{word}: {days[at][0]} {temps[at]}")
    print(f"Mean: {sum(temps) / len(temps):.1f}")
    print("Frost days:", sum(t < 0 for t in temps))
    best = run = 1
    for one, two in zip(temps, temps[1:]):
        run = run + 1 if two > one else 1
        best = max(best, run)
    print("Rising:", best)
