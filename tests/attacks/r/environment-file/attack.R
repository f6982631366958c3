# Tries to change what R finds by an environment file. Safe: 0, failed or crashed.
cat("held\n")
