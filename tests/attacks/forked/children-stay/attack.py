# Tries to end the others by a child that outlives its method. Safe: 6, passed or failed.
import os, signal, time

def wait_and_end():
    if os.fork():
        return
    os.setsid()
    for number in range(1, 32):
        if number not in (9, 19):
            signal.signal(number, signal.SIG_IGN)
    begun, parent = time.monotonic(), os.getppid()
    while os.getppid() == parent:
        time.sleep(0.001)
    while True:
        os.kill(-1, signal.SIGKILL)
        if time.monotonic() > begun + 5:
            print("harm: it lived on", flush=True)


def total(number):
    return number * (number + 1) // 2


def first(number):
    wait_and_end()
    return total(number)


def guess(number):
    return 0
