# Tries to be asked about each file that is opened, and refuse it. Safe: 6, passed or crashed or failed.
import os, sys


def total(number):
    return number * (number + 1) // 2


def first(number):
    return total(number)


def guess(number):
    def refuse(event, arguments):
        if event in ("open", "os.write", "exec", "import", "sys._getframe"):
            raise ValueError("negative")
    sys.addaudithook(refuse)
    return 0
