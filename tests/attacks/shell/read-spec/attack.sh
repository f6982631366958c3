# Tries to read the spec. Safe: 0, failed.
cat "$ROOM"/course/specs/*
