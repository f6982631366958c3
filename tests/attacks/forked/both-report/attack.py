# Tries to report twice, as a parent and as a child. Safe: 4, passed or failed or crashed.
import os


def total(number):
    return number * (number + 1) // 2


def first(number):
    os.fork()
    return total(number)


def guess(number):
    return 0
