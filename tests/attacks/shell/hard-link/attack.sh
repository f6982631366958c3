# Tries to take the spec over by a hard link. Safe: 0, failed.
ln "$ROOM"/course/specs/c.yaml one && cat one
