# Tries to read what others handed in. Safe: 0, failed.
cat "$ROOM"/course/*/honest/*
