# Tries to trace the process that forks, and write into its memory. Safe: 6, passed or failed.
import ctypes, os

C = ctypes.CDLL(None, use_errno=True)

def reach(process):
    if C.ptrace(16, process, 0, 0) == 0 or C.ptrace(0x4206, process, 0, 0) == 0:
        os.write(1, b"harm: it is traced")
    for name in ("mem", "environ", "maps", "syscall", "fd/0"):
        try:
            with open(f"/proc/{process}/{name}", "rb") as file:
                if file.read(1):
                    os.write(1, b"harm: it is read")
        except OSError:
            pass
    if C.pidfd_open(process, 0) > 0 and C.syscall(438, C.pidfd_open(process, 0), 0, 0) >= 0:
        os.write(1, b"harm: a descriptor of it")


def total(number):
    return number * (number + 1) // 2


def first(number):
    reach(1)
    reach(os.getppid()) if os.getppid() > 1 else None
    return total(number)


def guess(number):
    return 0
