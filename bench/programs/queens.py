"""A student's N-Queens: one queen a row, every column tried against all queens above."""

import sys

USAGE = "Usage: Queens [-v] number\nOption: -v  verbose output, print all solutions\n"


def safe(columns, column):
    row = len(columns)
    for above, other in enumerate(columns):
        if other == column or abs(other - column) == row - above:
            return False
    return True


def search(size, columns, verbose):
    if len(columns) == size:
        if verbose:
            print("(" + ", ".join(str(column) for column in columns) + ")")
        return 1
    found = 0
    for column in range(1, size + 1):
        if safe(columns, column):
            found += search(size, columns + [column], verbose)
    return found


def main():
    words = sys.argv[1:]
    verbose = words[:1] == ["-v"]
    if verbose:
        words = words[1:]
    if len(words) != 1 or not words[0].isdigit():
        sys.stderr.write(USAGE)
        sys.exit(1)
    size = int(words[0])
    found = search(size, [], verbose)
    print(f"{size}-Queens has {found} solutions")


if __name__ == "__main__":
    main()
