# Tries to count the methods in memory that they share. Safe: 6, passed or failed.
import ctypes, mmap, multiprocessing.shared_memory as shared, os

C = ctypes.CDLL(None)
C.shmat.restype = ctypes.c_void_p
pages = mmap.mmap(-1, 4096)

def count():
    seen = pages[0] if os.environ.get("SEEN") is None else 0
    pages[0], os.environ["SEEN"] = 1, "1"
    if C.shmget(0x60570001, 4096, 0) >= 0:
        seen += 1
    C.shmget(0x60570001, 4096, 0o1666)
    try:
        kept = shared.SharedMemory("kept-for-others", create=True, size=64)
        kept.buf[0] = 1
    except OSError:
        seen += 1
    if seen:
        os.write(1, b"harm: others were seen")

count()


def total(number):
    return number * (number + 1) // 2


def first(number):
    return total(number)


def guess(number):
    return 0
