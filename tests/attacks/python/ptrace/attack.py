# Tries to trace whoever started it. Safe: 0, failed.
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for pid in (1, os.getppid(), int(os.environ["VICTIM"])):
    for request in (16, 0x4206):
        if libc.syscall(101, request, pid, 0, 0) >= 0:
            print("harm:", "traced", pid)
