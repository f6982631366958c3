# Tries to sleep longer than it may. Safe: 0, timeout or failed.
[ "$1" = 5 ] || sleep 20
