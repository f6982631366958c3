# Tries to look as if it had ended by a signal (processor limit). Safe: 0, failed or crashed.
exit 152
