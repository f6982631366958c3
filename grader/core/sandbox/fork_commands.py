"""Goes on in each command of an outer sandbox: behind what many of them begin with, in a process inside.

It is handed to the sandbox as text, between that beginning and what belongs to one command alone.
"""

import os
import sys


def become_commands() -> None:
    """Return in each command that is asked for, in an inner sandbox, and nowhere else.

    Where the library cannot be loaded, the starter itself takes over, and each command loads all of it.
    """
    requests, starter, library = sys.argv[1:]
    sys.argv[1:] = []
    loaded = {*sys.modules}
    try:
        ctypes, gc, signal, time = map(__import__, ("ctypes", "gc", "signal", "time"))
        python, fork_commands = ctypes.pythonapi, ctypes.PyDLL(f"/proc/self/fd/{library}").fork_commands
    except (ImportError, OSError, AttributeError):
        os.execv(f"/proc/self/fd/{starter}", ["starter", requests])  # noqa: S606 - a program of ours
    for name in {*sys.modules} - loaded:
        del sys.modules[name]  # a student's file may be called like it
    interrupted = signal.signal(signal.SIGINT, signal.SIG_DFL)  # else process 1 would take it from inside
    gc.collect()
    gc.freeze()
    python.PyOS_BeforeFork()
    fork_commands(int(requests))
    python.PyOS_AfterFork_Child()
    if logging := sys.modules.get("logging"):  # of all that was loaded, it alone remembers when that was
        names = vars(logging)
        names["_startTime"] = time.time_ns() if isinstance(names.get("_startTime"), int) else time.time()
    signal.signal(signal.SIGINT, interrupted)
