# Tries to name options and another interpreter in the first line. Safe: 0, failed or crashed.
