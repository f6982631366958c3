import sys


def read():
    rows = []
    for line in sys.stdin.read().splitlines():
        street, house, old, new = line.split(",")
        used = int(new) - int(old)
        if used < 0:
            used += 100000
        rows.append((street, int(house), used))
    return sorted(rows)


def show(street, house, used, total):
    print(f"{street:<12}{house:>6}{used:>8}{used / total * 100:>7.1f}%")


def main():
    rows = read()
    total = sum(row[2] for row in rows)
    print("Street       House     kWh   Share")
    subtotal = 0
    before = rows[0][0]
    highest = rows[0]
    for street, house, used in rows:
        if street != before:
            show(before, "sum", subtotal, total)
            subtotal = 0
            before = street
        show(street, house, used, total)
        subtotal += used
        if used > highest[2]:
            highest = (street, house, used)
    show(before, "sum", subtotal, total)
    print(f"Total: {total}")
    print(f"Mean: {total / len(rows):.1f}")
    print(f"Highest: {highest[0]} {highest[1]}")


main()
