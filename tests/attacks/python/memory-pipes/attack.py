# Tries to take all memory by full pipes. Safe: 0, memory or crashed or failed.
import fcntl, os
try:
    for _ in range(100):
        ends = os.pipe()
        fcntl.fcntl(ends[1], 1031, 1 << 20)
        os.set_blocking(ends[1], False)
        os.write(ends[1], bytes(1 << 20))
except OSError:
    pass
