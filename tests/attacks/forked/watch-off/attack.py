# Tries to turn off what ends a method that takes too long. Safe: 6, passed or failed or timeout.
import faulthandler, signal


def total(number):
    return number * (number + 1) // 2


def first(number):
    return total(number)


def guess(number):
    faulthandler.cancel_dump_traceback_later()
    for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(timer, 0)
    for number in (signal.SIGALRM, signal.SIGPROF, signal.SIGVTALRM, signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    while number == 6:
        pass
    return 0
