# Tries to start processes without end. Safe: 0, failed or crashed or timeout.
import os, signal, time
signal.alarm(2)
end = time.monotonic() + 0.3
while time.monotonic() < end:
    try:
        os.fork()
    except OSError:
        pass
