# Tries to send signals by descriptors that are its own. Safe: 0, failed.
import fcntl, os, signal
for number in (0, 1, 2):
    for who in (int(os.environ["VICTIM"]), -int(os.environ["VICTIM"]), 1):
        try:
            fcntl.fcntl(number, fcntl.F_SETOWN, who)
            fcntl.fcntl(number, fcntl.F_SETSIG, signal.SIGKILL)
            fcntl.fcntl(number, fcntl.F_SETFL, os.O_ASYNC | fcntl.fcntl(number, fcntl.F_GETFL))
        except OSError:
            pass
print()
