# Tries to take the processors from others. Safe: 0, failed.
import os
try:
    os.sched_setaffinity(int(os.environ['VICTIM']), {0})
    print('harm:', 'affinity')
except OSError:
    pass
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
    print('harm:', 'real time')
except OSError:
    pass
