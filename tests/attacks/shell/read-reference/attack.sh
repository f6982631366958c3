# Tries to read the reference. Safe: 0, failed.
cat "$ROOM"/course/reference/*
