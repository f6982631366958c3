import threading, time


def total(number):
    return number * (number + 1) // 2


def first(number):
    threading.Thread(target=time.sleep, args=(99,)).start()
    return total(number)


def guess(number):
    if number < 0:
        raise ValueError('negative')
    return total(number)
