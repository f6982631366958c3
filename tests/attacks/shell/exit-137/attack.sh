# Tries to look as if it had ended by a signal (kill). Safe: 0, failed or crashed.
exit 137
