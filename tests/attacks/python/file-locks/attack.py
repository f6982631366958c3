# Tries to hold up others by a lock. Safe: 0, failed.
import fcntl, os, time
for name in ("grades.db", "grades.lock"):
    try:
        fcntl.flock(os.open(os.environ["ROOM"] + "/out/python/" + name, os.O_RDWR), fcntl.LOCK_EX | fcntl.LOCK_NB)
        print("harm:", "locked")
    except OSError:
        pass
