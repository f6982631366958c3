# Tries to leave others no queued signals, and fill the kernel's memory with them. Safe: 0, failed.
import ctypes, os, signal, time
libc = ctypes.CDLL(None)
signal.pthread_sigmask(signal.SIG_BLOCK, range(34, 64))
sent = 0
while libc.sigqueue(os.getpid(), 40, None) == 0:
    sent += 1
if sent > 5000:
    print("harm:", sent, "signals")
time.sleep(3)
