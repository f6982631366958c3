def read_lines():
    lines = []
    line = input()
    while line != "end":
        lines.append(line)
        line = input()
    return lines


def parse(lines):
    runners = []
    missing = 0
    i = 0
    while i < len(lines):
        line = lines[i]
        i += 1
        if line.startswith("#"):
            continue
        name, seconds = line.split()
        if seconds == "-":
            missing += 1
            continue
        if seconds.endswith("s"):
            seconds = seconds[:-1]
        runners.append((int(seconds), name))
    return runners, missing


def main():
    runners, missing = parse(read_lines())
    runners.sort()
    place = 1
    late = []
    total = 0
    for seconds, name in runners:
        print(f"{place}. {name} {seconds}")
        place += 1
        total += seconds
        if seconds > 100:
            late.append(name)
    if len(late) == 0:
        late.append("nobody")
    print("Late: " + ", ".join(late)
    mean = 0
    if len(runners) > 0:
        mean = total / len(runners)
    print(f"Mean: {mean:.2f}")
    print("Missing:", missing)


main()
