# Tries to burn time in a call and refuse to be ended. Safe: 0, timeout.
import signal

def total(number):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    while True:
        pass
