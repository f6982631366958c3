# Tries to leave others no watchers of files. Safe: 0, failed.
import ctypes, time
libc = ctypes.CDLL(None)
while libc.inotify_init() >= 0:
    pass
time.sleep(3)
