# Tries to read the arguments of others. Safe: 0, failed.
tr "\0" " " < "/proc/$VICTIM/cmdline" && echo "harm:" arguments
