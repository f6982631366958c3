import sys


def main(args):
    if len(args) != 1:
        print("Usage: menu.py DAY < MENU", file=sys.stderr)
        return 2
    day = args[0]
    dishes = []
    for line in sys.stdin:
        parts = [part.strip() for part in line.split("|")]
        if len(parts) == 3 and parts[0] == day:
            dishes.append((parts[2], parts[1]))
    if not dishes:
        print(f"Nothing on {day}")
        return 1
    for price, dish in sorted(dishes):
        print(f"{dish:.<20}{float(price):6.2f}")
    total = sum(float(price) for price, _ in dishes)
    print(f"Dishes: {len(dishes)}")
    print(f"Average: {total / len(dishes):.2f}")
    with open("cheapest.txt", "w") as file:
        file.write(min(dishes)[1] + "\n")
    return 0


sys.exit(main(sys.argv[1:]))
