import os


def total(number):
    return number * (number + 1) // 2


def first(number):
    child = os.fork()
    if not child:
        os._exit(3)
    assert os.waitpid(child, 0)[1]
    return total(number)


def guess(number):
    if number < 0:
        raise ValueError('negative')
    return total(number)
