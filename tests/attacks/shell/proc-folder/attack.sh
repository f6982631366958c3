# Tries to reach the course by the folder of another process. Safe: 0, failed.
cat /proc/[0-9]*/cwd/specs/* /proc/$PPID/cwd/reference/* "/proc/$VICTIM/cwd/.netrc"
