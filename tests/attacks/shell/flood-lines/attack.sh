# Tries to write a hundred thousand empty lines. Safe: 0, output or failed.
head -c 100000 /dev/zero | tr "\0" "\n"
