# Tries to start processes without end. Safe: 0, failed or crashed or timeout.
b() { b | b & }; ulimit -t 1; b; sleep 0.3; exit 0
