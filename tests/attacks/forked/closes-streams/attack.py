# Tries to close the streams that pytest itself writes to. Safe: 6, passed or crashed.
import os, sys


def total(number):
    return number * (number + 1) // 2


def first(number):
    sys.stdout.close()
    sys.stderr.close()
    return total(number)


def guess(number):
    if number < 0:
        raise ValueError('negative')
    return total(number)
