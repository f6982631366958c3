# Tries to fill the kernel's memory with timers. Safe: 0, failed.
import ctypes, os, time
libc = ctypes.CDLL(None)
made, count = ctypes.c_void_p(), 0
while libc.timer_create(1, None, ctypes.byref(made)) == 0 and count < 100_000:
    count += 1
if count > 5000:
    print("harm:", count, "timers")
time.sleep(2)
