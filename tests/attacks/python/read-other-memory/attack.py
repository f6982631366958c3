# Tries to read the memory of others by process_vm_readv. Safe: 0, failed.
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
room = ctypes.create_string_buffer(16)
vector = (ctypes.c_ulong * 2)(ctypes.addressof(room), 16)
for pid in (os.getppid(), int(os.environ["VICTIM"])):
    if libc.syscall(310, pid, vector, 1, vector, 1, 0) >= 0 or ctypes.get_errno() == 14:
        print("harm:", "read", pid)
