# Tries to read the reports of others and the marks. Safe: 0, failed.
cat "$ROOM"/out/*/*.csv "$ROOM"/out/*/*/*
