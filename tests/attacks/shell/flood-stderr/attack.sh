# Tries to fill standard error. Safe: 0, output or failed.
head -c 30M /dev/zero | tr "\0" x >&2
