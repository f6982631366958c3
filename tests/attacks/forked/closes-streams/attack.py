# Tries to close the streams that pytest itself writes to. Safe: 4, passed or crashed or failed.
import os, sys


def total(number):
    return number * (number + 1) // 2


def first(number):
    sys.stdout.close()
    sys.stderr.close()
    return total(number)


def guess(number):
    return 0
