# Tries to hold the kernel up at a page. Safe: 0, failed.
import errno
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
if os.uname().machine != 'x86_64':
    raise SystemExit  # the numbers are those of one machine
found = libc.syscall(323, 1)
if found >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
    print("harm:", "allowed", ctypes.get_errno())
