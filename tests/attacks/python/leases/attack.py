# Tries to hold up others at a file of all. Safe: 0, failed.
import fcntl, os
number = os.open("/usr/bin/env", os.O_RDONLY)
for request, value in ((fcntl.F_SETLEASE, fcntl.F_RDLCK), (fcntl.F_NOTIFY, 1)):
    try:
        fcntl.fcntl(number, request, value)
        print("harm:", "lease")
    except OSError:
        pass
