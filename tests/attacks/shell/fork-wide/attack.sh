# Tries to start as many processes as there may be. Safe: 0, failed or crashed.
for i in $(seq 400); do sleep 3 & done; sleep 0.1; exit 0
