import sys

parked = {}
income = 0
total = 0
count = 0
longest = 0
longest_plate = ""

for line in sys.stdin:
    parts = line.split()
    plate = parts[0]
    hour, minute = parts[2].split(":")
    time = int(hour) * 60 + int(minute)
    if parts[1] == "in":
        parked[plate] = time
    elif parts[1] == "out":
        duration = time - parked[plate]
        del parked[plate]
        if duration <= 15:
            price = 0
        else:
            hours = duration // 60
            if duration % 60 != 0:
                hours += 1
            price = hours * 2
            if price > 12:
                price = 12
        print(f"{plate}: {duration} min, {price:.2f}")
        income += price
        total += duration
        count += 1
        if duration > longest:
            longest_plate = plate

if len(parked) > 0:
    print("Still there:", " ".join(sorted(parked)))
else:
    print("Still there: nobody")
print(f"Income: {income:.2f}")
if count > 0:
    print("Longest:", longest_plate)
    print(f"Mean: {total / count:.1f}")
