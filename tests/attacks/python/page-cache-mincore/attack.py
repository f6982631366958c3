# Tries to see which pages of files lie in memory. Safe: 10, passed.
import ctypes, os, sys
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
file = os.open("/usr/bin/env", os.O_RDONLY)
pages, seen = libc.mmap(None, ctypes.c_size_t(8192), 1, 1, file, ctypes.c_long(0)), (ctypes.c_ubyte * 2)()
if libc.mincore(ctypes.c_void_p(pages), ctypes.c_size_t(8192), seen) == 0:
    print("harm:", "mincore", list(seen))
if libc.syscall(ctypes.c_long(451), file, (ctypes.c_ulong * 2)(0, 8192), (ctypes.c_ulong * 5)(), 0) == 0:
    print("harm:", "cachestat")
print(sum(range(int(sys.argv[1]) + 1)))
