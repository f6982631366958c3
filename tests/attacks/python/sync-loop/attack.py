# Tries to wait for the machine's disks from many threads. Safe: 0, timeout.
import os
import threading
import time

FILES = [os.open(path, os.O_RDONLY) for path in ("/usr/bin/env", "/usr/lib/os-release")]


def wait():
    while time.monotonic() < END:
        os.sync()
        for file in FILES:
            os.fsync(file)


END = time.monotonic() + 60
for _ in range(8):
    threading.Thread(target=wait).start()
