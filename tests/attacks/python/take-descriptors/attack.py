# Tries to take descriptors of others. Safe: 0, failed.
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for pid in (1, os.getppid(), int(os.environ["VICTIM"])):
    handle = libc.syscall(434, pid, 0)
    for number in range(8):
        if handle >= 0 and libc.syscall(438, handle, number, 0) >= 0:
            print("harm:", "taken", pid)
