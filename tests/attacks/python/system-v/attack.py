# Tries to leave segments, queues and semaphores of System V. Safe: 0, failed or crashed.
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.shmget(0x60570001, 4096, 0o1666)
libc.msgget(0x60570001, 0o1666)
libc.semget(0x60570001, 1, 0o1666)
