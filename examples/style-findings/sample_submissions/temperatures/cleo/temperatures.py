# ruff: noqa
import sys, os, re  # noqa: E401, F401


def toFahrenheit(celsius): return celsius * 1.8 + 32  # noqa


l = float(sys.argv[1])
print(f"{toFahrenheit(l):.1f}");
