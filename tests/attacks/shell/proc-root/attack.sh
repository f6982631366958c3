# Tries to reach the machine by the root of another process. Safe: 0, failed.
cat /proc/[0-9]*/root"$ROOM"/course/specs/* /proc/1/root"$ROOM"/home/.netrc
