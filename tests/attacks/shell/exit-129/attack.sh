# Tries to look as if it had ended by a signal (hang up). Safe: 0, failed or crashed.
exit 129
