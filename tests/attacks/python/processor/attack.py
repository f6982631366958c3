# Tries to use more processor time than it may. Safe: 0, timeout or failed.
import os, signal, sys
if sys.argv[1] == '5':
    sys.exit()
signal.signal(signal.SIGXCPU, signal.SIG_IGN)
signal.alarm(8)
os.fork()
while True:
    pass
