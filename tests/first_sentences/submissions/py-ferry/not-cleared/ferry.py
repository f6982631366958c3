import sys

DECK = 30.0


def main():
    trip = 1
    used = 0.0
    vehicles = 0
    left = 0
    carried = 0
    longest = ""
    longest_length = 0.0
    fullest = 0
    most = 0.0
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "departs":
            print(f"Trip {trip}: {vehicles} vehicles, {used:.1f} m, {DECK - used:.1f} m free")
            if used > most:
                most = used
                fullest = trip
            carried += vehicles
            trip += 1
            vehicles = 0
            continue
        plate, length = words[0], float(words[1])
        if used + length <= DECK:
            used += length
            vehicles += 1
            if length > longest_length:
                longest_length = length
                longest = plate
        else:
            left += 1
            print(f"{plate} stays")
    if vehicles > 0:
        print(f"Trip {trip}: {vehicles} vehicles, {used:.1f} m, {DECK - used:.1f} m free")
        if used > most:
            most = used
            fullest = trip
        carried += vehicles
        trip += 1
    print(f"Trips: {trip - 1}")
    print(f"Carried: {carried}")
    print(f"Left behind: {left}")
    if carried > 0:
        print(f"Longest: {longest} ({longest_length:.1f} m)")
        print(f"Fullest: trip {fullest}")


main()
