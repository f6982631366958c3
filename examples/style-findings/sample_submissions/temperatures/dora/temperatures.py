import sys
import math


def convert(celsius):
    return celsius * 1.8 + 32


print(f"{convert(float(sys.argv[1])):.1f}")
