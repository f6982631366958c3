# Tries to change the probe by its frames. Safe: 0, failed or crashed.
import sys
frame = sys._getframe()
while frame:
    for name in list(frame.f_globals):
        if callable(frame.f_globals[name]) and not name.startswith('__'):
            frame.f_globals[name] = lambda *a, **k: 761995
    frame = frame.f_back
def total(number):
    return 0
