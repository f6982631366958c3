# Tries to run for ever from R. Safe: 0, timeout.
while (TRUE) {}
