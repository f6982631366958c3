# Tries to print without end from R. Safe: 0, output or failed or timeout.
repeat cat("and on\n")
