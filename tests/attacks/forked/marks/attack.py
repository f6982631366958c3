# Tries to write signs that part the output of the methods. Safe: 6, passed or failed.
import os, sys


def total(number):
    return number * (number + 1) // 2


def first(number):
    for place in range(9):
        os.write(1, b"\x1e" + b"0" * 16 + b" %d\nharm" % place)
    return total(number)


def guess(number):
    return 0
