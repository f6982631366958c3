# Tries to end the next method by timers that outlive one. Safe: 6, passed or failed.
import faulthandler, signal, time


def total(number):
    return number * (number + 1) // 2


def first(number):
    for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL):
        signal.setitimer(timer, 0.3)
    return total(number)


def guess(number):
    return 0
