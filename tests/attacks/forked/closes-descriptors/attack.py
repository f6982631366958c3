# Tries to close what pytest itself has open. Safe: 6, passed or crashed.
import os


def total(number):
    return number * (number + 1) // 2


def first(number):
    os.closerange(3, 256)
    return total(number)


def guess(number):
    if number < 0:
        raise ValueError('negative')
    return total(number)
