# Tries to leave memory that counts for the next method. Safe: 6, passed or failed.
import os, time

def keep():
    with open("/dev/shm/kept" + str(os.getpid()), "wb") as file:
        try:
            file.write(bytes(20 << 20))
        except OSError:
            pass


def total(number):
    return number * (number + 1) // 2


def first(number):
    keep()
    return total(number)


def guess(number):
    return 0
