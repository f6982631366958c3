# Tries to fill standard output. Safe: 0, output or failed.
head -c 30M /dev/zero | tr "\0" x
