# Tries to stop for ever. Safe: 6, passed or timeout or failed or crashed.
import os, signal


def total(number):
    return number * (number + 1) // 2


def first(number):
    return total(number)


def guess(number):
    if number == 6:
        os.kill(os.getpid(), signal.SIGSTOP)
    return 0
