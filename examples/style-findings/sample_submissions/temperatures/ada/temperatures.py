import sys

DEGREES = 32


def convert(celsius):
    return DEGREES + 1.8 * celsius


print(f"{convert(float(sys.argv[1])):.1f}")
