import sys

PRICES = {"city": 50, "electric": 80}
bikes: dict[int, str] = {}
rented: dict[int, tuple[str, int]] = {}
paid: dict[str, int] = {}
rides = 0


def money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


for line in sys.stdin:
    command, number, *rest = line.split()
    bike = int(number)
    if command == "add":
        if bike in bikes:
            print(f"bike {bike} exists")
        else:
            bikes[bike] = rest[0]
    elif bike not in bikes:
        print(f"no bike {bike}")
    elif command == "rent":
        if bike in rented:
            print(f"bike {bike} is rented")
        else:
            rented[bike] = (rest[0], int(rest[1]))
            print(f"{rest[0]} takes bike {bike}")
    elif bike not in rented:
        print(f"bike {bike} is free")
    else:
        name, start = rented.pop(bike)
        cents = min(1000, -(-(int(rest[0]) - start) // 15) * PRICES[bikes[bike]])
        paid[name] = paid.get(name, 0) + cents
        rides += 1
        print(f"{name} pays {money(cents)}")
print("Rides:", rides)
print("Income:", money(sum(paid.values())))
best = min(paid, key=lambda name: (-paid[name], name), default=None)
print("Best:", "nobody" if best is None else f"{best} {money(paid[best])}")
print("Out:", ", ".join(map(str, sorted(rented))) or "none")
