import sys


def read_days():
    days = []
    for line in sys.stdin:
        if line.strip():
            day, text = line.split()
            days.append((day, text))
    return days


def longest_rise(days):
    longest = 1
    length = 1
    for i in range(1, len(days)):
        if days[i][1] > days[i - 1][1]:
            length += 1
        else:
            length = 1
        if length > longest:
            longest = length
    return longest


def main():
    days = read_days()
    if len(days) == 0:
        print("No data")
        return
    coldest = days[0]
    warmest = days[0]
    total = 0
    frost = 0
    for entry in days:
        if entry[1] < coldest[1]:
            coldest = entry
        if entry[1] > warmest[1]:
            warmest = entry
        total += float(entry[1])
        if float(entry[1]) < 0:
            frost += 1
    print("Coldest:", coldest[0], coldest[1])
    print("Warmest:", warmest[0], warmest[1])
    print(f"Mean: {total / len(days):.1f}")
    print("Frost days:", frost)
    print("Rising:", longest_rise(days))


main()
