import sys


def read(name):
    if name == "-":
        return sys.stdin.readlines()
    with open(name) as file:
        return file.readlines()


def main(args):
    if not args:
        print("Usage: log.py FILE [LEVEL]", file=sys.stderr)
        return 2
    try:
        lines = read(args[0])
    except FileNotFoundError:
        print(f"No file {args[0]}", file=sys.stderr)
        return 1
    levels = {}
    hours = {}
    skipped = 0
    errors = []
    for line in lines:
        parts = line.strip().split(" ", 2)
        if len(parts) < 3:
            skipped += 1
            continue
        time, level, message = parts
        if len(args) > 1 and level != args[1]:
            continue
        levels[level] = levels.get(level, 0) + 1
        hour = int(time.split(":")[0])
        hours[hour] = hours.get(hour, 0) + 1
        if level == "ERROR":
            errors.append(message)
    for level in sorted(levels):
        print(f"{level}: {levels[level]}")
    if hours:
        busiest = max(hours, key=hours.get)
        print(f"Busiest hour: {busiest} ({hours[busiest]})")
    print(f"Skipped: {skipped}")
    with open("errors.txt", "w") as out:
        for message in errors:
            out.write(message)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
