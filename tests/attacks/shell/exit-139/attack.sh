# Tries to look as if it had ended by a signal (segmentation fault). Safe: 0, failed or crashed.
exit 139
