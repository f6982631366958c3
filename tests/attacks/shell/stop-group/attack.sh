# Tries to stop its group, and so whoever waits for it. Safe: 0, failed or crashed.
setsid true; kill -CONT 0; kill -TERM 0; kill -TERM -$PPID
