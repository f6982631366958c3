import sys


def minutes_of(clock):
    hours, minutes = clock.split(":")
    return 60 * int(hours) + int(minutes)


def price_of(minutes):
    if minutes <= 15:
        return 0
    return min(12, 2 * -(-minutes // 60))


there = {}
income = 0
stays = []
for line in sys.stdin:
    plate, way, clock = line.split()
    if way == "in":
        there[plate] = minutes_of(clock)
    else:
        minutes = minutes_of(clock) - there.pop(plate)
        print(f"{plate}: {minutes} min, {price_of(minutes):.2f}")
        income += price_of(minutes)
        stays.append((minutes, plate))
print("Still there:", " ".join(sorted(there)) or "nobody")
print(f"Income: {income:.2f}")
if stays:
    longest = max(minutes for minutes, _ in stays)
    print("Longest:", next(plate for minutes, plate in stays if minutes == longest))
    print(f"Mean: {sum(minutes for minutes, _ in stays) / len(stays):.1f}")
