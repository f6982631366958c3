import sys


def read_numbers():
    result = []
    while True:
        try:
            text = input()
        except EOFError:
            break
        if not text.lstrip("-").isdigit():
            sys.stderr.write("Not a number: %s\n" % text)
            sys.exit(1)
        result.append(int(text))
    return result


def median(values):
    middle = len(values) // 2
    if len(values) % 2:
        return float(values[middle])
    return (values[middle - 1] + values[middle]) // 2


values = sorted(read_numbers())
print("Sorted:", *values)
print("Median: %.1f" % median(values))
