# Tries to change results by what traces and profiles. Safe: 6, passed or crashed or failed.
import sys, threading


def total(number):
    return number * (number + 1) // 2


def first(number):
    return total(number)


def guess(number):
    def forge(frame, event, argument):
        for name in ("result", "failures", "error", "err"):
            if name in frame.f_locals:
                frame.f_locals[name] = None
        if frame.f_code.co_name.startswith(("addFailure", "addError", "_failure")):
            raise SystemExit(0)
        return forge
    sys.settrace(forge)
    sys.setprofile(forge)
    threading.setprofile(forge)
    return 0
