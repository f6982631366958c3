# Tries to leave no memory for the others. Safe: 6, passed or memory or failed or crashed.
import time


def total(number):
    return number * (number + 1) // 2


def first(number):
    return total(number)


def guess(number):
    kept = bytearray(300 << 20)
    return len(kept)
