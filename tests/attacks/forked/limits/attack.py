# Tries to lower the limits of process 1 and of its own. Safe: 6, passed or failed.
import os, resource

def lower(process):
    for name in ("RLIMIT_FSIZE", "RLIMIT_NPROC", "RLIMIT_NOFILE", "RLIMIT_CORE", "RLIMIT_AS", "RLIMIT_STACK"):
        try:
            resource.prlimit(process, getattr(resource, name), (0, 0))
        except (OSError, ValueError):
            pass
    try:
        os.setpriority(os.PRIO_PROCESS, process, 19)
        os.sched_setaffinity(process, {0})
    except OSError:
        pass


def total(number):
    return number * (number + 1) // 2


def first(number):
    lower(1)
    return total(number)


def guess(number):
    return 0
