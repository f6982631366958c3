# Tries to look as if it had ended by a signal (anything). Safe: 0, failed or crashed.
exit 255
