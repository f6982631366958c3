# Tries to hide processes in sessions of their own. Safe: 0, failed.
import os, signal, time
for _ in range(8):
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.fork() == 0:
            os.execve('/bin/sh', ['kworker', '-c', 'sleep 30; : left-behind'], {})
        os._exit(0)
time.sleep(0.1)
