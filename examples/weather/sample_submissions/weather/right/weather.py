import sys

found, left_out = {}, 0
for line in sys.stdin:
    try:
        station, degrees = line.split()
        number = float(degrees)
    except ValueError:
        left_out += 1
    else:
        found.setdefault(station, []).append(number)
with open("means.txt", "w") as file:
    for station, all_degrees in sorted(found.items()):
        print(station, round(sum(all_degrees) / len(all_degrees), 2), file=file)
print(left_out)
