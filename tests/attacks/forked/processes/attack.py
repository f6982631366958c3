# Tries to leave few processes for the others. Safe: 6, passed or failed.
import os, time


def total(number):
    return number * (number + 1) // 2


def first(number):
    for _ in range(24):
        if not os.fork():
            time.sleep(60)
            os._exit(0)
    return total(number)


def guess(number):
    return 0
