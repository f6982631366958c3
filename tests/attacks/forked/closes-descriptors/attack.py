# Tries to close what pytest itself has open. Safe: 4, passed or crashed or failed.
import os


def total(number):
    return number * (number + 1) // 2


def first(number):
    os.closerange(3, 256)
    return total(number)


def guess(number):
    return 0
