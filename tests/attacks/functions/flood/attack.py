# Tries to print without end in a call. Safe: 0, output or failed or crashed.
import os
import time

def total(number):
    stop = time.time() + 10
    while time.time() < stop:
        os.write(1, b"x" * 65536)
        os.write(2, b"x" * 65536)
    return 15
