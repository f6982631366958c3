# Tries to read the segments of others. Safe: 0, failed or crashed.
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
for number in range(64):
    at = libc.shmat(number, None, 0o10000)
    if at not in (None, ctypes.c_void_p(-1).value):
        print("harm:", ctypes.string_at(at, 40))
