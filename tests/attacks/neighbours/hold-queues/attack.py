# Tries to leave others no message queues. Safe: 0, failed.
import ctypes, os, time
libc = ctypes.CDLL(None)
count = 0
while libc.mq_open(b"/left-behind-%d" % count, os.O_CREAT | os.O_RDWR, 0o600, None) >= 0:
    count += 1
time.sleep(2)
