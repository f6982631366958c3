# Tries to read itself again and again. Safe: 0, crashed or failed or timeout or memory or output.
source("attack.R")
