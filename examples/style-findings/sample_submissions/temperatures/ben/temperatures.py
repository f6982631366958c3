import sys, os


def toFahrenheit(celsius):
    return celsius * 1.8 + 32


print(f"{toFahrenheit(float(sys.argv[1])):.1f}")
