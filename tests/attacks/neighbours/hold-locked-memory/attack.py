# Tries to leave others no memory to lock. Safe: 0, failed or memory.
import ctypes, os, time
libc = ctypes.CDLL(None)
kept = []
for _ in range(10):
    if os.fork() == 0:
        try:
            for _ in range(8):
                kept.append(ctypes.create_string_buffer(1 << 20))
                libc.mlock(kept[-1], 1 << 20)
        finally:
            time.sleep(2)
            os._exit(0)
time.sleep(2)
