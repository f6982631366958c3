# Tries to fill both streams at once. Safe: 0, output or failed.
(head -c 9M /dev/urandom >&2) & head -c 9M /dev/urandom; wait
