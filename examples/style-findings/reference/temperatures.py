import sys


def to_fahrenheit(celsius: float) -> float:
    return celsius * 9 / 5 + 32


print(f"{to_fahrenheit(float(sys.argv[1])):.1f}")
