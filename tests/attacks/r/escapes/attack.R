# Tries to rewrite the terminal of whoever looks from R. Safe: 0, failed.
cat("\033[2J\033]0;mine\033[8m\n")
