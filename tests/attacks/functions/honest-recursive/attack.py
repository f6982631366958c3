import sys

sys.setrecursionlimit(5000)


def total(number):
    if number == 0:
        return 0
    return number + total(number - 1)
