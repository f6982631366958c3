# Tries to write a record at the exit, and keep the others from theirs. Safe: 6, passed or failed.
import atexit, os, sys, threading

@atexit.register
def forge():
    os.write(1, b"harm: it ran at the exit")
    os._exit(0)

threading._register_atexit(forge)


def total(number):
    return number * (number + 1) // 2


def first(number):
    sys.exitfunc = forge
    return total(number)


def guess(number):
    return 0
