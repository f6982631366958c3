import sys


def read_marks(path):
    marks = []
    with open(path) as file:
        for line in file:
            name, mark = line.split()
            marks.append((name, mark))
    return marks


def main():
    if len(sys.argv) != 2:
        print("Usage: marks.py FILE", file=sys.stderr)
        sys.exit(1)
    try:
        marks = read_marks(sys.argv[1])
    except OSError:
        print("Cannot read", sys.argv[1], file=sys.stderr)
        sys.exit(2)
    if len(marks) == 0:
        print("No marks")
        return
    best_name = ""
    best = -1
    total = 0
    passed = 0
    for name, mark in marks:
        total += int(mark)
        if mark > best:
            best = mark
            best_name = name
        if mark >= 50:
            passed += 1
    print("Students:", len(marks))
    print(f"Best: {best_name} ({best})")
    print(f"Average: {total / len(marks):.2f}")
    print("Passed:", passed)


main()
