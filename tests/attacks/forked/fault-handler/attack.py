# Tries to have the process ended by what watches it. Safe: 6, passed or crashed or failed.
import faulthandler, time


def total(number):
    return number * (number + 1) // 2


def first(number):
    return total(number)


def guess(number):
    faulthandler.dump_traceback_later(0.01, exit=True)
    time.sleep(1)
    return 0
