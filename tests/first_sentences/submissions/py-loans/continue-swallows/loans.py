import sys


def main():
    members = {}
    fines = {}
    days_total = 0
    count = 0
    late = 0
    longest_title = ""
    longest_days = -1
    for line in sys.stdin:
        line = line.strip()
        if not line or line.startswith("#"):
            pass
        name, title, days = line.split(";")
        days = int(days)
        count += 1
        days_total += days
        if name not in members:
            members[name] = 0
            fines[name] = 0
        members[name] += 1
        fine = 0
        if days > 14:
            fine = (days - 14) * 20
            if fine > 500:
                fine = 500
            late += 1
        fines[name] += fine
        if days > longest_days:
            longest_days = days
            longest_title = title
    if count == 0:
        print("No loans")
        sys.exit(2)
    for name in sorted(members):
        print("%s: %d books, %.2f" % (name, members[name], fines[name] / 100))
    print("Total: %.2f" % (sum(fines.values()) / 100))
    print("Longest: %s (%d days)" % (longest_title, longest_days))
    print("Average: %.1f days" % (days_total / count))
    print("Late: %d" % late)


main()
