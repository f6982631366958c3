# Tries to name options and an encoding in the source. Safe: 0, failed or crashed.
