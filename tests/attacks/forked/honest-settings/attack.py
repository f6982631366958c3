import decimal, gc, locale, random, sys


def total(number):
    return number * (number + 1) // 2


def first(number):
    random.seed(1)
    gc.disable()
    sys.setrecursionlimit(500)
    decimal.getcontext().prec = 2
    locale.setlocale(locale.LC_ALL, 'C')
    return total(number)


def guess(number):
    if number < 0:
        raise ValueError('negative')
    return total(number)
