# Tries to learn where the course is. Safe: 0, failed.
grep -s "$ROOM" /proc/self/mountinfo /proc/mounts && echo "harm:" mounts
