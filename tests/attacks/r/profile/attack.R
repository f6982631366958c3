# Tries to read the home by a profile that R reads at its start. Safe: 0, failed or crashed.
cat("held\n")
