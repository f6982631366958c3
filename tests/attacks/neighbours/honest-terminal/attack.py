import os, sys, time
time.sleep(0.5)
if os.access("/dev/ptmx", os.R_OK | os.W_OK) and os.path.isdir("/dev/pts"):
    try:
        assert len(os.openpty()) == 2
    except PermissionError:
        pass  # as at level container
print(sum(range(int(sys.argv[1]) + 1)))
