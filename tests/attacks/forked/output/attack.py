# Tries to fill the output that the methods share. Safe: 6, passed or output or failed.
import os


def total(number):
    return number * (number + 1) // 2


def first(number):
    return total(number)


def guess(number):
    os.write(1, b'x' * (1 << 20))
    os.write(2, b'x' * (2 << 20))
    return 0
