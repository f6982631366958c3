# Tries to load a program into the kernel. Safe: 0, failed.
import errno
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
if os.uname().machine != 'x86_64':
    raise SystemExit  # the numbers are those of one machine
found = libc.syscall(321, 0, ctypes.create_string_buffer(b'\1\0\0\0\4\0\0\0\4\0\0\0\1' + bytes(100)), 72)
if found >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
    print("harm:", "allowed", ctypes.get_errno())
