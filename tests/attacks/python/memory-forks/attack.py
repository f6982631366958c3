# Tries to take all memory by many processes. Safe: 0, memory or crashed or failed.
import os, time
for _ in range(12):
    if os.fork() == 0:
        kept = b'x' * (40 << 20)
        time.sleep(1)
        os._exit(0)
time.sleep(1.2)
