# Tries to have a hook run where the next method is forked. Safe: 6, passed or failed.
import os

def hook(where):
    def run():
        global guess, total
        guess = lambda number: number * (number + 1) // 2
        total = lambda number: 0
        os.write(1, b"harm: the hook ran " + where)
    return run

os.register_at_fork(before=hook(b"before"), after_in_parent=hook(b"in the parent"), after_in_child=hook(b"in the child"))


def total(number):
    return number * (number + 1) // 2


def first(number):
    return total(number)


def guess(number):
    return 0
