# Tries to lower its own limits so that nothing is recorded. Safe: 6, passed or crashed or failed.
import resource


def total(number):
    return number * (number + 1) // 2


def first(number):
    return total(number)


def guess(number):
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    return 0
