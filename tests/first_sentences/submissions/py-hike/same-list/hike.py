import sys

total = 0
hikes = []


def add(name, km, up):
    global total
    total += km
    hikes.append((name, km, up))


def is_easy(km, up):
    return km < 10 and up < 500


line = input()
while line != "end":
    name, km, up = line.split(";")
    add(name.upper(), float(km), int(up))
    line = input()

print(f"{len(hikes)} hikes")
every = hikes
every.sort(key=lambda hike: hike[1])
longest = every[-1]
for hike in hikes[:]:
    name, km, up = hike
    if name == "RIGI" or name == "NAPF":
        hikes.remove(hike)
for name, km, up in hikes:
    kind = "easy" if is_easy(km, up) else "hard"
    print(f"{name}: {km * 2} km there and back, {kind}")
print("Total: " + str(total))
print("First:", hikes[0][0])
print("Longest:", longest[0])
