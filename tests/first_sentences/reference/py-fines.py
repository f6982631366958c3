def fine_for(kind, days):
    if days <= 0:
        return 0
    if kind == "film":
        cents = 100 * days
    elif days <= 7:
        cents = 20 * days
    else:
        cents = 20 * 7 + 50 * (days - 7)
    return min(cents, 1000)


def main():
    total = 0
    late = 0
    highest = 0
    highest_title = ""
    line = input()
    while line != "end":
        title, kind, days = line.split()
        fine = fine_for(kind, int(days))
        print(f"{title}: {fine / 100:.2f}")
        total += fine
        if fine > 0:
            late += 1
        if fine > highest:
            highest = fine
            highest_title = title
        line = input()
    print(f"Total: {total / 100:.2f}")
    if late == 0:
        print("nothing is late")
    else:
        print("Highest:", highest_title)
        print(f"Average: {total / late / 100:.2f}")


main()
