import sys


def main():
    stays = []
    for line in sys.stdin:
        if not line.strip():
            continue
        plate, arrived, left = line.split()
        hours, minutes = arrived.split(":")
        start = int(hours) * 60 + int(minutes)
        hours, minutes = left.split(":")
        end = int(hours) * 60 + int(minutes)
        stays.append((plate, end - start))
    total = 0
    longest = ""
    most = -1
    free = 0
    for plate, stay in stays:
        fee = 0
        if stay >= 15:
            fee = (stay + 59) // 60 * 2
            fee = min(fee, 18)
        else:
            free += 1
        total += fee
        if stay > most:
            most = stay
            longest = plate
        print(f"{plate}: {stay // 60}:{stay % 60:02d} h, {fee}.00")
    print(f"Cars: {len(stays)}")
    print(f"Free: {free}")
    print(f"Total: {total}.00")
    if stays:
        print(f"Longest: {longest}")
        print(f"Mean stay: {sum(stay for _, stay in stays) / len(stays):.1f} min")


main()
