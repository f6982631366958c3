# Tries to take the terminal over by standard error. Safe: 0, failed.
printf '\033[31m\033]0;x\007\r\010\010passed\177' >&2; exit 3
