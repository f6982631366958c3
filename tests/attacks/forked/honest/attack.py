import os


def total(number):
    return number * (number + 1) // 2


def first(number):
    return total(number)


def guess(number):
    if number < 0:
        raise ValueError('negative')
    return total(number)
