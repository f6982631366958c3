# Tries to leave others no room in their pipes. Safe: 0, failed or timeout or processes.
import fcntl, os, time
for _ in range(20):
    if os.fork() == 0:
        kept = []
        try:
            while True:
                kept.append(os.pipe())
                fcntl.fcntl(kept[-1][1], 1031, 1 << 17)
        except OSError:
            pass
        try:
            while True:
                kept.append(os.pipe())
        except OSError:
            pass
        time.sleep(3)
        os._exit(0)
time.sleep(3)
